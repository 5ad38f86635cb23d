"""Operations of a circuit's director at their limits, which never affect other circuits."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from accounts.models import User
from corridas.circuit_queries import free_slug
from corridas.circuits import operations as asked
from corridas.circuits.operations import check_year, clean_name
from corridas.errors import OperationError
from corridas.models import Circuit, Corrida, Lidia, Matador, Run, Season
from corridas.world.calendar import CalendarEntry
from tests.corridas.pages.conftest import World
from tests.corridas.simulation.arena import NOW, day_of, fight, in_year

S = Corrida.State
TICK = dt.timedelta(microseconds=1)


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def own(other: World, ana: User) -> World:
    """Return a circuit directed by Ana, next to the site's own circuit."""
    other.circuit.owner = ana
    other.circuit.save()
    return other


def row(circuit: Circuit) -> Circuit:
    return Circuit.objects.get(pk=circuit.pk)


# Names, years and slugs


@pytest.mark.parametrize(
    ("year", "good"), [(1899, False), (1900, True), (2500, True), (2501, False)]
)
def test_season_year_must_be_from_1900_to_2500(year: int, good: bool) -> None:
    if good:
        check_year(year)
    else:
        with pytest.raises(OperationError) as refused:
            check_year(year)
        assert refused.value.field == "year"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" a  b ", "a b"),
        ("x" * 60, "x" * 60),
        ("x" * 61, None),
        (" \t ", None),
        ("", None),
        ("\u200b\u202e", None),
        ("\u202eFeria\u202c de a\u0301nimas", "Feria de ánimas"),
        ("a\u0301" * 60, "á" * 60),
    ],
)
def test_circuit_name_has_one_to_sixty_letters(text: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(OperationError):
            clean_name(text)
    else:
        assert clean_name(text) == name


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Sierra", "sierra"),
        ("Otra", "otra-2"),
        ("Leyendas", "leyendas-2"),
        ("Nuevo", "nuevo-2"),
        ("Traer", "traer-2"),
        ("¡!", "circuito"),
        ("y" * 60, "y" * 40),
        ("x" * 60, "x" * 34 + "-2"),
    ],
)
def test_circuit_slug_differs_from_existing_slugs(
    both: tuple[World, World], name: str, slug: str
) -> None:
    Circuit.objects.create(slug="x" * 40, name="X", deck=both[0].deck)
    assert free_slug(name) == slug


# Settings of a circuit


def settings_of(circuit: Circuit, **changes: Any) -> asked.Settings:
    names = ("name", "public", "pace_ms", "always_on_air", "evening", "zone", "tables_count")
    return asked.Settings(**{name: getattr(circuit, name) for name in names} | changes)


@pytest.mark.parametrize(
    ("pace_ms", "good"), [(49, False), (50, True), (60_000, True), (60_001, False)]
)
def test_pace_of_a_circuit_outside_its_limits_is_rejected(
    own: World, mine: World, ana: User, pace_ms: int, good: bool
) -> None:
    given = settings_of(own.circuit, pace_ms=pace_ms)
    if good:
        asked.change_circuit(circuit=own.circuit, settings=given, by=ana)
    else:
        with pytest.raises(OperationError):
            asked.change_circuit(circuit=own.circuit, settings=given, by=ana)
    assert row(own.circuit).pace_ms == (pace_ms if good else 3000)
    assert row(mine.circuit).pace_ms == 3000


def test_settings_change_their_own_circuit_only(own: World, mine: World, ana: User) -> None:
    given = asked.Settings(
        name="Nueva", public=False, pace_ms=700, always_on_air=True, evening=dt.time(19),
        zone="Asia/Tokyo", tables_count=True,
    )  # fmt: skip
    before = Circuit.objects.values().get(pk=mine.circuit.pk)
    asked.change_circuit(circuit=own.circuit, settings=given, by=ana)
    assert settings_of(row(own.circuit)) == given
    assert Circuit.objects.values().get(pk=mine.circuit.pk) == before


@pytest.mark.parametrize(("plaza", "good"), [("ronda", True), ("nada", False)])
def test_calendar_rejects_plazas_of_other_circuits(
    own: World, mine: World, ana: User, plaza: str, good: bool
) -> None:
    mine.circuit.plazas.filter(slug="arles").update(slug="nada")
    entry = CalendarEntry("F", plaza, "05-01", 1, "daily")
    if good:
        asked.change_calendar(circuit=own.circuit, entries=[entry], by=ana)
        assert row(own.circuit).calendar == [entry._asdict()]
    else:
        with pytest.raises(OperationError, match="no plaza nada"):
            asked.change_calendar(circuit=own.circuit, entries=[entry], by=ana)
    assert row(mine.circuit).calendar is None


# Seasons of a circuit


def turn(number: int, state: str) -> Callable[[World], object]:
    """Change the first `number` matadors."""

    def spoil(world: World) -> None:
        keys = [matador.pk for matador in world.matadors[:number]]
        Matador.objects.filter(pk__in=keys).update(state=state)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "planned"),
    [
        (lambda world: world.matadors[0].cards.all().delete(), True),
        (lambda world: [man.cards.all().delete() for man in world.matadors[:2]], False),
        (turn(1, "retired"), True),
        (turn(2, "novillero"), False),
        (lambda world: world.circuit.herds.update(archived_at=NOW), False),
    ],
)
def test_season_needs_three_matadors_with_a_card_and_a_herd(
    own: World, mine: World, spoil: Callable[[World], object], planned: bool
) -> None:
    own.circuit.calendar = [["F", "ronda", "05-01", 1, "daily"]]
    spoil(own)
    if planned:
        own.matadors[1].cards.create(printing=2, rating=50, ovacion="1-100")
        assert asked.plan_season(circuit=own.circuit, year=2028).year == 2028
    else:
        with pytest.raises(OperationError, match="Complete its roster"):
            asked.plan_season(circuit=own.circuit, year=2028)
    assert Season.objects.filter(circuit=mine.circuit).count() == 1


def test_year_is_planned_once_and_needs_a_calendar(own: World, mine: World) -> None:
    in_year(mine, 2028)
    own.circuit.calendar = [["F", "ronda", "05-01", 1, "daily"]]
    asked.plan_season(circuit=own.circuit, year=2028)
    with pytest.raises(OperationError, match="already has a season in 2028"):
        asked.plan_season(circuit=own.circuit, year=2028)
    own.circuit.calendar = [["F", "nada", "05-01", 1, "daily"]]
    own.circuit.save()
    with pytest.raises(OperationError, match="has no plazas in its calendar"):
        asked.plan_season(circuit=own.circuit, year=2029)


# Freezing, deleting and restoring


def test_freezing_a_circuit_stops_its_own_runs_only(own: World, mine: World, ana: User) -> None:
    runs = [
        Run.objects.create(season=world.season, until=NOW.date(), asked_at=NOW)
        for world in (own, mine)
    ]
    with pytest.raises(OperationError, match="not frozen"):
        asked.thaw_circuit(circuit=own.circuit, by=ana)
    asked.freeze_circuit(circuit=own.circuit, by=ana, at=NOW)
    assert (row(own.circuit).frozen_at, row(mine.circuit).frozen_at) == (NOW, None)
    for run in runs:
        run.refresh_from_db()
    assert [run.state for run in runs] == [Run.State.STOPPED, Run.State.QUEUED]
    with pytest.raises(OperationError, match="is already frozen"):
        asked.freeze_circuit(circuit=own.circuit, by=ana, at=NOW)
    asked.thaw_circuit(circuit=own.circuit, by=ana)
    assert row(own.circuit).frozen_at is None


def test_circuit_without_results_is_deleted_alone(own: World, mine: World, ana: User) -> None:
    fight(mine, mine.announce(day_of(mine, 2)))
    own.announce(day_of(own, 2))
    assert asked.delete_circuit(circuit=own.circuit, by=ana, at=NOW) is True
    assert list(Circuit.objects.all()) == [mine.circuit]
    assert (Matador.objects.count(), Corrida.objects.count(), Lidia.objects.count()) == (4, 1, 6)


def test_circuit_with_results_is_archived_and_its_offer_withdrawn(
    own: World, mine: World, ana: User
) -> None:
    fight(own, own.announce(day_of(own, 2)))
    bea = User.objects.create_user("bea")
    asked.offer_circuit(circuit=own.circuit, name="BEA", by=ana)
    assert asked.delete_circuit(circuit=own.circuit, by=ana, at=NOW) is False
    told = row(own.circuit)
    assert (told.archived_at, told.offered_to, told.owner) == (NOW, None, ana)
    assert row(mine.circuit).archived_at is None
    with pytest.raises(OperationError, match="Restore it first"):
        asked.offer_circuit(circuit=own.circuit, name="bea", by=ana)
    Circuit.objects.filter(pk=own.circuit.pk).update(offered_to=bea)
    for ask in (asked.accept_circuit, asked.decline_circuit):
        with pytest.raises(PermissionDenied):
            ask(circuit=own.circuit, by=bea)


@pytest.mark.parametrize(
    ("after", "root", "restored"),
    [
        (dt.timedelta(30), False, True),
        (dt.timedelta(30) + TICK, False, False),
        (dt.timedelta(30) + TICK, True, True),
    ],
)
def test_archived_circuit_can_be_restored_within_thirty_days(
    own: World, ana: User, after: dt.timedelta, root: bool, restored: bool
) -> None:
    by = User.objects.create_superuser("root") if root else ana
    with pytest.raises(OperationError, match="not archived"):
        asked.restore_circuit(circuit=own.circuit, by=by, at=NOW)
    Circuit.objects.filter(pk=own.circuit.pk).update(archived_at=NOW)
    if restored:
        asked.restore_circuit(circuit=own.circuit, by=by, at=NOW + after)
    else:
        with pytest.raises(
            OperationError,
            match=r"You can no longer restore this circuit, because it was archived more than 30 "
            r"days ago\. Ask an administrator to restore it.",
        ):
            asked.restore_circuit(circuit=own.circuit, by=by, at=NOW + after)
    assert row(own.circuit).archived_at == (None if restored else NOW)


@pytest.mark.parametrize(("bound", "restored"), [(1, False), (2, True)])
def test_restored_circuit_counts_towards_the_directors_limit(
    own: World, mine: World, ana: User, settings: Any, bound: int, restored: bool
) -> None:
    settings.MAX_CIRCUITS_PER_USER = bound
    Circuit.objects.create(slug="tercera", name="Tercera", deck=own.deck, owner=ana)
    Circuit.objects.filter(pk=own.circuit.pk).update(archived_at=NOW)
    if restored:
        asked.restore_circuit(circuit=own.circuit, by=ana, at=NOW)
    else:
        with pytest.raises(OperationError, match="at most 1 circuits"):
            asked.restore_circuit(circuit=own.circuit, by=ana, at=NOW)


# Offering a circuit to another user


def test_offer_concerns_its_own_circuit_only(own: World, mine: World, ana: User) -> None:
    bea = User.objects.create_user("bea")
    third = Circuit.objects.create(slug="tercera", name="Tercera", deck=own.deck, owner=ana)
    assert asked.offer_circuit(circuit=own.circuit, name=" Bea ", by=ana) == bea
    with pytest.raises(OperationError, match="This circuit is not being offered to anybody"):
        asked.withdraw_offer(circuit=third, by=ana)
    with pytest.raises(PermissionDenied):
        asked.accept_circuit(circuit=third, by=bea)
    asked.accept_circuit(circuit=own.circuit, by=bea)
    assert (row(own.circuit).owner, row(third).owner) == (bea, ana)
    assert row(own.circuit).offered_to is None


def test_circuit_cannot_be_offered_to_an_inactive_user(own: World, ana: User) -> None:
    User.objects.create_user("bea", is_active=False)
    with pytest.raises(OperationError, match="No user is called “"):
        asked.offer_circuit(circuit=own.circuit, name="bea", by=ana)
    assert row(own.circuit).offered_to is None


@pytest.mark.parametrize("end", [asked.withdraw_offer, asked.decline_circuit])
def test_offer_declined_or_withdrawn_leaves_the_circuit_unchanged(
    own: World, ana: User, end: Callable[..., None]
) -> None:
    bea = User.objects.create_user("bea")
    asked.offer_circuit(circuit=own.circuit, name="bea", by=ana)
    end(circuit=own.circuit, by=ana if end is asked.withdraw_offer else bea)
    assert (row(own.circuit).owner, row(own.circuit).offered_to) == (ana, None)
