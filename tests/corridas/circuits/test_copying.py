"""A copy of a circuit contains everything that is posted and nothing of what is still to come."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import models
from pytest_django import Settings

from accounts.models import User
from corridas.circuits.copy_job import make_copy
from corridas.circuits.copying import cancel_copy, check_budget, request_copy
from corridas.circuits.staging import PARTS, stage
from corridas.errors import OperationError
from corridas.models import (
    Bull,
    Cartel,
    Circuit,
    CircuitCopy,
    Corrida,
    Deck,
    Lidia,
    Plaza,
    Puesto,
    Run,
    Season,
    Winter,
)
from corridas.season.operations import Goal, open_next_season, prepare_run
from corridas.simulation import verify
from corridas.simulation.draw import announce, ceremonies
from corridas.simulation.play import play_on_air
from corridas.simulation.schedule import promise_winter, promised_winter
from fairness import Seed, commitment
from tests.corridas.circuits.barrio import NOW, fought, founded
from tests.corridas.simulation.world import run_on

pytestmark = pytest.mark.django_db

# Models that are not copied, because their rows belong to users or to the site's work.
LEFT_BEHIND = {
    *("Follow", "Bundle", "Change", "TableCorrida", "Circuit", "CircuitCopy"),
    *("Promoter", "Concession"),
}


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def beto() -> User:
    return User.objects.create_user("beto")


@pytest.fixture
def barrio(ana: User) -> Circuit:
    """Return a circuit of two corridas a year, of which one is posted and one is announced."""
    circuit = founded(ana)
    fought(circuit)
    season = circuit.seasons.get()
    announce(season, until=dt.date(season.year, 12, 31), fresh=Seed.fresh, at=NOW)
    return circuit


def copied(circuit: Circuit, by: User) -> Circuit:
    copy = request_copy(circuit=circuit, by=by, at=NOW)
    assert make_copy(copy.pk, clock=lambda: NOW, fresh=Seed.fresh)
    copy.refresh_from_db()
    assert copy.circuit is not None
    return copy.circuit


# Columns that a copy does not take over. A copy is private, has another owner, slug and history,
# and does not start corridas automatically until its director wants it.
OWN_COLUMNS = {
    *("id", "slug", "name", "name_key", "search_text", "owner", "offered_to", "public"),
    *("always_on_air", "evening", "last_evening", "frozen_at", "archived_at"),
    *("founded_at", "promised_as", "incomplete"),
}


def counts(circuit: Circuit) -> dict[str, int]:
    return {
        model.__name__: model._default_manager.filter(only, **{path: circuit}).count()
        for model, (path, only) in PARTS.items()
    }


def test_every_model_related_to_a_circuit_is_either_copied_or_excluded_on_purpose() -> None:
    known = {model.__name__ for model in PARTS} | LEFT_BEHIND
    pending: list[type[models.Model]] = [Circuit]
    reached: set[str] = set()
    while pending:
        for relation in pending.pop()._meta.related_objects:
            model = relation.related_model
            if model._meta.app_label == "corridas" and model.__name__ not in reached:
                reached.add(model.__name__)
                pending.append(model)
    assert reached - known - {"Watched", "BundlePart"} == set()


@pytest.mark.slow
def test_a_copy_has_the_rows_of_the_original(barrio: Circuit, beto: User) -> None:
    before = counts(barrio)
    copy = copied(barrio, beto)
    assert counts(copy) == before == counts(barrio)
    assert before["Lidia"] == 6
    assert before["Cartel"] == 2
    assert (copy.owner, copy.public, copy.founded_at) == (beto, False, NOW)
    assert copy.name == "Copy of Circuito del Barrio"


def test_a_copy_has_every_setting_of_the_original(barrio: Circuit, ana: User, beto: User) -> None:
    """Every setting of the original differs from its default."""
    settings: dict[str, Any] = {
        "rules": {"injuries": "rulebook"},
        "deck": Deck.objects.create(name="Another", digest="d" * 64, cards=barrio.deck.cards),
        "pace_ms": 1234,
        "roster": Circuit.Roster.GENERATED,
        "roster_seed": "barrio",
        "calendar": [],
        "zone": "America/Mexico_City",
        "tables_count": True,
        "cards_version": 2,
    }
    usual = Circuit(deck=barrio.deck)
    assert not [name for name, value in settings.items() if getattr(usual, name) == value]
    columns = {field.name for field in Circuit._meta.concrete_fields}
    assert columns == settings.keys() | OWN_COLUMNS
    Circuit.objects.filter(pk=barrio.pk).update(
        **settings, always_on_air=True, evening=dt.time(20), offered_to=ana, public=True
    )
    copy = copied(barrio, beto)
    assert {name: getattr(copy, name) for name in settings} == settings
    assert (copy.always_on_air, copy.public) == (False, False)
    assert (copy.evening, copy.offered_to) == (None, None)


@pytest.mark.parametrize(("promised_as", "expected"), [("", "empty"), ("former", "former")])
def test_a_copy_keeps_the_name_in_the_commitments_of_the_original(
    ana: User, beto: User, promised_as: str, expected: str
) -> None:
    deck = Deck.objects.create(name="Blank", digest="d" * 64, cards="")
    source = Circuit.objects.create(
        slug="empty", name="Empty", deck=deck, owner=ana, public=True, promised_as=promised_as
    )
    copy = copied(source, beto)
    assert copy.slug != source.slug
    assert copy.promised_as == expected


@pytest.mark.parametrize(
    ("stored", "allowed"), [((), 10), ((10,), 0), ((9,), 1), ((4, 5), 1), ((11,), 0)]
)
def test_copies_may_use_exactly_the_maximum_number_of_rows(
    ana: User, beto: User, settings: Settings, stored: tuple[int, ...], allowed: int
) -> None:
    """`allowed` is the number of rows that the next copy may have."""
    settings.COPIED_ROWS_A_USER = 10
    deck = Deck.objects.create(name="Blank", digest="d" * 64, cards="")
    copies = [(beto, rows) for rows in stored]
    for number, (user, rows) in enumerate([*copies, (ana, 100)]):
        copy = Circuit.objects.create(slug=f"copy-{number}", name="Copy", deck=deck, owner=user)
        CircuitCopy.objects.create(circuit=copy, asked_by=user, total=rows, asked_at=NOW)
    if allowed:
        check_budget(beto, allowed)
        check_budget(beto)
    with pytest.raises(OperationError, match="at most 10 rows in total"):
        check_budget(beto, allowed + 1)


@pytest.mark.parametrize("count", [0, 1, 3, 4, 6, 7])
def test_copied_rows_are_divided_into_batches_without_gaps(ana: User, count: int) -> None:
    """The rows of another circuit lie between them."""
    deck = Deck.objects.create(name="Blank", digest="d" * 64, cards="")
    one, other = (
        Circuit.objects.create(slug=slug, name=slug, deck=deck, owner=ana)
        for slug in ("one", "other")
    )
    for number in range(count):
        for circuit in (one, other):
            Plaza.objects.create(
                circuit=circuit,
                slug=f"plaza-{number}",
                category=1,
                continent=Plaza.Continent.EUROPE,
            )
    keys = list(Plaza.objects.filter(circuit=one).order_by("pk").values_list("pk", flat=True))
    with stage(one) as staged:
        ranges = list(staged.key_ranges(Plaza, 3))
    batches = [[key for key in keys if after < key <= until] for after, until in ranges]
    assert batches == [keys[start : start + 3] for start in range(0, count, 3)]


@pytest.mark.slow
@pytest.mark.parametrize("active", Run.ACTIVE)
def test_only_runs_that_have_ended_are_copied(barrio: Circuit, beto: User, active: str) -> None:
    """A run that is still active in the original is not continued in the copy."""
    season, ended = barrio.seasons.get(), set(Run.State) - set(Run.ACTIVE)
    begun, posted = Run.objects.get(season=season), Corrida.objects.over().get(season=season)
    for state in ended - {begun.state}:
        Run.objects.create(
            season=season, until=posted.date, state=state, asked_at=NOW, ended_at=NOW
        )
    under_way = Run.objects.create(season=season, until=posted.date, state=active, asked_at=NOW)
    Corrida.objects.filter(pk=posted.pk).update(run=under_way)
    copy = copied(barrio, beto)
    runs = Run.objects.filter(season__circuit=copy)
    assert set(runs.values_list("state", flat=True)) == ended
    assert runs.get(state=begun.state).last == Corrida.objects.over().get(season__circuit=copy)
    assert Corrida.objects.over().get(season__circuit=copy).run is None
    assert prepare_run(season=copy.seasons.get(), goal=Goal(), at=NOW).state == Run.State.QUEUED


@pytest.mark.slow
def test_no_row_of_a_copy_refers_to_the_original(barrio: Circuit, beto: User) -> None:
    copy = copied(barrio, beto)
    for puesto in Puesto.objects.filter(cartel__corrida__season__circuit=copy):
        assert puesto.matador.circuit_id == puesto.card.matador.circuit_id == copy.pk
    for lidia in Lidia.objects.filter(corrida__season__circuit=copy).select_related("bull"):
        assert lidia.starter.circuit_id == lidia.bull.ganaderia.circuit_id == copy.pk
        assert lidia.bull.cartel_id == lidia.corrida_id
    for corrida in Corrida.objects.filter(season__circuit=copy):
        assert corrida.plaza.circuit_id == copy.pk
        assert corrida.run is None or corrida.run.season.circuit_id == copy.pk
        assert corrida.feria is None or corrida.feria.season.circuit_id == copy.pk


@pytest.mark.slow
def test_posted_corridas_of_a_copy_can_be_replayed_and_verified(
    barrio: Circuit, beto: User
) -> None:
    copy = copied(barrio, beto)
    (posted,) = Corrida.objects.over().filter(season__circuit=copy)
    assert verify.check(posted) == ()


@pytest.mark.slow
def test_a_copy_gets_new_seeds_for_everything_to_come(barrio: Circuit, beto: User) -> None:
    copy = copied(barrio, beto)
    original, other = (
        Cartel.objects.get(corrida__season__circuit=circuit, corrida__state="announced")
        for circuit in (barrio, copy)
    )
    assert bytes(original.seed) != bytes(other.seed)
    assert bytes(original.commitment) != bytes(other.commitment)
    seasons = [circuit.seasons.get() for circuit in (barrio, copy)]
    assert bytes(seasons[0].seed) != bytes(seasons[1].seed)
    winters = [Winter.objects.get(season=season) for season in seasons]
    assert bytes(winters[0].seed) != bytes(winters[1].seed)


@pytest.mark.slow
@pytest.mark.parametrize("version", [1, 2])
def test_the_coming_winter_of_a_copy_keeps_its_version_and_commits_to_it(
    barrio: Circuit, beto: User, version: int
) -> None:
    Winter.objects.filter(season__circuit=barrio).update(version=version)
    copy = copied(barrio, beto)
    winter = Winter.objects.select_related("season__circuit").get(season__circuit=copy)
    assert winter.version == version
    bound = promised_winter(copy.promised_name, winter.season.year, version)
    assert bytes(winter.commitment) == commitment(bytes(winter.seed), bound)


@pytest.mark.slow
def test_alternativas_of_a_copy_are_taken_by_its_own_matadors(barrio: Circuit, beto: User) -> None:
    season = barrio.seasons.get()
    announced = Corrida.objects.select_related("plaza").get(season=season, state="announced")
    men = [puesto.matador for puesto in announced.cartel.puestos.select_related("matador")]
    named = [{"slug": man.slug, "name": man.name} for man in men]
    news = {"kind": "alternativa", **named[2], "padrino": named[0], "testigo": named[1]}
    news |= {"plaza": announced.plaza.slug, "date": announced.date.isoformat()}
    before = Season.objects.create(circuit=barrio, year=season.year - 1, seed=b"s" * 32)
    promise_winter(before, Seed.fresh())
    Winter.objects.filter(season=before).update(news=[news], done_at=NOW)
    copy = copied(barrio, beto)
    (held,) = ceremonies(copy.seasons.get(year=season.year))
    assert Corrida.objects.get(pk=held.corrida).season.circuit == copy
    appearing = Puesto.objects.filter(cartel=held.corrida, matador__circuit=copy)
    assert set(appearing.values_list("matador", flat=True)) == set(held.men)


@pytest.mark.slow
def test_a_corrida_on_air_is_announced_again_in_the_copy(barrio: Circuit, beto: User) -> None:
    airing = Corrida.objects.get(season__circuit=barrio, state="announced")
    airing.state, airing.queued_at = Corrida.State.QUEUED, NOW
    airing.pace_ms = 1000
    airing.save()
    play_on_air(airing.pk, at=NOW)
    assert Lidia.objects.filter(corrida=airing).exists()
    copy = copied(barrio, beto)
    again = Corrida.objects.get(season__circuit=copy, date=airing.date)
    assert (again.state, again.on_air_at, again.ends_at) == ("announced", None, None)
    assert not again.lidias.exists()
    airing.refresh_from_db()
    assert airing.state == Corrida.State.ON_AIR


def test_a_corrida_in_any_state_is_over_in_the_copy_or_announced_again(
    barrio: Circuit, beto: User
) -> None:
    """The corrida may have failed, been queued or been played at a table in the original."""
    season = barrio.seasons.get()
    played = Corrida.objects.over().get(season=season)
    columns: dict[str, Any] = {"queued_at": NOW, "on_air_at": NOW, "ends_at": NOW, "attempts": 2}
    columns |= {"error": "The deck is wrong.", "origin": Corrida.Origin.TABLE}
    Corrida.objects.bulk_create(
        Corrida(
            season=season, plaza=played.plaza, date=dt.date(2029, 1, day), state=state, **columns
        )
        for day, state in enumerate(Corrida.State, start=1)
    )
    copy = copied(barrio, beto)
    again = Corrida.objects.filter(season__circuit=copy, date__year=2029).order_by("date")
    usual = Corrida()
    for state, corrida in zip(Corrida.State, again, strict=True):
        over = state in Corrida.OVER
        assert corrida.state == (state if over else Corrida.State.ANNOUNCED)
        kept = {name: value if over else getattr(usual, name) for name, value in columns.items()}
        assert {name: getattr(corrida, name) for name in columns} == kept


@pytest.mark.slow
def test_the_name_of_a_copy_is_cut_to_the_maximum_length(barrio: Circuit, beto: User) -> None:
    """The commitments of a copy of a renamed copy still name the first original."""
    names = []
    for name in ("x" * 60, "y" * 60):
        barrio.name = name
        barrio.save()
        barrio = copied(barrio, beto)
        barrio.full_clean(exclude=["slug", "offered_to"])
        names.append(barrio.name)
        assert barrio.promised_name == "circuito-del-barrio"
    assert [name[:9] for name in names] == ["Copy of x", "Copy of y"]
    assert [len(name) for name in names] == [60, 60]


@pytest.mark.slow
def test_a_copy_can_be_played_to_its_end_and_through_its_winter(
    barrio: Circuit, beto: User
) -> None:
    copy = copied(barrio, beto)
    season = copy.seasons.get()
    run = run_on(prepare_run(season=season, goal=Goal(), at=NOW))
    assert (run.state, run.last is not None) == ("done", True)
    following = open_next_season(circuit=copy, at=NOW)
    assert following.year == season.year + 1
    assert barrio.seasons.count() == 1
    again = copied(copy, beto)
    lasts = Run.objects.order_by("pk").values_list("last__date", "last__season__circuit")
    before = lasts.filter(season__circuit=copy)
    assert list(lasts.filter(season__circuit=again)) == [(day, again.pk) for day, _ in before]
    news = Winter.objects.get(season__circuit=again, season__year=season.year).news
    bulls = {item["bull"] for item in news if "bull" in item}
    assert Bull.objects.filter(pk__in=bulls, ganaderia__circuit=again).count() == len(bulls)


def test_a_user_who_may_have_no_more_circuits_cannot_make_a_copy(
    barrio: Circuit, beto: User, settings: Settings
) -> None:
    settings.MAX_CIRCUITS_PER_USER = 1
    copied(barrio, beto)
    with pytest.raises(OperationError, match="at most 1"):
        copied(barrio, beto)
    assert Season.objects.count() == 2


def test_unfinished_copies_count_towards_the_maximum_number_of_circuits(
    ana: User, beto: User, settings: Settings
) -> None:
    settings.MAX_CIRCUITS_PER_USER = 2
    deck = Deck.objects.create(name="Blank", digest="d" * 64, cards="")
    source = Circuit.objects.create(slug="one", name="One", deck=deck, owner=ana, public=True)
    first, _second = (request_copy(circuit=source, by=beto, at=NOW) for _ in range(2))
    with pytest.raises(OperationError, match="at most 2"):
        request_copy(circuit=source, by=beto, at=NOW)
    assert cancel_copy(copy=first, by=beto, at=NOW)
    assert request_copy(circuit=source, by=beto, at=NOW).active
