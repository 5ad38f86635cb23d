"""What waits for a worker: found by a sweep where a message was lost."""

from __future__ import annotations

import datetime as dt
import logging

from django.db import transaction

from corridas.circuits import queries as circuits
from corridas.models import Circuit, Corrida, Run, Season
from corridas.simulation.contracting import Fresh, bare
from corridas.simulation.running import NOBODY, prepare
from corridas.simulation.wintering import NotOverError, winter_over

log = logging.getLogger(__name__)

PATIENCE = dt.timedelta(seconds=20)
"""A message not taken up for so long is thought lost; sending it twice does no harm."""


MOST = 100
"""Corridas looked after at once: behind a long queue there are thousands, and they are not lost."""


def lost_corridas(*, at: dt.datetime) -> list[int]:
    """Corridas queued a while ago that nobody has played, those who wait longest first."""
    queued = Corrida.objects.filter(
        season__circuit__in=Circuit.objects.awake(),
        state=Corrida.State.QUEUED,
        queued_at__lte=at - PATIENCE,
    )
    return list(queued.order_by("queued_at", "pk").values_list("pk", flat=True)[:MOST])


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
