"""Founding circuits, and what may be asked of one: by whom, in what state, within which bounds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from pytest_django import Settings

from accounts.models import User
from corridas import operations, simulation
from corridas.models import Bull, Circuit, Corrida, Matador, Run, Season
from corridas.operations import OperationError
from corridas.operations import circuits as asked
from corridas.simulation.founding import shipped
from corridas.world.calendar import Entry
from fairness import Seed
from tests.corridas.rows.world import BRIEF, run_on

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 11, 2, 18, tzinfo=dt.UTC)
Roster = Circuit.Roster


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def stranger() -> User:
    return User.objects.create_user("stranger")


def founded(by: User, name: str = "Circuito del Barrio", **parts: Any) -> Circuit:
    given = {"year": 2027, "calendar": BRIEF, **parts}
    founding = asked.Founding(name=name, **given)
    return asked.found_circuit(founding=founding, by=by, at=NOW)


def fought(circuit: Circuit) -> None:
    """One afternoon of the circuit, played and posted."""
    run = operations.seasons.prepare_run(
        season=circuit.seasons.get(), goal=operations.Goal(corridas=1), at=NOW
    )
    assert run_on(run).state == Run.State.DONE


def test_a_user_founds_a_circuit_of_the_legends(ana: User) -> None:
    circuit = founded(ana, public=False, rules={"shuffle": "when_exhausted"})
    assert (circuit.slug, circuit.owner, circuit.public) == ("circuito-del-barrio", ana, False)
    assert circuit.founded_at == NOW
    assert circuit.matadors.count() == len(shipped().matadors)
    season = circuit.seasons.get()
    assert season.engine_rules().shuffle == "when_exhausted"
    assert season.corridas.count() == 2
    assert not circuit.matadors.filter(fictional=True).exists()


def test_the_same_name_gets_another_address(ana: User) -> None:
    names = ["Nuevo", "Nuevo", "Leyendas", "¡!", "x" * 60]
    slugs = [founded(ana, name, roster=Roster.IMPORTED).slug for name in names]
    assert slugs == ["nuevo-2", "nuevo-3", "leyendas-2", "circuito", "x" * 40]


def test_an_invented_roster_is_the_same_for_the_same_words(ana: User) -> None:
    one = founded(ana, roster=Roster.GENERATED, seed="  albero ")
    two = founded(ana, roster=Roster.GENERATED, seed="albero")
    other = founded(ana, roster=Roster.GENERATED, seed="barrera")
    names = [[*map(str, circuit.matadors.all())] for circuit in (one, two, other)]
    assert one.roster_seed == "albero"
    assert names[0] == names[1] != names[2]
    assert all(man.fictional and man.promise for man in one.matadors.all())
    assert {man.counted_from for man in one.matadors.all()} <= set(range(1980, 2010))


def test_an_imported_roster_is_awaited(ana: User) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    assert (circuit.seasons.count(), circuit.matadors.count(), circuit.herds.count()) == (0, 0, 0)
    assert circuit.plazas.count() == len(shipped().plazas)
    with pytest.raises(OperationError, match="Fill its roster first"):
        asked.plan_season(circuit=circuit, year=2027)


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"name": "   "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"rules": {"bull_points": "sideways"}}, "rules"),
        ({"rules": {"wind": "strong"}}, "rules"),
        ({"year": 99}, "year"),
        ({"calendar": []}, "calendar"),
        ({"calendar": [Entry("Feria", "las-ventas", "12-31", 4, "daily")]}, "calendar"),
        ({"roster": Roster.GENERATED, "seed": " "}, "seed"),
        ({"roster": Roster.GENERATED, "seed": "x" * 65}, "seed"),
    ],
)
def test_what_cannot_be_founded_is_refused_at_its_place(
    ana: User, parts: dict[str, Any], field: str
) -> None:
    with pytest.raises(OperationError) as refused:
        founded(ana, **parts)
    assert refused.value.field == field
    assert not Circuit.objects.exists()


# Who may ask --------------------------------------------------------------------------------


def settings_of(circuit: Circuit, **changes: Any) -> asked.Settings:
    names = ("name", "public", "pace_ms", "always_on_air", "evening", "zone", "tables_count")
    return asked.Settings(**{name: getattr(circuit, name) for name in names} | changes)


DEEDS: dict[str, Callable[[Circuit, User], object]] = {
    "change": lambda one, by: asked.change_circuit(circuit=one, settings=settings_of(one), by=by),
    "calendar": lambda one, by: asked.change_calendar(circuit=one, entries=BRIEF, by=by),
    "offer": lambda one, by: asked.offer_circuit(circuit=one, name="stranger", by=by),
    "withdraw": lambda one, by: asked.withdraw_offer(circuit=one, by=by),
    "accept": lambda one, by: asked.accept_circuit(circuit=one, by=by),
    "decline": lambda one, by: asked.decline_circuit(circuit=one, by=by),
    "freeze": lambda one, by: asked.freeze_circuit(circuit=one, by=by, at=NOW),
    "thaw": lambda one, by: asked.thaw_circuit(circuit=one, by=by),
    "delete": lambda one, by: asked.delete_circuit(circuit=one, by=by, at=NOW),
    "restore": lambda one, by: asked.restore_circuit(circuit=one, by=by, at=NOW),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_a_stranger_may_ask_nothing_of_a_circuit(ana: User, stranger: User, deed: str) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    before = Circuit.objects.values().get(pk=circuit.pk)
    with pytest.raises(PermissionDenied):
        DEEDS[deed](circuit, stranger)
    assert Circuit.objects.values().get(pk=circuit.pk) == before


@pytest.mark.parametrize("deed", ["offer", "freeze", "thaw", "delete", "restore"])
def test_the_circuit_of_the_site_stays_whoever_asks(deed: str) -> None:
    root = User.objects.create_superuser("root")
    User.objects.create_user("stranger")
    circuit = operations.found_leyendas(year=2027)
    with pytest.raises(OperationError, match="comes with the site"):
        DEEDS[deed](circuit, root)
    with pytest.raises(OperationError, match="open to everybody"):
        asked.change_circuit(circuit=circuit, settings=settings_of(circuit, public=False), by=root)


def test_a_superuser_may_all(ana: User) -> None:
    root = User.objects.create_superuser("root")
    circuit = founded(ana, roster=Roster.IMPORTED)
    for deed in ("change", "calendar", "freeze", "thaw", "delete"):
        DEEDS[deed](circuit, root)
    assert not Circuit.objects.exists()


# Settings -----------------------------------------------------------------------------------


def test_settings_are_changed(ana: User) -> None:
    circuit = founded(ana)
    evening = dt.time(19)
    given = settings_of(
        circuit, name=" Otro  nombre ", public=False, pace_ms=250, evening=evening, zone="UTC"
    )
    asked.change_circuit(circuit=circuit, settings=given, by=ana)
    circuit.refresh_from_db()
    assert (circuit.name, circuit.public, circuit.pace_ms) == ("Otro nombre", False, 250)
    assert (circuit.evening, circuit.zone, circuit.slug) == (evening, "UTC", "circuito-del-barrio")


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"name": ""}, "name"), ({"pace_ms": 1}, "pace_ms"), ({"zone": "Mars/Olympus"}, "zone")],
)
def test_settings_that_make_no_sense_are_refused(
    ana: User, changes: dict[str, Any], field: str
) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    with pytest.raises(OperationError) as refused:
        asked.change_circuit(circuit=circuit, settings=settings_of(circuit, **changes), by=ana)
    assert refused.value.field == field


def test_a_new_calendar_holds_from_the_next_season(ana: User) -> None:
    circuit = founded(ana)
    one = [Entry("Corrida única", "valencia", "05-01", 1, "daily")]
    asked.change_calendar(circuit=circuit, entries=one, by=ana)
    circuit.refresh_from_db()
    assert asked.plan_season(circuit=circuit, year=2028).corridas.count() == 1
    assert circuit.seasons.get(year=2027).corridas.count() == 2
    strange = [Entry("Corrida única", "atlantis", "05-01", 1, "daily")]
    with pytest.raises(OperationError, match="no plaza atlantis"):
        asked.change_calendar(circuit=circuit, entries=strange, by=ana)
    asked.change_calendar(circuit=circuit, entries=None, by=ana)
    circuit.refresh_from_db()
    assert circuit.calendar is None


# Handing on ---------------------------------------------------------------------------------


def test_a_circuit_is_offered_and_accepted(ana: User, stranger: User) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    asked.offer_circuit(circuit=circuit, name=" Stranger ", by=ana)
    asked.accept_circuit(circuit=circuit, by=stranger)
    circuit.refresh_from_db()
    assert (circuit.owner, circuit.offered_to) == (stranger, None)
    with pytest.raises(PermissionDenied):
        asked.freeze_circuit(circuit=circuit, by=ana, at=NOW)


def test_an_offer_is_declined_or_withdrawn(ana: User, stranger: User) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    asked.offer_circuit(circuit=circuit, name="stranger", by=ana)
    asked.decline_circuit(circuit=circuit, by=stranger)
    with pytest.raises(PermissionDenied):
        asked.accept_circuit(circuit=circuit, by=stranger)
    asked.offer_circuit(circuit=circuit, name="stranger", by=ana)
    asked.withdraw_offer(circuit=circuit, by=ana)
    with pytest.raises(PermissionDenied):
        asked.accept_circuit(circuit=circuit, by=stranger)
    with pytest.raises(OperationError, match="offered to nobody"):
        asked.withdraw_offer(circuit=circuit, by=ana)


@pytest.mark.parametrize("name", ["nobody", "", "ana"])
def test_an_offer_to_nobody_or_to_oneself_is_refused(ana: User, name: str) -> None:
    circuit = founded(ana, roster=Roster.IMPORTED)
    with pytest.raises(OperationError) as refused:
        asked.offer_circuit(circuit=circuit, name=name, by=ana)
    assert refused.value.field == "name"


# Rest and end -------------------------------------------------------------------------------


def test_nothing_is_played_in_a_frozen_circuit(ana: User) -> None:
    circuit = founded(ana)
    season = circuit.seasons.get()
    operations.seasons.prepare_run(season=season, goal=operations.Goal(), at=NOW)
    asked.freeze_circuit(circuit=circuit, by=ana, at=NOW)
    assert Run.objects.get().state == Run.State.STOPPED
    corrida = season.corridas.earliest("date")
    refusals: list[Callable[[], object]] = [
        lambda: operations.run_season(season=season, goal=operations.Goal(), at=NOW),
        lambda: operations.queue_corrida(corrida=corrida, pace_ms=1000, at=NOW),
        lambda: asked.plan_season(circuit=Circuit.objects.get(), year=2028),
        lambda: asked.freeze_circuit(circuit=circuit, by=ana, at=NOW),
    ]
    for refused in refusals:
        with pytest.raises(OperationError, match="frozen"):
            refused()
    asked.thaw_circuit(circuit=circuit, by=ana)
    operations.seasons.prepare_run(season=season, goal=operations.Goal(), at=NOW)


def test_what_was_never_played_goes_whole(ana: User) -> None:
    circuit = founded(ana)
    simulation.announce(circuit.seasons.get(), until=dt.date(2027, 12, 31), fresh=Seed.fresh)
    assert Bull.objects.exists()
    assert asked.delete_circuit(circuit=circuit, by=ana, at=NOW)
    left = (Circuit, Season, Corrida, Matador, Bull)
    assert not any(model.objects.exists() for model in left)


def test_what_has_a_history_is_archived_and_restored(ana: User) -> None:
    circuit = founded(ana)
    fought(circuit)
    assert not asked.delete_circuit(circuit=circuit, by=ana, at=NOW)
    assert Corrida.objects.filter(state__in=Corrida.OVER).exists()
    circuit.refresh_from_db()
    assert circuit.archived_at == NOW
    with pytest.raises(OperationError, match="archived already"):
        asked.delete_circuit(circuit=circuit, by=ana, at=NOW)
    late = NOW + dt.timedelta(days=30, seconds=1)
    with pytest.raises(OperationError, match="30 days are over"):
        asked.restore_circuit(circuit=circuit, by=ana, at=late)
    asked.restore_circuit(circuit=circuit, by=ana, at=NOW + dt.timedelta(days=30))
    assert Circuit.objects.get().archived_at is None


# Quotas -------------------------------------------------------------------------------------


def test_one_keeps_so_many_circuits(ana: User, stranger: User, settings: Settings) -> None:
    settings.CIRCUITS_A_USER = 1
    circuit = founded(ana, roster=Roster.IMPORTED)
    with pytest.raises(OperationError, match="directs 1 circuits at most"):
        founded(ana, roster=Roster.IMPORTED)
    founded(stranger, roster=Roster.IMPORTED)
    asked.offer_circuit(circuit=circuit, name="stranger", by=ana)
    with pytest.raises(OperationError, match="directs 1 circuits at most"):
        asked.accept_circuit(circuit=circuit, by=stranger)
    root = User.objects.create_superuser("root")
    founded(root, roster=Roster.IMPORTED)
    founded(root, roster=Roster.IMPORTED)


def test_a_circuit_keeps_so_many_seasons_and_matadors(ana: User, settings: Settings) -> None:
    settings.SEASONS_A_CIRCUIT, settings.MATADORS_A_CIRCUIT = 1, 52
    circuit = founded(ana)
    with pytest.raises(OperationError, match="1 seasons at most"):
        asked.plan_season(circuit=circuit, year=2028)
    asked.check_matadors(circuit, more=2)
    with pytest.raises(OperationError, match="2 more fit in"):
        asked.check_matadors(circuit, more=3)


def test_one_has_so_many_corridas_on_the_sand(ana: User, settings: Settings) -> None:
    settings.ON_THE_SAND_A_USER = 1
    first, second = founded(ana), founded(ana)
    Corrida.objects.filter(pk=first.seasons.get().corridas.earliest("date").pk).update(
        state=Corrida.State.QUEUED
    )
    corrida = second.seasons.get().corridas.earliest("date")
    with pytest.raises(OperationError, match="1 corridas on the sand at most"):
        operations.queue_corrida(corrida=corrida, pace_ms=1000, at=NOW)
