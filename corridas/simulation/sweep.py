"""Finds work whose message was lost, and puts the evening’s corrida on air."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q

from corridas import circuit_queries as circuits
from corridas.models import Circuit, Corrida, Run, Season
from corridas.simulation.breakdowns import LASTING, sentence_of
from corridas.simulation.draw import Fresh, without_cartel
from corridas.simulation.pause_queries import may_begin_winter, may_contract
from corridas.simulation.run import NOBODY, prepare
from corridas.simulation.winter import NotOverError, OnWinter, winter_over

log = logging.getLogger(__name__)

# A corrida that waits for this long may have lost its message. Sending that twice does no harm.
PATIENCE = dt.timedelta(seconds=2)


# Corridas handled at once: some seconds of work, for a long queue that was lost as a whole
BATCH_SIZE = 200


def lost_corridas(*, at: dt.datetime) -> list[int]:
    queued = Corrida.objects.filter(
        season__circuit__in=Circuit.objects.awake(),
        state=Corrida.State.QUEUED,
        queued_at__lte=at - PATIENCE,
    )
    return list(queued.order_by("queued_at", "pk").values_list("pk", flat=True)[:BATCH_SIZE])


def lost_runs(*, at: dt.datetime) -> list[int]:
    runs = Run.objects.filter(season__circuit__in=Circuit.objects.awake())
    return runs.filter(asked_at__lte=at - Run.LOST_AFTER).sweep(at=at)


def next_for_the_sand(*, at: dt.datetime, fresh: Fresh, on_winter: OnWinter) -> list[int]:
    """Queue the next corrida of every circuit that is always on air and has none.

    A circuit in which that fails is logged and does not block the others. After a lasting error it
    is no longer always on air, because every sweep would fail again.
    """
    queued = []
    for circuit in Circuit.objects.awake().filter(always_on_air=True).select_related("deck"):
        try:
            queued.append(queue_next(circuit, at, fresh, on_winter, pauses=True))
        except LASTING as error:
            log.exception("%s is no longer always on air", circuit)
            _take_off_air(circuit, sentence_of(error))
        except Exception:
            log.exception("Nothing of %s can be put on the sand", circuit)
    return [corrida for corrida in queued if corrida is not None]


@transaction.atomic
def _take_off_air(circuit: Circuit, sentence: str) -> None:
    """Stop playing a circuit, and mark its next corrida as failed so that the director sees why."""
    Circuit.objects.filter(pk=circuit.pk).update(always_on_air=False)
    waiting = Corrida.objects.filter(
        season__circuit=circuit, season__winter__done_at=None, state=Corrida.State.ANNOUNCED
    )
    first = waiting.order_by("date", "pk").first()
    if first is not None:
        Corrida.objects.filter(pk=first.pk).update(state=Corrida.State.FAILED, error=sentence)


@transaction.atomic
def queue_next(
    circuit: Circuit,
    at: dt.datetime,
    fresh: Fresh,
    on_winter: OnWinter,
    *,
    pauses: bool,
) -> int | None:
    """Queue the next corrida of a circuit, or play its winter if none is left this season.

    Before the winter the circuit waits until somebody may have seen the champion. With `pauses` it
    also waits before the first carteles of a season. Returns the corrida, or None if something is
    in progress, the director has the maximum number of corridas on air, the circuit waits, or
    nothing is left to play.
    """
    held = Circuit.objects.awake().select_for_update().filter(pk=circuit.pk)
    if not held or _busy(circuit) or not circuits.sand_left(circuit):
        return None
    season = circuit.seasons.filter(winter__done_at=None).order_by("year").first()
    if season is None:
        return None
    waiting = Corrida.objects.of_season(season).filter(state=Corrida.State.ANNOUNCED)
    corrida = waiting.select_related("season__circuit__deck").first()
    if corrida is None:
        _open_next_season(season, at, fresh, on_winter)
        return None
    if pauses and not may_contract(season, at):
        return None
    prepare(corrida.season, corrida.date, fresh, at=at)
    if without_cartel(corrida.season, corrida.date).update(
        state=Corrida.State.FAILED, error=NOBODY
    ):
        return None
    queued = Corrida.objects.filter(
        pk=corrida.pk, state=Corrida.State.ANNOUNCED, cartel__isnull=False
    ).update(state=Corrida.State.QUEUED, queued_at=at, pace_ms=circuit.pace_ms)
    return corrida.pk if queued else None


def _busy(circuit: Circuit) -> bool:
    live = (Corrida.State.QUEUED, Corrida.State.ON_AIR)
    on_the_sand = Corrida.objects.filter(season__circuit=circuit, state__in=live)
    runs = Run.objects.filter(season__circuit=circuit, state__in=Run.ACTIVE)
    return on_the_sand.exists() or runs.exists()


def _open_next_season(season: Season, at: dt.datetime, fresh: Fresh, on_winter: OnWinter) -> None:
    """Play the winter after the last corrida of a year. The next sweep begins the new season.

    Failed corridas are left out, because nobody may be there to repair them. A corrida given to a
    table is waited for until its deadline.
    """
    if not circuits.seasons_left(season.circuit) or not may_begin_winter(season, at):
        return
    try:
        winter_over(season, at=at, fresh=fresh, on_winter=on_winter, leave_failed=True)
    except NotOverError as waits:
        log.info("%s", waits)


# An evening can begin this long after its hour. A missed one is not made up for.
GRACE: Final = dt.timedelta(minutes=15)


def evenings_due(*, at: dt.datetime, fresh: Fresh, on_winter: OnWinter) -> list[int]:
    """Queue the next corrida of every circuit whose evening has come, once a day.

    Returns the corridas. A circuit in which that fails is logged and does not block the others.
    """
    queued = []
    for circuit in Circuit.objects.awake().filter(evening__isnull=False).select_related("deck"):
        try:
            queued.append(_evening(circuit, at, fresh, on_winter))
        except Exception:
            log.exception("No evening in %s", circuit)
    return [corrida for corrida in queued if corrida is not None]


def _evening(circuit: Circuit, at: dt.datetime, fresh: Fresh, on_winter: OnWinter) -> int | None:
    day = evening_of(circuit, at)
    if day is None or not _claim(circuit, day):
        return None
    # The first call may have played the winter; the second queues a corrida of the new season. It
    # does not wait for its director, because the next evening is a day away.
    for _attempt in range(2):
        if corrida := queue_next(circuit, at, fresh, on_winter, pauses=False):
            return corrida
    return None


def evening_of(circuit: Circuit, at: dt.datetime) -> dt.date | None:
    assert circuit.evening is not None
    zone = ZoneInfo(circuit.zone)
    today = at.astimezone(zone).date()
    for day in (today, today - dt.timedelta(days=1)):
        hour = dt.datetime.combine(day, circuit.evening, zone)
        if dt.timedelta() <= at - hour.astimezone(dt.UTC) < GRACE:
            return day
    return None


def _claim(circuit: Circuit, day: dt.date) -> bool:
    earlier = Q(last_evening=None) | Q(last_evening__lt=day)
    return bool(Circuit.objects.filter(earlier, pk=circuit.pk).update(last_evening=day))
