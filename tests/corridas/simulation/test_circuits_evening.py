"""Circuits that broadcast one corrida a day at a fixed hour, and frozen circuits without
broadcasts.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from corridas import notifications
from corridas.models import Circuit, Corrida, Ganaderia, Run, Season, Winter
from corridas.season.operations import Goal, prepare_run
from corridas.simulation.run import halt
from corridas.simulation.schedule import plan
from corridas.simulation.sweep import (
    evening_of,
    evenings_due,
    lost_corridas,
    lost_runs,
    next_for_the_sand,
)
from corridas.world.calendar import CalendarEntry
from fairness import Seed
from tests.corridas.simulation.world import found
from tests.scratch import seeds

pytestmark = pytest.mark.django_db

MADRID = "Europe/Madrid"
FERIA = (CalendarEntry("Feria de la Prueba", "las-ventas", "03-01", 3, "daily"),)
# Seven in the evening in Madrid, in winter time.
SEVEN = dt.datetime(2026, 3, 1, 18, tzinfo=dt.UTC)


def circuit_with(**parts: Any) -> Circuit:
    season = found("tarde", FERIA)
    evening = {"evening": dt.time(19), "zone": MADRID} | parts
    Circuit.objects.filter(pk=season.circuit_id).update(**evening)
    return Circuit.objects.get(pk=season.circuit_id)


def due(at: dt.datetime) -> list[int]:
    return evenings_due(at=at, fresh=seeds(f"evening/{at}"), on_winter=notifications.winter_over)


def free_the_sand() -> None:
    Corrida.objects.filter(state=Corrida.State.QUEUED).update(state=Corrida.State.POSTED)


@pytest.mark.slow
def test_one_corrida_is_broadcast_at_the_hour_of_the_circuit() -> None:
    circuit_with(pace_ms=250)
    assert due(SEVEN - dt.timedelta(seconds=1)) == []
    (first,) = due(SEVEN)
    corrida = Corrida.objects.get(pk=first)
    assert (corrida.state, corrida.pace_ms) == (Corrida.State.QUEUED, 250)
    free_the_sand()
    assert due(SEVEN + dt.timedelta(minutes=1)) == []
    (second,) = due(SEVEN + dt.timedelta(days=1, minutes=14))
    assert second != first


def test_missed_daily_broadcast_is_not_made_up_for() -> None:
    circuit_with()
    assert due(SEVEN + dt.timedelta(minutes=15)) == []
    assert due(SEVEN + dt.timedelta(hours=4)) == []
    assert Circuit.objects.get().last_evening is None


def test_daily_broadcast_is_skipped_while_another_corrida_is_queued() -> None:
    circuit = circuit_with()
    Corrida.objects.filter(pk=Corrida.objects.earliest("date").pk).update(state="queued")
    assert due(SEVEN) == []
    free_the_sand()
    assert due(SEVEN + dt.timedelta(minutes=5)) == []
    circuit.refresh_from_db()
    assert circuit.last_evening == dt.date(2026, 3, 1)


@pytest.mark.parametrize("rest", ["frozen_at", "archived_at"])
def test_frozen_or_archived_circuit_broadcasts_and_plays_nothing(rest: str) -> None:
    circuit = circuit_with(always_on_air=True)
    season = circuit.seasons.get()
    prepare_run(season=season, goal=Goal(), at=SEVEN)
    first, second, *_others = season.corridas.order_by("date")
    Corrida.objects.filter(pk=first.pk).update(state="queued", queued_at=SEVEN)
    Circuit.objects.update(**{rest: SEVEN})
    late = SEVEN + dt.timedelta(minutes=2)
    assert due(late) == []
    assert (
        next_for_the_sand(at=late, fresh=seeds("late"), on_winter=notifications.winter_over) == []
    )
    assert lost_corridas(at=late) == []
    assert lost_runs(at=late) == []
    Circuit.objects.update(**{rest: None})
    assert lost_corridas(at=late) == [first.pk]
    assert lost_runs(at=late) == [Run.objects.get().pk]
    assert second.state == Corrida.State.ANNOUNCED


@pytest.mark.slow
def test_freezing_a_circuit_cancels_queued_corridas_but_not_broadcasts() -> None:
    circuit = circuit_with()
    first, second, third = circuit.seasons.get().corridas.order_by("date")
    Corrida.objects.filter(pk=first.pk).update(state="on_air", on_air_at=SEVEN)
    Corrida.objects.filter(pk=second.pk).update(state="queued", queued_at=SEVEN, pace_ms=50)
    halt(circuit, at=SEVEN)
    states = {one.pk: one.state for one in Corrida.objects.all()}
    assert states == {first.pk: "on_air", second.pk: "announced", third.pk: "announced"}


def test_daily_broadcast_respects_the_directors_limit_of_broadcasts(settings: Any) -> None:
    settings.MAX_LIVE_CORRIDAS_PER_USER = 1
    circuit = circuit_with(owner=User.objects.create_user("ana"))
    other = found("otra", FERIA)
    Circuit.objects.filter(pk=other.circuit_id).update(owner=circuit.owner)
    other.corridas.filter(pk=other.corridas.earliest("date").pk).update(state="queued")
    assert due(SEVEN) == []


@pytest.mark.parametrize(
    ("zone", "hour", "at", "day"),
    [
        (MADRID, "19:00", "2026-07-01 17:00", "2026-07-01"),
        (MADRID, "19:00", "2026-07-01 18:00", None),
        ("America/Mexico_City", "19:00", "2026-03-02 01:05", "2026-03-01"),
        ("Asia/Tokyo", "00:05", "2026-02-28 15:10", "2026-03-01"),
        # The broadcast is due two minutes before midnight, and is started a minute after midnight.
        ("UTC", "23:58", "2026-03-02 00:01", "2026-03-01"),
        # Changes of the clock: an hour that is skipped in spring, and an hour that occurs twice in
        # autumn.
        (MADRID, "02:30", "2026-03-29 01:30", "2026-03-29"),
        (MADRID, "02:30", "2026-10-25 00:30", "2026-10-25"),
        (MADRID, "02:30", "2026-10-25 01:30", None),
    ],
)
def test_date_of_a_daily_broadcast_depends_on_the_circuits_time_zone(
    zone: str, hour: str, at: str, day: str | None
) -> None:
    circuit = Circuit(zone=zone, evening=dt.time.fromisoformat(hour))
    now = dt.datetime.fromisoformat(at).replace(tzinfo=dt.UTC)
    assert evening_of(circuit, now) == (dt.date.fromisoformat(day) if day else None)


def test_daily_broadcast_after_the_last_corrida_begins_the_next_season() -> None:
    circuit = circuit_with()
    Corrida.objects.all().delete()
    (corrida,) = due(SEVEN)
    assert Corrida.objects.get(pk=corrida).season.year == circuit.seasons.earliest("year").year + 1


def test_circuit_with_an_unknown_time_zone_does_not_delay_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    circuit_with()
    other = found("otra", FERIA)
    Circuit.objects.filter(pk=other.circuit_id).update(evening=dt.time(19), zone="Mars/Olympus")
    assert len(due(SEVEN)) == 1
    assert "No evening in Otra" in caplog.text


def test_queued_corridas_whose_message_was_lost_are_found_in_their_order() -> None:
    """Those that wait for the same time come in the order of their keys."""
    circuit = circuit_with()
    first, second, third = circuit.seasons.get().corridas.order_by("pk")
    moment = dt.timedelta(microseconds=1)
    for corrida, earlier in ((first, 0), (second, 1), (third, 1)):
        queued = SEVEN - earlier * moment
        Corrida.objects.filter(pk=corrida.pk).update(state="queued", queued_at=queued)
    wait = dt.timedelta(seconds=2)
    assert lost_corridas(at=SEVEN + wait - moment) == [second.pk, third.pk]
    assert lost_corridas(at=SEVEN + wait) == [second.pk, third.pk, first.pk]


def test_run_whose_message_was_lost_is_found_after_20_seconds() -> None:
    circuit = circuit_with()
    run = prepare_run(season=circuit.seasons.get(), goal=Goal(), at=SEVEN)
    moment, wait = dt.timedelta(microseconds=1), dt.timedelta(seconds=20)
    assert lost_runs(at=SEVEN + wait - moment) == []
    assert lost_runs(at=SEVEN + wait) == [run.pk]


def test_earliest_unfinished_season_is_broadcast_at_the_pace_of_its_circuit() -> None:
    """A circuit that is always on air may have a daily corrida too. A run comes first."""
    circuit = circuit_with(pace_ms=250, always_on_air=True)
    season = circuit.seasons.get()
    plan(circuit, season.year + 1, FERIA, seed=Seed(bytes(32)))
    run = prepare_run(season=season, goal=Goal(), at=SEVEN)
    assert due(SEVEN) == []
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE)
    Circuit.objects.update(last_evening=None)
    (key,) = due(SEVEN)
    corrida = Corrida.objects.get(pk=key)
    assert (corrida.season, corrida.pace_ms) == (season, 250)
    assert corrida.date == season.corridas.earliest("date").date


def test_last_season_allowed_ends_without_a_winter(settings: Any) -> None:
    settings.SEASONS_A_CIRCUIT = 1
    circuit = circuit_with(owner=User.objects.create_user("ana"))
    Corrida.objects.all().delete()
    assert due(SEVEN) == []
    assert circuit.seasons.count() == 1


def test_failed_corrida_does_not_delay_the_next_season() -> None:
    """The director may be absent for a long time."""
    circuit = circuit_with()
    Corrida.objects.update(state="failed")
    assert len(due(SEVEN)) == 1
    assert circuit.seasons.count() == 2


def test_next_corrida_of_a_circuit_that_cannot_go_on_shows_the_reason() -> None:
    """The next corrida is the earliest of an unfinished season, whatever its key."""
    circuit = circuit_with(always_on_air=True, evening=None)
    season = circuit.seasons.get()
    day = season.corridas.earliest("date").date - dt.timedelta(days=1)
    plaza = season.corridas.earliest("date").plaza
    early = Corrida.objects.create(season=season, plaza=plaza, date=day)
    over = Season.objects.create(circuit=circuit, year=season.year - 1, seed=bytes(32))
    done = SEVEN - dt.timedelta(days=2)
    Winter.objects.create(season=over, seed=bytes(32), commitment=bytes(32), done_at=done)
    Corrida.objects.create(season=over, plaza=plaza, date=day.replace(year=over.year))
    Ganaderia.objects.all().delete()
    assert next_for_the_sand(at=SEVEN, fresh=seeds("x"), on_winter=notifications.winter_over) == []
    assert not Circuit.objects.get().always_on_air
    (failed,) = Corrida.objects.filter(state="failed")
    assert failed == early
    assert failed.error
