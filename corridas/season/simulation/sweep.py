"""Finds work whose message was lost, and puts the evening’s corrida on air."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q

from corridas.circuits import queries as circuits
from corridas.models import Circuit, Corrida, Run, Season
from corridas.season.simulation.draw import Fresh, bare
from corridas.season.simulation.run import NOBODY, prepare
from corridas.season.simulation.winter import NotOverError, winter_over

log = logging.getLogger(__name__)

PATIENCE = dt.timedelta(seconds=20)
"""A message not taken up for so long is thought lost; sending it twice does no harm."""


BATCH_SIZE = 100
"""Corridas looked after at once: behind a long queue there are thousands, and they are not lost."""


def lost_corridas(*, at: dt.datetime) -> list[int]:
    """Corridas queued a while ago that nobody has played, those who wait longest first."""
    queued = Corrida.objects.filter(
        season__circuit__in=Circuit.objects.awake(),
        state=Corrida.State.QUEUED,
        queued_at__lte=at - PATIENCE,
    )
    return list(queued.order_by("queued_at", "pk").values_list("pk", flat=True)[:BATCH_SIZE])


def lost_runs(*, at: dt.datetime) -> list[int]:
    """Runs that should be going on and have given no sign for a while."""
    active = Run.objects.filter(season__circuit__in=Circuit.objects.awake(), state__in=Run.ACTIVE)
    return [run.pk for run in active if (run.beat_at or run.asked_at) <= at - PATIENCE]


def next_for_the_sand(*, at: dt.datetime, fresh: Fresh) -> list[int]:
    """Queue the next corrida of every circuit that is always on air and has none there.

    A circuit in which that cannot be done is written to the log and does not hold up the others.
    """
    queued = []
    for circuit in Circuit.objects.awake().filter(always_on_air=True).select_related("deck"):
        try:
            queued.append(queue_next(circuit, at, fresh))
        except Exception:
            log.exception("Nothing of %s can be put on the sand", circuit)
    return [corrida for corrida in queued if corrida is not None]


@transaction.atomic
def queue_next(circuit: Circuit, at: dt.datetime, fresh: Fresh) -> int | None:
    """Queue the next corrida of a circuit, or play its winter where none is left this season.

    Returns the corrida; None where something is going on already, its director has as many on the
    sand as one may, or there is nothing to be played.
    """
    held = Circuit.objects.awake().select_for_update().filter(pk=circuit.pk)
    if not held or _busy(circuit) or not circuits.sand_left(circuit):
        return None
    season = _under_way(circuit)
    if season is None:
        return None
    waiting = Corrida.objects.of_season(season).filter(state=Corrida.State.ANNOUNCED)
    corrida = waiting.select_related("season__circuit__deck").first()
    if corrida is None:
        _open_next_season(season, at, fresh)
        return None
    prepare(corrida.season, corrida.date, fresh, at=at)
    if bare(corrida.season, corrida.date).update(state=Corrida.State.FAILED, error=NOBODY):
        return None
    queued = Corrida.objects.filter(
        pk=corrida.pk, state=Corrida.State.ANNOUNCED, cartel__isnull=False
    ).update(state=Corrida.State.QUEUED, queued_at=at, pace_ms=circuit.pace_ms)
    return corrida.pk if queued else None


def _busy(circuit: Circuit) -> bool:
    """Whether something is on the sand, about to be, or the whole season is being run on."""
    live = (Corrida.State.QUEUED, Corrida.State.ON_AIR)
    on_the_sand = Corrida.objects.filter(season__circuit=circuit, state__in=live)
    runs = Run.objects.filter(season__circuit=circuit, state__in=Run.ACTIVE)
    return on_the_sand.exists() or runs.exists()


def _under_way(circuit: Circuit) -> Season | None:
    """The first season whose winter has not been; None where there is none."""
    return circuit.seasons.filter(winter__done_at=None).order_by("year").first()


def _open_next_season(season: Season, at: dt.datetime, fresh: Fresh) -> None:
    """After the last corrida of a year comes the winter; the first of the next with the sweep.

    What broke down is left as it is: nobody may be there to mend it. A corrida given to a table
    is waited for; its deadline ends the wait.
    """
    if not circuits.seasons_left(season.circuit):
        return
    try:
        winter_over(season, at=at, fresh=fresh, leave_failed=True)
    except NotOverError as waits:
        log.info("%s", waits)


GRACE: Final = dt.timedelta(minutes=15)
"""So long after its hour an evening can still begin; one that was missed is not made up for."""


def evenings_due(*, at: dt.datetime, fresh: Fresh) -> list[int]:
    """Queue the next corrida of every circuit whose evening has come, once a day.

    Returns the corridas. A circuit in which that cannot be done is written to the log and does
    not hold up the others.
    """
    queued = []
    for circuit in Circuit.objects.awake().filter(evening__isnull=False).select_related("deck"):
        try:
            queued.append(_evening(circuit, at, fresh))
        except Exception:
            log.exception("No evening in %s", circuit)
    return [corrida for corrida in queued if corrida is not None]


def _evening(circuit: Circuit, at: dt.datetime, fresh: Fresh) -> int | None:
    day = evening_of(circuit, at)
    if day is None or not _claim(circuit, day):
        return None
    return queue_next(circuit, at, fresh) or queue_next(circuit, at, fresh)


def evening_of(circuit: Circuit, at: dt.datetime) -> dt.date | None:
    """The day whose evening is now, in the zone of the circuit; None where it is not evening."""
    assert circuit.evening is not None
    zone = ZoneInfo(circuit.zone)
    today = at.astimezone(zone).date()
    for day in (today, today - dt.timedelta(days=1)):
        hour = dt.datetime.combine(day, circuit.evening, zone)
        if dt.timedelta() <= at - hour.astimezone(dt.UTC) < GRACE:
            return day
    return None


def _claim(circuit: Circuit, day: dt.date) -> bool:
    """Take the evening, if nobody has."""
    earlier = Q(last_evening=None) | Q(last_evening__lt=day)
    return bool(Circuit.objects.filter(earlier, pk=circuit.pk).update(last_evening=day))
