"""Hundreds of generated names are entered in every field for names.

Each is stored cleaned, or rejected at its field, which then still shows the typed text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from accounts.authentication import USERNAME_VALIDATORS
from accounts.models import User
from api.keys.operations import make_token
from api.models import Token
from core.names.text import clean, clean_lines, comparison_key
from corridas.models import Bull, Circuit
from leagues.models import Fixture, League, Player
from tests.accounts.people import signed_in
from tests.corridas.admin.conftest import card_fields
from tests.factories import World, browser, small_circuit
from tests.generated_names import as_sent
from tests.leagues import world

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.databases,
    pytest.mark.nightly_on("postgresql"),
]
FORM = "application/x-www-form-urlencoded"
PASSWORD = "long enough for anybody"
DEADLINE = "2099-01-01T12:00"


@dataclass(kw_only=True)
class Field:
    """A field for a name, or several fields of a form for the same name.

    `send` submits a name, `stored` returns the stored value. `most` has the maximum length by
    field. A cleaned name is accepted if it is short enough and `allowed`. `form` is the form's name
    in the context.
    """

    send: Callable[[str], Any]
    stored: Callable[[], Any]
    most: Mapping[str, int] = field(default_factory=lambda: {"name": 60})
    form: str = "form"
    optional: Collection[str] = ()
    cleaned: Callable[[str], str] = clean
    allowed: Callable[[str], bool] = lambda _name: True
    arrives: Callable[[str], str] = field(default=as_sent)

    def refused_at(self, name: str) -> set[str]:
        """Return the fields that must reject a cleaned name."""
        wrong = {
            at
            for at, most in self.most.items()
            if len(name) > most or not (name or at in self.optional)
        }
        return wrong if wrong or self.allowed(name) else {*self.most}


def faults_of(place: Field, names: Collection[str]) -> Iterator[str]:
    """Submit each name, and yield a message for each that is not handled as expected."""
    for name in names:
        typed = place.arrives(name)
        cleaned = place.cleaned(typed)
        refused_at, before = place.refused_at(cleaned), place.stored()
        answer = place.send(name)
        if answer.status_code >= 500:
            yield f"{name[:80]!a}: {answer.status_code} {answer.exc_info}"
            continue
        after = place.stored()
        if not refused_at and (answer.status_code >= 400 or not is_everywhere(cleaned, after)):
            yield f"{name[:80]!a}: {answer.status_code}, stored {after!a}"
        elif refused_at and after != before:
            yield f"{name[:80]!a}: stored {after!a}, expected a refusal"
        elif refused_at and (fault := fault_of_refusal(place, answer, typed, refused_at)):
            yield f"{name[:80]!a}: {fault}"


def is_everywhere(name: str, stored: Any) -> bool:
    return {*stored} == {name} if isinstance(stored, tuple) else bool(stored == name)


def assert_taken(place: Field, names: Collection[str]) -> None:
    faults = [*faults_of(place, names)]
    assert not faults, "\n".join(faults)


def fault_of_refusal(place: Field, answer: Any, typed: str, refused_at: set[str]) -> str:
    """Return a message if a rejection is not shown at its field or the typed text was changed."""
    if answer.status_code not in {200, 400, 409, 422}:
        return f"refused with {answer.status_code}"
    if answer["Content-Type"] == "application/problem+json":
        problem = answer.json()
        return "" if problem["detail"] or problem["errors"] else "refused without a sentence"
    form = answer.context[place.form]
    form = getattr(form, "form", form)  # the admin wraps its forms
    if {*form.errors} != refused_at:
        return f"not refused at its field: {form.errors}"
    changed = {at for at in place.most if form[at].value() != typed}
    return f"what was typed has changed: {changed}" if changed else ""


def post(client: Client, address: str, **fields: str) -> Any:
    """Submit a form as a browser does."""
    client.raise_request_exception = False
    return client.post(address, urlencode(fields, errors="surrogatepass"), content_type=FORM)


def newest(model: type[Model], column: str = "name") -> Callable[[], Any]:
    return lambda: model._base_manager.order_by("pk").values_list(column, flat=True).last()


def value_of(row: Model, column: str = "name") -> Callable[[], Any]:
    rows = type(row)._base_manager.filter(pk=row.pk)
    return lambda: rows.values_list(column, flat=True).get()


def unlike(taken: Collection[str]) -> Callable[[str], bool]:
    """Return a function that accepts each name once, regardless of case and Unicode form."""
    keys = {comparison_key(name) for name in taken}

    def allowed(name: str) -> bool:
        key = comparison_key(name)
        return key not in keys and not keys.add(key)  # type: ignore[func-returns-value]

    return allowed


@pytest.fixture
def office(db: None) -> Player:
    """Create a superuser who also organises leagues."""
    return world.account("office", is_staff=True, is_superuser=True)


@pytest.fixture
def page(office: Player) -> Client:
    return browser(office)


@pytest.fixture
def league(office: Player) -> League:
    return world.found_league(office, visibility="public")


@pytest.fixture
def fixture(office: Player) -> Fixture:
    robin = world.round_robin(office, ["ana", "beto", "carla"])
    return Fixture.objects.filter(round__league=robin).select_related("round__league")[0]


# Accounts


def is_username(name: str) -> bool:
    validators: Any = USERNAME_VALIDATORS
    try:
        for validate in validators:
            validate(name)
    except ValidationError:
        return False
    return True


def test_sign_up_cleans_or_rejects_generated_usernames(names: list[str], db: None) -> None:
    fresh = unlike(["director"])

    def sign_up(name: str) -> Any:
        form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        return post(Client(), "/accounts/signup/", **form)

    place = Field(
        send=sign_up,
        stored=newest(User, "username"),
        most={"username": 150},
        allowed=lambda name: is_username(name) and fresh(name),
    )
    assert_taken(place, names)


def test_profile_cleans_or_rejects_generated_display_names(
    names: list[str], page: Client, office: Player
) -> None:
    def rename(name: str) -> Any:
        return post(page, "/accounts/profile/", name=name, theme="system", single_keys="on")

    place = Field(send=rename, stored=value_of(office))
    assert_taken(place, names)


def test_api_key_names_are_cleaned_or_rejected(names: list[str], office: Player) -> None:
    assert isinstance(office.user, User)
    client = signed_in(office.user)

    def make(name: str) -> Any:
        if Token.objects.count() > 10:  # users can have twenty keys
            Token.objects.exclude(pk=Token.objects.latest("pk").pk).delete()
        return post(client, "/accounts/tokens/make/", name=name, scope="read", days="")

    assert_taken(Field(send=make, stored=newest(Token)), names)


# Leagues

LEAGUE = {
    "profile": "plain",
    "seats": "2",
    "format": "ladder",
    "days_a_round": "7",
    "visibility": "public",
    "scoring": "winner",
    "hours_to_object": "72",
    "zone": "UTC",
}


def test_names_of_new_league_guests_are_cleaned_or_rejected(
    names: list[str], page: Client, league: League
) -> None:
    place = Field(
        send=lambda name: post(page, f"/leagues/{league.slug}/players/guest/", name=name),
        stored=newest(Player),
        form="guest_form",
        allowed=unlike(["office"]),
    )
    assert_taken(place, names)


def test_names_of_guests_who_join_by_invitation_are_cleaned_or_rejected(
    names: list[str], league: League
) -> None:
    place = Field(
        send=lambda name: post(Client(), f"/leagues/join/{league.invitation}/", name=name),
        stored=newest(Player),
    )
    assert_taken(place, names)


def test_names_of_new_leagues_are_cleaned_or_rejected(names: list[str], page: Client) -> None:
    place = Field(
        send=lambda name: post(page, "/leagues/new/?game=highest", **LEAGUE, name=name),
        stored=newest(League),
    )
    assert_taken(place, names)


def test_descriptions_of_leagues_are_cleaned_or_rejected(
    names: list[str], page: Client, league: League
) -> None:
    def describe(about: str) -> Any:
        form = LEAGUE | {"name": "Thursday", "about": about}
        return post(page, f"/leagues/{league.slug}/settings/", **form)

    place = Field(
        send=describe,
        stored=value_of(league, "about"),
        most={"about": 1000},
        optional=["about"],
        cleaned=clean_lines,
    )
    assert_taken(place, names)


def test_notes_of_fixtures_are_cleaned_or_rejected(
    names: list[str], page: Client, fixture: Fixture
) -> None:
    address = f"/leagues/{fixture.round.league.slug}/fixtures/{fixture.pk}/postpone/"
    place = Field(
        send=lambda note: post(page, address, deadline=DEADLINE, note=note),
        stored=value_of(fixture, "note"),
        most={"note": 200},
        form="postpone_form",
        optional=["note"],
    )
    assert_taken(place, names)


def test_reasons_for_void_fixtures_are_cleaned_or_rejected(
    names: list[str], page: Client, fixture: Fixture
) -> None:
    address = f"/leagues/{fixture.round.league.slug}/fixtures/{fixture.pk}"

    reasons = [""]

    def void(reason: str) -> Any:
        answer = post(page, f"{address}/void/", reason=reason)
        if answer.status_code == 302:
            reasons.append(Fixture.objects.values_list("note", flat=True).get(pk=fixture.pk))
            post(page, f"{address}/restore/")
        return answer

    place = Field(send=void, stored=lambda: reasons[-1], most={"reason": 200}, form="void_form")
    assert_taken(place, names)


# Circuits

CIRCUIT = {
    "visibility": "public",
    "shuffle": "each_bull",
    "bull_reading": "same_card",
    "bull_points": "separate",
    "roster": "imported",
    "seed": "",
    "year": "2027",
    "calendar": "shipped",
}


@pytest.fixture
def circuit(office: Player) -> World:
    return small_circuit("ruedo", "Ruedo", owner=office.user)


def test_names_of_new_circuits_are_cleaned_or_rejected(names: list[str], page: Client) -> None:
    place = Field(
        send=lambda name: post(page, "/circuitos/nuevo/", **CIRCUIT, name=name),
        stored=newest(Circuit),
    )
    assert_taken(place, names)


def test_changed_names_of_circuits_are_cleaned_or_rejected(
    names: list[str], page: Client, circuit: World
) -> None:
    form = {"visibility": "public", "pace": "3", "zone": "UTC"}
    place = Field(
        send=lambda name: post(page, "/circuitos/ruedo/direccion/ajustes/", **form, name=name),
        stored=value_of(circuit.circuit),
    )
    assert_taken(place, names)


Row = tuple[Model, dict[str, str]]


def rows_of_the_office(world: World) -> dict[str, Row]:
    """Return a row of each kind that the admin edits, with the other fields of its form."""
    circuit, matador, plaza = str(world.circuit.pk), world.matadors[0], world.plazas[0]
    bull = Bull.objects.create(
        ganaderia=world.herd, year=2020, number=1, name="Cantinero", coat="negro", weight=520
    )
    place = {"circuit": circuit, "country": "ES", "continent": "EU", "category": "1"}
    of_bull = {
        "ganaderia": str(world.herd.pk),
        "number": "1",
        "year": "2020",
        "coat": "negro",
        "weight": "520",
    }
    of_feria = {
        "season": str(world.season.pk),
        "plaza": str(plaza.pk),
        "slug": "goyesca",
        "starts": "2027-03-01",
        "ends": "2027-03-09",
    }
    return {
        "matador": (matador, card_fields(matador)),
        "plaza": (plaza, place | {"slug": plaza.slug}),
        "ganaderia": (world.herd, place | {"slug": world.herd.slug, "renown": "50"}),
        "bull": (bull, of_bull),
        "deck": (world.deck, {"cards": world.deck.cards}),
        "feria": (world.feria, of_feria),
    }


OF_THE_OFFICE: Mapping[str, Mapping[str, int]] = {
    "matador": {
        "name": 60,
        "apodo": 40,
        "birthplace": 60,
        "deathplace": 60,
        "alternativa_place": 60,
    },
    "plaza": {"name": 60, "city": 60},
    "ganaderia": {"name": 60, "encaste": 40},
    "bull": {"name": 30},
    "deck": {"name": 60},
    "feria": {"name": 80},
}


@pytest.mark.parametrize("model", OF_THE_OFFICE)
def test_roster_names_in_the_admin_are_cleaned_or_rejected(
    names: list[str], page: Client, circuit: World, model: str
) -> None:
    row, form = rows_of_the_office(circuit)[model]
    columns = OF_THE_OFFICE[model]

    def edit(name: str) -> Any:
        address = f"/admin/corridas/{model}/{row.pk}/change/"
        return post(page, address, **form | dict.fromkeys(columns, name))

    def stored() -> Any:
        return type(row)._base_manager.values_list(*columns).get(pk=row.pk)

    place = Field(
        send=edit,
        stored=stored,
        most=columns,
        form="adminform",
        optional=["apodo", "birthplace", "deathplace", "alternativa_place", "encaste"],
    )
    assert_taken(place, names)


# Programs


def is_storable(name: str) -> bool:
    """Return whether the API accepts the text before cleaning it."""
    return "\0" not in name and not any("\ud800" <= sign <= "\udfff" for sign in name)


@dataclass
class Program:
    """A program that uses the API with a user's key."""

    user: User

    def __post_init__(self) -> None:
        _row, self.key = make_token(
            user=self.user, name="test", scope=Token.Scope.WRITE, at=timezone.now()
        )

    def send(self, method: str, at: str, body: object, **headers: str) -> Any:
        client = Client(raise_request_exception=False)
        headers |= {"authorization": f"Bearer {self.key}"}
        return client.generic(
            method, f"/api/v1/{at}", json.dumps(body), "application/json", headers=headers
        )


class SentByProgram(Field):
    """A field of the API, which rejects text that databases cannot store before cleaning it."""

    typed = ""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields, arrives=self.remember)

    def remember(self, name: str) -> str:
        self.typed = name
        return name

    def refused_at(self, name: str) -> set[str]:
        return super().refused_at(name) if is_storable(self.typed) else {*self.most}


@pytest.fixture
def program(office: Player) -> Program:
    assert isinstance(office.user, User)
    return Program(office.user)


def test_guest_names_sent_to_the_api_are_cleaned_or_rejected(
    names: list[str], program: Program, league: League
) -> None:
    place = SentByProgram(
        send=lambda name: program.send("POST", f"leagues/{league.slug}/members/", {"name": name}),
        stored=newest(Player),
        allowed=unlike(["office"]),
    )
    assert_taken(place, names)


def test_league_names_sent_to_the_api_are_cleaned_or_rejected(
    names: list[str], program: Program
) -> None:
    settings = {"game": "highest", "profile": "plain", "format": "ladder", "visibility": "public"}
    place = SentByProgram(
        send=lambda name: program.send("POST", "leagues/", settings | {"name": name}),
        stored=newest(League),
    )
    assert_taken(place, names)


def test_league_descriptions_sent_to_the_api_are_cleaned_or_rejected(
    names: list[str], program: Program, league: League
) -> None:
    place = SentByProgram(
        send=lambda about: program.send("PATCH", f"leagues/{league.slug}/", {"about": about}),
        stored=value_of(league, "about"),
        most={"about": 1000},
        optional=["about"],
        cleaned=clean_lines,
    )
    assert_taken(place, names)


def test_own_name_sent_to_the_api_is_cleaned_or_rejected(
    names: list[str], program: Program, office: Player
) -> None:
    place = SentByProgram(
        send=lambda name: program.send("PATCH", f"players/{office.slug}/", {"name": name}),
        stored=value_of(office),
    )
    assert_taken(place, names)


def test_fixture_notes_sent_to_the_api_are_cleaned_or_rejected(
    names: list[str], program: Program, fixture: Fixture
) -> None:
    at = f"leagues/{fixture.round.league.slug}/fixtures/{fixture.pk}/postpone/"
    place = SentByProgram(
        send=lambda note: program.send("POST", at, {"deadline": f"{DEADLINE}:00Z", "note": note}),
        stored=value_of(fixture, "note"),
        most={"note": 200},
        optional=["note"],
    )
    assert_taken(place, names)


def test_circuit_names_sent_to_the_api_are_cleaned_or_rejected(
    names: list[str], program: Program, circuit: World
) -> None:
    at = "circuits/ruedo/settings/"
    before = program.send("GET", at, None).json()

    def change(name: str) -> Any:
        tag = program.send("GET", at, None)["ETag"]
        return program.send("PUT", at, before | {"name": name}, **{"if-match": tag})

    place = SentByProgram(send=change, stored=value_of(circuit.circuit))
    assert_taken(place, names)
