"""Which queued corridas and runs the periodic tasks continue, and when a row counts as failed."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from corridas import notifications
from corridas.models import Circuit, Corrida, Matador, Run, Winter
from corridas.simulation.play import note_failure, play_on_air
from corridas.simulation.run import NOBODY, halt, note_breakdown
from corridas.simulation.schedule import promise_winter
from corridas.simulation.sweep import PATIENCE, lost_corridas, lost_runs, next_for_the_sand
from fairness import Seed
from tests.corridas.pages.conftest import World
from tests.corridas.simulation.arena import NOW, day_of, fight, in_year
from tests.scratch import seeds

S = Corrida.State
TICK = dt.timedelta(microseconds=1)
FRESH = seeds("waiting")


def queued(world: World, day: int, ago: dt.timedelta, state: str = S.QUEUED) -> Corrida:
    corrida = world.announce(day_of(world, day))
    Corrida.objects.filter(pk=corrida.pk).update(state=state, queued_at=NOW - ago)
    return corrida


def create_run(world: World, state: str = Run.State.QUEUED, **parts: Any) -> Run:
    return Run.objects.create(
        season=world.season, until=day_of(world, 31, 12), state=state, asked_at=NOW, **parts
    )


# Lost messages


def test_corrida_queued_for_too_long_is_considered_lost(mine: World, other: World) -> None:
    queued(mine, 2, PATIENCE - TICK)
    second = queued(mine, 3, PATIENCE)
    first = queued(other, 4, PATIENCE + TICK)
    assert lost_corridas(at=NOW) == [first.pk, second.pk]


@pytest.mark.parametrize("state", [one for one in S.values if one != S.QUEUED])
def test_only_queued_corridas_can_be_lost(mine: World, state: str) -> None:
    queued(mine, 2, PATIENCE, state)
    assert lost_corridas(at=NOW) == []


def test_number_of_lost_corridas_in_one_batch_is_limited(
    mine: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corridas.simulation.sweep.BATCH_SIZE", 2)
    keys = [queued(mine, day, PATIENCE).pk for day in (2, 3, 4)]
    assert lost_corridas(at=NOW) == keys[:2]


@pytest.mark.parametrize(
    ("state", "asked", "beat", "lost"),
    [
        (Run.State.QUEUED, Run.LOST_AFTER, None, True),
        (Run.State.QUEUED, Run.LOST_AFTER - TICK, None, False),
        (Run.State.RUNNING, Run.LOST_AFTER * 9, Run.LOST_AFTER, True),
        (Run.State.RUNNING, Run.LOST_AFTER * 9, Run.LOST_AFTER - TICK, False),
        (Run.State.DONE, Run.LOST_AFTER, None, False),
        (Run.State.STOPPED, Run.LOST_AFTER, None, False),
        (Run.State.FAILED, Run.LOST_AFTER, None, False),
    ],
)
def test_run_without_a_recent_heartbeat_is_considered_lost(
    mine: World, state: str, asked: dt.timedelta, beat: dt.timedelta | None, lost: bool
) -> None:
    run = create_run(mine, state)
    run.asked_at, run.beat_at = NOW - asked, NOW - beat if beat else None
    run.save()
    assert lost_runs(at=NOW) == ([run.pk] if lost else [])


@pytest.mark.parametrize("rest", ["frozen_at", "archived_at"])
def test_corridas_and_runs_of_frozen_circuits_are_not_lost(
    mine: World, other: World, rest: str
) -> None:
    Circuit.objects.filter(pk=mine.circuit.pk).update(**{rest: NOW})
    queued(mine, 2, PATIENCE)
    create_run(mine)
    corrida, run = queued(other, 2, PATIENCE), create_run(other)
    assert lost_corridas(at=NOW) == [corrida.pk]
    assert lost_runs(at=NOW + Run.LOST_AFTER) == [run.pk]


# The next corrida on air


def always(*worlds: World) -> None:
    for world in worlds:
        world.circuit.always_on_air = True
        world.circuit.pace_ms = 250
        world.circuit.save()
        Winter.objects.get_or_create(
            season=world.season, defaults={"seed": b"s" * 32, "commitment": b"c" * 32}
        )


def next_one() -> list[int]:
    return next_for_the_sand(at=NOW, fresh=FRESH, on_winter=notifications.winter_over)


def test_next_corrida_by_date_of_the_first_season_is_queued(mine: World, other: World) -> None:
    always(mine)
    later = in_year(mine, 2028)
    promise_winter(later.season, Seed(bytes(32)))
    later.announce(dt.date(2028, 3, 1))
    mine.announce(day_of(mine, 9))
    first = mine.announce(day_of(mine, 3))
    other.announce(day_of(other, 1))
    assert next_one() == [first.pk]
    first.refresh_from_db()
    assert (first.state, first.queued_at, first.pace_ms) == (S.QUEUED, NOW, 250)
    assert Corrida.objects.filter(state=S.QUEUED).count() == 1
    assert next_one() == []


@pytest.mark.parametrize(
    ("state", "queues"),
    [
        (S.QUEUED, False),
        (S.ON_AIR, False),
        (S.AT_TABLE, True),
        (S.FAILED, True),
        (S.POSTED, True),
        (S.SUSPENDED, True),
    ],
)
def test_nothing_is_queued_while_a_corrida_of_the_circuit_is_on_air(
    mine: World, other: World, state: str, queues: bool
) -> None:
    always(mine)
    busy = mine.announce(day_of(mine, 2))
    Corrida.objects.filter(pk=busy.pk).update(state=state)
    waits = mine.announce(day_of(mine, 3), first=1)
    elsewhere = other.announce(day_of(other, 3))
    Corrida.objects.filter(pk=elsewhere.pk).update(state=S.QUEUED)
    assert next_one() == ([waits.pk] if queues else [])


@pytest.mark.parametrize(
    ("state", "queues"), [(one, one not in Run.ACTIVE) for one in Run.State.values]
)
def test_nothing_is_queued_while_a_run_plays_a_season(
    mine: World, other: World, state: str, queues: bool
) -> None:
    always(mine)
    waits = mine.announce(day_of(mine, 3))
    create_run(mine, state)
    create_run(other)
    assert next_one() == ([waits.pk] if queues else [])


def test_corrida_without_available_matadors_fails(mine: World) -> None:
    always(mine)
    bare = mine.announce(day_of(mine, 3))
    bare.cartel.delete()
    Matador.objects.filter(circuit=mine.circuit).update(state="retired")
    other_day = mine.announce(day_of(mine, 4))
    assert next_one() == []
    bare.refresh_from_db()
    assert (bare.state, bare.error) == (S.FAILED, NOBODY)
    assert "Add matadors to the roster" in NOBODY, "what to do"
    assert Corrida.objects.get(pk=other_day.pk).state == S.ANNOUNCED


@pytest.mark.parametrize(("bound", "queues"), [(0, False), (1, False), (2, True)])
def test_directors_limit_on_air_counts_all_circuits_together(
    mine: World, other: World, settings: Any, bound: int, queues: bool
) -> None:
    settings.MAX_LIVE_CORRIDAS_PER_USER = bound
    always(mine)
    ana, bea = User.objects.create_user("ana"), User.objects.create_user("bea")
    Circuit.objects.update(owner=ana)
    busy = fight(other, other.announce(day_of(other, 3)))
    assert busy.state == S.ON_AIR
    waits = mine.announce(day_of(mine, 3))
    assert next_one() == ([waits.pk] if queues else [])
    Corrida.objects.filter(pk=waits.pk).update(state=S.ANNOUNCED)
    Circuit.objects.filter(pk=other.circuit.pk).update(owner=bea)
    assert next_one() == ([waits.pk] if bound else [])


@pytest.mark.parametrize("owned", [False, True])
def test_circuits_of_the_site_and_of_superusers_have_no_limit(
    mine: World, other: World, settings: Any, owned: bool
) -> None:
    settings.MAX_LIVE_CORRIDAS_PER_USER = 0
    always(mine)
    if owned:
        Circuit.objects.update(owner=User.objects.create_superuser("root"))
    waits = mine.announce(day_of(mine, 3))
    assert next_one() == [waits.pk]


def test_circuit_with_all_allowed_seasons_gets_no_further_one(mine: World, settings: Any) -> None:
    settings.SEASONS_A_CIRCUIT = 1
    always(mine)
    Circuit.objects.update(owner=User.objects.create_user("ana"))
    assert next_one() == []
    assert mine.circuit.seasons.count() == 1
    assert Winter.objects.get(season=mine.season).done_at is None


# Failed attempts


@pytest.mark.parametrize(
    ("state", "before", "after", "again"),
    [
        (S.QUEUED, 0, S.QUEUED, True),
        (S.QUEUED, 1, S.QUEUED, True),
        (S.QUEUED, 2, S.FAILED, False),
        (S.ANNOUNCED, 2, S.ANNOUNCED, False),
        (S.ON_AIR, 2, S.ON_AIR, False),
        (S.POSTED, 0, S.POSTED, False),
    ],
)
def test_corrida_fails_at_the_third_attempt(
    mine: World, state: str, before: int, after: str, again: bool
) -> None:
    corrida, bystander = mine.announce(day_of(mine, 2)), mine.announce(day_of(mine, 3))
    Corrida.objects.filter(pk=corrida.pk).update(state=state, attempts=before)
    assert note_failure(corrida.pk, "OSError: gone") is again
    corrida.refresh_from_db()
    assert (corrida.state, corrida.attempts) == (after, before + 1)
    assert corrida.error == "OSError: gone"
    bystander.refresh_from_db()
    assert (bystander.attempts, bystander.error) == (0, "")


@pytest.mark.parametrize(
    ("state", "before", "after"),
    [
        (Run.State.QUEUED, 1, Run.State.QUEUED),
        (Run.State.QUEUED, 2, Run.State.FAILED),
        (Run.State.RUNNING, 1, Run.State.RUNNING),
        (Run.State.RUNNING, 2, Run.State.FAILED),
        (Run.State.STOPPED, 2, Run.State.STOPPED),
        (Run.State.DONE, 2, Run.State.DONE),
    ],
)
def test_run_fails_at_the_third_breakdown(mine: World, state: str, before: int, after: str) -> None:
    run = create_run(mine, state, attempts=before)
    note_breakdown(run.pk, "OSError: gone", at=NOW, on_failure=notifications.run_broken)
    run.refresh_from_db()
    assert (run.state, run.attempts, run.reason) == (after, before + 1, "OSError: gone")
    assert run.beat_at == NOW
    assert run.ended_at == (NOW if after == Run.State.FAILED else None)


def test_queued_corrida_is_played_once_and_counts_the_attempt(mine: World) -> None:
    corrida = mine.air_in_earnest(mine.announce(day_of(mine, 2)), 10)
    assert (corrida.state, corrida.attempts) == (S.ON_AIR, 1)
    assert not play_on_air(corrida.pk, at=NOW)
    assert corrida.lidias.count() == 6


@pytest.mark.parametrize("state", [one for one in S.values if one != S.QUEUED])
def test_only_queued_corridas_are_played(mine: World, state: str) -> None:
    corrida = mine.announce(day_of(mine, 2))
    Corrida.objects.filter(pk=corrida.pk).update(state=state)
    assert not play_on_air(corrida.pk, at=NOW)
    corrida.refresh_from_db()
    assert (corrida.state, corrida.attempts, corrida.on_air_at) == (state, 0, None)


# Stopping a circuit


def test_halting_a_circuit_does_not_affect_others(mine: World, other: World) -> None:
    corridas = [queued(mine, 2, PATIENCE), queued(other, 2, PATIENCE)]
    airs = fight(mine, mine.announce(day_of(mine, 3)))
    later = in_year(mine, 2028)
    runs = [create_run(mine), create_run(later, Run.State.RUNNING), create_run(other)]
    halt(mine.circuit, at=NOW)
    for row in (*corridas, airs, *runs):
        row.refresh_from_db()
    assert [one.state for one in corridas] == [S.ANNOUNCED, S.QUEUED]
    assert (corridas[0].pace_ms, corridas[0].queued_at) == (None, None)
    assert airs.state == S.ON_AIR
    assert [(run.state, run.stop_requested, run.reason, run.ended_at) for run in runs] == [
        (Run.State.STOPPED, True, "asked", NOW),
        (Run.State.RUNNING, True, "", None),
        (Run.State.QUEUED, False, "", None),
    ]
