"""A corrida every evening: at its hour, in its time zone, the next one goes on the sand."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Q

from corridas.models import Circuit
from corridas.simulation.contracting import Fresh
from corridas.simulation.waiting import queue_next

log = logging.getLogger(__name__)

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
