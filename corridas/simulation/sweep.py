"""Periodic tasks: finds jobs whose message was lost, and starts scheduled broadcasts."""

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
from corridas.simulation.draw import SeedFactory, without_cartel
from corridas.simulation.pause_queries import may_begin_winter, may_contract
from corridas.simulation.run import NOBODY, prepare
from corridas.simulation.winter import NotOverError, OnWinter, winter_over

log = logging.getLogger(__name__)

# Time after which the message of a queued corrida may be lost. Sending a message twice does no
# harm.
PATIENCE = dt.timedelta(seconds=2)


# Maximum number of corridas handled by one call, so that it takes only seconds even if a long queue
# was lost.
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


def next_for_the_sand(*, at: dt.datetime, fresh: SeedFactory, on_winter: OnWinter) -> list[int]:
    """Queue the next corrida of every circuit with continuous broadcasts that has none.

    If a circuit fails, the error is logged and the others continue. After a lasting error the
    circuit's continuous broadcasts are switched off, because every later call would fail too.
    """
    queued = []
    for circuit in Circuit.objects.awake().filter(always_on_air=True).select_related("deck"):
        try:
            queued.append(queue_next(circuit, at, fresh, on_winter, pauses=True))
        except LASTING as error:
            log.exception("%s is no longer always on air", circuit)
            _take_off_air(circuit, sentence_of(error))
        except Exception:
            log.exception("No corrida of %s can be put on air", circuit)
    return [corrida for corrida in queued if corrida is not None]


@transaction.atomic
def _take_off_air(circuit: Circuit, sentence: str) -> None:
    """Switch off a circuit's continuous broadcasts.

    The next corrida is marked as failed with this message, so that the director sees the reason.
    """
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
    fresh: SeedFactory,
    on_winter: OnWinter,
    *,
    pauses: bool,
) -> int | None:
    """Queue the next corrida of a circuit, or play its winter if the season has none left.

    The circuit waits before the winter, so that the champion can be seen. With `pauses` it also
    waits before the first contracts of a season. Returns the key of the queued corrida. Returns
    None if something is in progress, the director's quota of broadcasts is used up, the circuit
    waits, or nothing is left to play.
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


def _open_next_season(
    season: Season, at: dt.datetime, fresh: SeedFactory, on_winter: OnWinter
) -> None:
    """Play the winter after a season. The new season begins with the next call of this task.

    Failed corridas are left out, because the director may be absent. A corrida assigned to a real
    table delays the winter until its deadline.
    """
    if not circuits.seasons_left(season.circuit) or not may_begin_winter(season, at):
        return
    try:
        winter_over(season, at=at, fresh=fresh, on_winter=on_winter, leave_failed=True)
    except NotOverError as waits:
        log.info("%s", waits)


# A scheduled corrida may start this much later than its time. If that is missed too, there is no
# broadcast on that day.
GRACE: Final = dt.timedelta(minutes=15)


def evenings_due(*, at: dt.datetime, fresh: SeedFactory, on_winter: OnWinter) -> list[int]:
    """Queue the next corrida of every circuit whose daily time has come. Return their keys.

    If a circuit fails, the error is logged and the others continue.
    """
    queued = []
    for circuit in Circuit.objects.awake().filter(evening__isnull=False).select_related("deck"):
        try:
            queued.append(_evening(circuit, at, fresh, on_winter))
        except Exception:
            log.exception("No evening in %s", circuit)
    return [corrida for corrida in queued if corrida is not None]


def _evening(
    circuit: Circuit, at: dt.datetime, fresh: SeedFactory, on_winter: OnWinter
) -> int | None:
    day = evening_of(circuit, at)
    if day is None or not _claim(circuit, day):
        return None
    # The first attempt may have played the winter; the second queues a corrida of the new season.
    # It does not wait for the director, because otherwise the circuit would be idle for a day.
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
