"""Permissions on circuits: which users can see, direct and change a circuit in every state."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.test import RequestFactory
from pytest_django import Settings

from accounts.models import User
from core.names.text import comparison_key
from corridas import circuit_queries as circuits
from corridas.api.mixins import check_visible
from corridas.archive.operations import import_file
from corridas.circuit_queries import SHIPPED
from corridas.circuits import operations as asked
from corridas.circuits.operations import RESTORABLE
from corridas.errors import OperationError
from corridas.models import Circuit, Corrida, Deck, Season, TableCorrida
from corridas.pages.access import find_visible
from corridas.roles import DIRECTOR, ROSTER_EDITOR, SITE_ADMIN, found_roles
from corridas.roster import queries
from corridas.roster.exchange import preview
from corridas.roster.exchange.preview import sees_office_columns
from corridas.tabletop.operations import extend_deadline, give_fixture, take_fixture_back
from events.scopes import scopes
from leagues.exceptions import OperationError as AtATable

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 11, 2, 18, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)
SEE, DIRECT = "corridas.view_circuit", "corridas.direct_circuit"
# Kinds of users: not signed in, another user, the director, a former director, a user to whom the
# circuit is offered, a director whose account is locked, staff without a role, staff of each role,
# a superuser.
WHO = (
    "nobody",
    "stranger",
    "owner",
    "former",
    "offered",
    "locked owner",
    "staff",
    "editor",
    "director",
    "site admin",
    "root",
)

Person = User | AnonymousUser
People = dict[str, Person]


@pytest.fixture
def people() -> People:
    found_roles()
    staff = {"staff": "", "editor": ROSTER_EDITOR, "director": DIRECTOR, "site admin": SITE_ADMIN}
    made: People = {"nobody": AnonymousUser()}
    for name in WHO[1:]:
        user = User.objects.create_user(
            name,
            is_staff=name in staff,
            is_superuser=name == "root",
            is_active="locked" not in name,
        )
        user.groups.set(Group.objects.filter(name=staff.get(name, "")))
        made[name] = user
    return made


def circuit_of(people: People, slug: str = "barrio", **columns: Any) -> Circuit:
    """Return a circuit that belongs to the owner and is offered to another user;

    `columns` replace values.
    """
    deck, _made = Deck.objects.get_or_create(name="d", digest="d", cards="")
    given = {"owner": people["owner"], "offered_to": people["offered"], "deck": deck} | columns
    return Circuit.objects.create(slug=slug, name=slug, founded_at=NOW, **given)


def those(people: People, may: Callable[[Any], bool]) -> set[str]:
    return {name for name in WHO if may(people[name])}


def refuses(
    deed: Callable[[], object], refusal: type[Exception] = PermissionDenied, words: str = ""
) -> bool:
    """Return whether an operation is rejected. Its changes are rolled back."""
    try:
        with suppress(Missing), transaction.atomic():
            deed()
            raise Missing
    except refusal as error:
        return words in str(error)
    except (OperationError, TableCorrida.DoesNotExist):
        return False
    return False


class Missing(Exception):
    """Raised by tests to roll back all changes."""


# Seeing and directing a circuit

EVERYBODY = set(WHO)
STANDS = ("public", "private", "frozen", "archived", "private archived")
SEEN = {
    "public": EVERYBODY,
    "private": {"owner", "offered", "root"},
    "frozen": EVERYBODY,
    "archived": {"owner", "root"},
    "private archived": {"owner", "root"},
}


def standing(how: str) -> dict[str, Any]:
    return {
        "public": "private" not in how,
        "frozen_at": NOW if "frozen" in how else None,
        "archived_at": NOW if "archived" in how else None,
    }


@pytest.mark.parametrize("how", STANDS)
def test_visibility_and_direction_of_a_circuit_follow_its_state_and_the_user(
    people: People, how: str
) -> None:
    circuit = circuit_of(people, **standing(how))
    assert those(people, lambda one: one.has_perm(SEE, circuit)) == SEEN[how]
    assert those(people, lambda one: one.has_perm(DIRECT, circuit)) == {"owner", "root"}
    assert those(people, lambda one: circuit in circuits.seen_by(one)) == SEEN[how]
    assert (circuit in circuits.public_circuits()) == (SEEN[how] == EVERYBODY)

    def finds(visitor: Person) -> bool:
        request = RequestFactory().get("/")
        request.user = visitor
        try:
            check_visible(visitor, circuit)
            return find_visible(request, "barrio") == circuit
        except Http404:
            return False

    assert those(people, finds) == SEEN[how]
    follows = those(people, lambda one: scopes.find_key("circuit", "barrio", one) == circuit.pk)
    assert follows == SEEN[how]
    assert (circuit.pk in _public_scope()) == (SEEN[how] == EVERYBODY)


def _public_scope() -> set[int]:
    (scope,) = [one for one in scopes if one.name == "circuit"]
    return {row["pk"] for row in scope.public()}


def test_only_superusers_can_see_and_direct_a_private_circuit_without_a_director(
    people: People,
) -> None:
    circuit = circuit_of(people, owner=None, offered_to=None, public=False)
    for rule in (SEE, DIRECT):
        assert those(people, lambda one, rule=rule: one.has_perm(rule, circuit)) == {"root"}  # type: ignore[misc]
        assert not people["owner"].has_perm(rule, None)
        assert not people["owner"].has_perm(rule)


@pytest.mark.slow
def test_an_unknown_slug_finds_no_circuit(people: People) -> None:
    for address in ("nowhere", "", "bar\x00rio"):
        assert scopes.find_key("circuit", address, people["root"]) is None
    assert scopes.find_key("plaza", "barrio", people["root"]) is None


def test_users_get_lists_of_their_own_circuits_and_of_offers(people: People) -> None:
    owner, offered = people["owner"], people["offered"]
    assert isinstance(owner, User)
    assert isinstance(offered, User)
    names = {how: circuit_of(people, how.replace(" ", "-"), **standing(how)) for how in STANDS}
    mine = circuits.circuits_of(owner)
    assert {one.pk for one in mine} == {one.pk for one in names.values()}
    assert [one.archived_at is None for one in mine] == [True, True, True, False, False]
    told = {one.pk for one in circuits.offered_to(offered)}
    assert told == {names[how].pk for how in ("public", "private", "frozen")}
    assert circuits.offered_to(owner) == []
    assert circuits.circuits_of(offered) == []


KEPT = {
    "public": {"owner", "site admin", "root"},
    "private": {"owner", "site admin", "root"},
    "archived": {"owner", "site admin", "root"},
    "of nobody": {"editor", "site admin", "root"},
    "private of nobody": {"site admin", "root"},
    "archived of nobody": {"site admin", "root"},
}


@pytest.mark.parametrize("how", KEPT)
def test_rosters_can_be_edited_by_their_director_roster_editors_and_admins_only(
    people: People, how: str
) -> None:
    alone: dict[str, Any] = {"owner": None} if "nobody" in how else {}
    circuit = circuit_of(people, **standing(how), **alone)
    found = those(people, lambda one: circuit in queries.circuits_of(one))
    assert found == KEPT[how]
    assert those(people, lambda one: preview.may_exchange(one, circuit)) == KEPT[how]
    decks = those(people, lambda one: circuit.deck in queries.decks_of(one))
    assert decks == KEPT[how]
    refused = those(
        people,
        lambda one: refuses(lambda: preview.check_may_exchange(one, circuit), words="roster"),
    )
    assert refused == EVERYBODY - KEPT[how]


def test_only_site_admins_oversee_the_admin(people: People) -> None:
    assert those(people, queries.oversees) == {"site admin", "root"}
    assert those(people, sees_office_columns) == {"editor", "site admin", "root"}


# Operations on a circuit


def settings_of(circuit: Circuit, **changes: Any) -> asked.Settings:
    names = ("name", "public", "pace_ms", "always_on_air", "evening", "zone", "tables_count")
    return asked.Settings(**{name: getattr(circuit, name) for name in names} | changes)


DEEDS: dict[str, Callable[[Circuit, Any], object]] = {
    "change": lambda one, by: asked.change_circuit(circuit=one, settings=settings_of(one), by=by),
    "calendar": lambda one, by: asked.change_calendar(circuit=one, entries=None, by=by),
    "offer": lambda one, by: asked.offer_circuit(circuit=one, name="stranger", by=by),
    "withdraw": lambda one, by: asked.withdraw_offer(circuit=one, by=by),
    "freeze": lambda one, by: asked.freeze_circuit(circuit=one, by=by, at=NOW),
    "thaw": lambda one, by: asked.thaw_circuit(circuit=one, by=by),
    "delete": lambda one, by: asked.delete_circuit(circuit=one, by=by, at=NOW),
    "restore": lambda one, by: asked.restore_circuit(circuit=one, by=by, at=NOW),
    "bring a season": lambda one, by: import_file(
        by=by, pieces=[b"x"], size=1, at=NOW, circuit=one
    ),
}


@pytest.mark.parametrize("how", ["public", "archived"])
def test_only_the_director_and_superusers_can_change_a_circuit(people: People, how: str) -> None:
    circuit = circuit_of(people, **standing(how))
    for name, deed in DEEDS.items():
        asking = those(people, lambda one, deed=deed: not refuses(lambda: deed(circuit, one)))  # type: ignore[misc]
        assert asking == {"owner", "root"}, name
    answers: list[Callable[[Circuit, Any], object]] = [
        lambda one, by: asked.accept_circuit(circuit=one, by=by),
        lambda one, by: asked.decline_circuit(circuit=one, by=by),
    ]
    for answer in answers:
        answering = those(people, lambda one, do=answer: not refuses(lambda: do(circuit, one)))  # type: ignore[misc]
        assert answering == ({"offered"} if how == "public" else set())


def test_a_former_director_can_no_longer_change_the_circuit(people: People) -> None:
    circuit = circuit_of(people, owner=people["former"], public=False)
    offered = people["offered"]
    assert isinstance(offered, User)
    asked.accept_circuit(circuit=circuit, by=offered)
    circuit.refresh_from_db()
    assert (circuit.owner, circuit.offered_to) == (offered, None)
    assert those(people, lambda one: one.has_perm(SEE, circuit)) == {"offered", "root"}
    for name, deed in DEEDS.items():
        asking = those(people, lambda one, deed=deed: not refuses(lambda: deed(circuit, one)))  # type: ignore[misc]
        assert asking == {"offered", "root"}, name
    assert refuses(lambda: asked.accept_circuit(circuit=circuit, by=offered))


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("stranger", None),
        (" STRANGER ", None),
        ("\u202estranger\u202c", None),
        ("root", None),
        ("locked owner", "name"),
        ("owner", "name"),
        ("Owner", "name"),
        ("strange", "name"),
        ("", "name"),
    ],
)
def test_a_circuit_can_be_offered_only_to_another_active_user(
    people: People, name: str, field: str | None
) -> None:
    circuit, owner = circuit_of(people, offered_to=None), people["owner"]
    assert isinstance(owner, User)
    if field is None:
        other = asked.offer_circuit(circuit=circuit, name=name, by=owner)
        assert other.username == comparison_key(name)
        circuit.refresh_from_db()
        assert circuit.offered_to == other
        return
    with pytest.raises(OperationError) as error:
        asked.offer_circuit(circuit=circuit, name=name, by=owner)
    assert error.value.field == field
    circuit.refresh_from_db()
    assert circuit.offered_to is None


@pytest.mark.parametrize("name", ["offer", "freeze", "thaw", "restore", "delete"])
def test_a_change_of_state_that_does_not_apply_is_rejected(people: People, name: str) -> None:
    """For example, a frozen circuit cannot be frozen again."""
    stands = {
        "offer": ("archived", "Restore it first"),
        "freeze": ("frozen", "is already frozen."),
        "thaw": ("public", "not frozen"),
        "restore": ("frozen", "not archived"),
        "delete": ("archived", "is already archived."),
    }
    how, words = stands[name]
    circuit = circuit_of(people, **standing(how))
    with pytest.raises(OperationError, match=words):
        DEEDS[name](circuit, people["owner"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "late", "back"),
    [
        ("owner", dt.timedelta(), True),
        ("owner", SECOND, False),
        ("root", SECOND, True),
        ("root", dt.timedelta(days=999), True),
    ],
)
def test_an_archived_circuit_can_be_restored_for_thirty_days_only(
    people: People, who: str, late: dt.timedelta, back: bool
) -> None:
    assert dt.timedelta(days=30) == RESTORABLE
    circuit, by = circuit_of(people, archived_at=NOW), people[who]
    assert isinstance(by, User)
    at = NOW + RESTORABLE + late
    if not back:
        with pytest.raises(
            OperationError,
            match=r"You can no longer restore this circuit, because it was archived more than 30 "
            r"days ago\. Ask an administrator to restore it.",
        ):
            asked.restore_circuit(circuit=circuit, by=by, at=at)
        return
    asked.restore_circuit(circuit=circuit, by=by, at=at)
    circuit.refresh_from_db()
    assert circuit.archived_at is None


def test_limits_on_the_number_of_circuits_do_not_apply_to_superusers(
    people: People, settings: Settings
) -> None:
    owner, root, offered = people["owner"], people["root"], people["offered"]
    assert isinstance(owner, User)
    assert isinstance(root, User)
    assert isinstance(offered, User)
    settings.MAX_CIRCUITS_PER_USER = 2
    one, other = circuit_of(people, "one"), circuit_of(people, "other", archived_at=NOW)
    assert [circuits.circuits_left(user) for user in (owner, offered)] == [1, 2]
    asked.restore_circuit(circuit=other, by=owner, at=NOW)
    assert circuits.circuits_left(owner) == 0
    more = circuit_of(people, "more", archived_at=NOW)
    with pytest.raises(OperationError, match="at most"):
        asked.restore_circuit(circuit=more, by=owner, at=NOW)
    asked.restore_circuit(circuit=more, by=root, at=NOW)  # superusers have no limit
    for circuit in (one, other):
        asked.accept_circuit(circuit=circuit, by=offered)
    with pytest.raises(OperationError, match="at most"):
        asked.accept_circuit(circuit=more, by=offered)
    assert circuits.circuits_left(root) == circuits.BOUNDLESS
    settings.MAX_CIRCUITS_PER_USER = 0
    assert circuits.circuits_left(owner) == 0, "and never less"


@pytest.mark.parametrize(("who", "bounds"), [("owner", True), ("root", False), (None, False)])
def test_limits_of_a_circuit_depend_on_its_director(
    people: People, settings: Settings, who: str | None, bounds: bool
) -> None:
    settings.SEASONS_A_CIRCUIT = settings.MATADORS_A_CIRCUIT = 1
    settings.MAX_LIVE_CORRIDAS_PER_USER = 1
    circuit = circuit_of(people, owner=people[who] if who else None)
    other = circuit_of(people, "other", owner=circuit.owner)
    for count in (circuits.seasons_left, circuits.matadors_left, circuits.sand_left):
        assert count(circuit) == (1 if bounds else circuits.BOUNDLESS)
    Season.objects.create(circuit=circuit, year=2027, seed=b"s" * 32, commitment=b"c" * 32)
    assert circuits.seasons_left(circuit) == (0 if bounds else circuits.BOUNDLESS)
    assert circuits.seasons_left(other) == (1 if bounds else circuits.BOUNDLESS)


def test_only_the_director_can_assign_a_corrida_to_a_real_table(people: People) -> None:
    """Other users get this error even if the request is also invalid in another way."""
    circuit = circuit_of(people)
    season = Season.objects.create(circuit=circuit, year=2027, seed=b"s" * 32, commitment=b"c" * 32)
    corrida, table = Corrida(season=season), TableCorrida(circuit=circuit)
    deeds: list[Callable[[Any], object]] = [
        lambda by: give_fixture(corrida=corrida, director=by, players=[], deadline=NOW, at=NOW),
        lambda by: take_fixture_back(table=table, director=by),
        lambda by: extend_deadline(table=table, director=by, deadline=NOW, at=NOW),
    ]
    for deed in deeds:
        refused = those(
            people,
            lambda one, do=deed: refuses(lambda: do(one), AtATable, "Only the director"),  # type: ignore[misc]
        )
        assert refused == EVERYBODY - {"owner", "root"}


@pytest.mark.parametrize("by", ["owner", "root"])
def test_the_site_s_own_circuit_cannot_be_offered_frozen_deleted_or_private(
    people: People, by: str
) -> None:
    circuit = circuit_of(people, SHIPPED, owner=people[by])
    for name in ("offer", "freeze", "thaw", "delete", "restore"):
        with pytest.raises(
            OperationError, match="This is the site’s own circuit and can’t be deleted"
        ):
            DEEDS[name](circuit, people[by])
    with pytest.raises(OperationError) as error:
        asked.change_circuit(
            circuit=circuit,
            settings=settings_of(circuit, public=False),
            by=people[by],  # type: ignore[arg-type]
        )
    assert error.value.field == "public"


@pytest.mark.parametrize(
    ("pace", "fits"), [(49, False), (50, True), (60_000, True), (60_001, False)]
)
def test_the_pace_of_a_circuit_must_be_within_its_limits(
    people: People, pace: int, fits: bool
) -> None:
    circuit, owner = circuit_of(people), people["owner"]
    assert isinstance(owner, User)
    wish = settings_of(circuit, pace_ms=pace)
    if fits:
        assert asked.change_circuit(circuit=circuit, settings=wish, by=owner).pace_ms == pace
        return
    with pytest.raises(OperationError) as error:
        asked.change_circuit(circuit=circuit, settings=wish, by=owner)
    assert error.value.field == "pace_ms"
