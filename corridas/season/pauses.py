"""When the next season begins: what the winter waits for, and how directors end the wait."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from corridas import circuit_queries
from corridas.circuits.operations import check_awake
from corridas.errors import OperationError
from corridas.models import Circuit, Season, Winter
from corridas.simulation.pause_queries import (
    pause_before_carteles,
    pause_before_winter,
    season_end,
)
from corridas.world.pauses import Pause, before_winter


class WaitsFor(StrEnum):
    """What the winter after a finished season waits for.

    START: the director must start it. RESTS: the circuit is frozen or archived. FULL: the circuit
    has its maximum number of seasons. EVENING: the next daily corrida. DIRECTOR: the director must
    open the page about the end of the season, or a time must be reached. CLOCK: a time must be
    reached. NOW: nothing.
    """

    START = "start"
    RESTS = "rests"
    FULL = "full"
    EVENING = "evening"
    DIRECTOR = "director"
    CLOCK = "clock"
    NOW = "now"


@dataclass(frozen=True, kw_only=True)
class NextWinter:
    """When the winter after a season is played.

    `until` is the time for DIRECTOR and CLOCK. `hour` is the time of day for EVENING, in the
    circuit's time zone.
    """

    waits_for: WaitsFor
    until: dt.datetime | None = None
    hour: dt.time | None = None
    zone: str = ""


def next_winter(season: Season, at: dt.datetime) -> NextWinter:
    """Return when the winter after a season with nothing left to play will be played."""
    circuit = season.circuit
    if circuit.frozen_at or circuit.archived_at:
        return NextWinter(waits_for=WaitsFor.RESTS)
    if not circuit_queries.seasons_left(circuit):
        return NextWinter(waits_for=WaitsFor.FULL)
    if not circuit.always_on_air and circuit.evening is None:
        return NextWinter(waits_for=WaitsFor.START)
    pause = pause_before_winter(season)
    if pause is not None and not pause.is_over(at):
        waits_for = WaitsFor.DIRECTOR if pause.for_director else WaitsFor.CLOCK
        return NextWinter(waits_for=waits_for, until=pause.until)
    if not circuit.always_on_air:
        return NextWinter(waits_for=WaitsFor.EVENING, hour=circuit.evening, zone=circuit.zone)
    return NextWinter(waits_for=WaitsFor.NOW)


def calendar_pause(season: Season, at: dt.datetime) -> Pause | None:
    """Return the pause before the first contracts of a season, or None if there is none."""
    circuit = season.circuit
    if not circuit.always_on_air or circuit.frozen_at or circuit.archived_at:
        return None
    pause = pause_before_carteles(season)
    return None if pause is None or pause.is_over(at) else pause


def note_end_seen(*, season: Season, by: int | None, at: dt.datetime) -> bool:
    """Store that the director whose run ended a season has opened the page about its end.

    `by` is the primary key of the user who opened it. Returns whether the circuit waited for that.
    """
    end = season_end(season)
    if end is None or end.director is None or end.director != by:
        return False
    if not before_winter(end).for_director:
        return False
    return bool(Winter.objects.filter(season=season, done_at=None).update(end_seen_at=at))


@transaction.atomic
def begin_season(*, season: Season, at: dt.datetime) -> None:
    """Start a season after its director has seen the calendar, so that matadors may be contracted.

    Does nothing if the season has begun. Raises `OperationError` if the circuit is frozen, or if
    there is no winter before the season.
    """
    check_awake(Circuit.objects.select_for_update().get(pk=season.circuit_id))
    winter = Winter.objects.filter(
        season__circuit=season.circuit_id, season__year=season.year - 1, done_at__isnull=False
    )
    if not winter.exists():
        raise OperationError(_("%s does not wait for anything.") % season)
    winter.filter(begun_at=None).update(begun_at=at)
