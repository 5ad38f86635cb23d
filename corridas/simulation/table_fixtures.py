"""Fixtures of a season given to a table, and taken back when their time is over."""

from __future__ import annotations

import datetime as dt
import logging

from django.db import transaction

from corridas.circuits import queries as circuits
from corridas.models import Circuit, Corrida, Run, Season, TableCorrida
from corridas.simulation.contracting import Fresh
from corridas.simulation.running import prepare

log = logging.getLogger(__name__)

TO_CONFIRM = dt.timedelta(days=7)
"""How long a sheet handed in before its deadline may wait for its second player."""


def give(corrida: Corrida, table: TableCorrida) -> bool:
    """Give an announced corrida to a table; False where it is not waiting any more.

    Its cartel and its seed stay as they were committed to.
    """
    claimed = Corrida.objects.filter(
        pk=corrida.pk, state=Corrida.State.ANNOUNCED, cartel__isnull=False
    ).update(state=Corrida.State.AT_TABLE)
    if claimed:
        table.corrida, table.given = corrida, True
        table.save(update_fields=["corrida", "given"])
    return bool(claimed)


def take_back(table: TableCorrida) -> bool:
    """Give a corrida that nobody has filed back to its season; False where there is none."""
    key = table.corrida_id
    if key is None or table.filed_at is not None:
        return False
    back = Corrida.objects.filter(pk=key, state=Corrida.State.AT_TABLE)
    if not back.update(state=Corrida.State.ANNOUNCED):
        return False
    TableCorrida.objects.filter(pk=table.pk).update(corrida=None)
    table.corrida = None
    return True


def overdue(*, at: dt.datetime, fresh: Fresh) -> list[int]:
    """Take back every fixture whose table missed its deadline, and queue what can be played.

    A sheet that was handed in in time may wait a week for its second player. Returns the corridas
    for the workers: each is played from the seed that was committed to before it was given away.
    """
    missed = TableCorrida.objects.filter(
        given=True, filed_at=None, corrida__isnull=False, deadline__lte=at
    )
    late = [table for table in missed.select_related("match") if not _may_wait(table, at)]
    return [key for table in late if (key := _tried(table, at, fresh)) is not None]


def _tried(table: TableCorrida, at: dt.datetime, fresh: Fresh) -> int | None:
    """One that cannot be taken back is written to the log and does not hold up the others."""
    try:
        return _take_back_and_queue(table, at, fresh)
    except Exception:
        log.exception("The corrida of table %s cannot be taken back", table.pk)
        return None


def _may_wait(table: TableCorrida, at: dt.datetime) -> bool:
    """Whether its sheet came in time and only waits for somebody else."""
    match, deadline = table.match, table.deadline
    assert deadline is not None
    came = match.handed_in_at
    in_time = match.state in match.UNSETTLED and came is not None and came <= deadline
    return in_time and at < deadline + TO_CONFIRM


@transaction.atomic
def _take_back_and_queue(table: TableCorrida, at: dt.datetime, fresh: Fresh) -> int | None:
    key = table.corrida_id
    if key is None or not take_back(table):
        return None
    corrida = Corrida.objects.select_related("season__circuit__deck").get(pk=key)
    circuit = corrida.season.circuit
    if not _may_play(circuit, corrida.season):
        return None
    prepare(corrida.season, corrida.date, fresh, at=at)
    queued = Corrida.objects.filter(pk=key, cartel__isnull=False).free_for_the_sand()
    changed = Corrida.objects.filter(pk__in=list(queued.values_list("pk", flat=True))).update(
        state=Corrida.State.QUEUED, queued_at=at, pace_ms=circuit.pace_ms
    )
    return corrida.pk if changed else None


def _may_play(circuit: Circuit, season: Season) -> bool:
    running = Run.objects.filter(season=season, state__in=Run.ACTIVE).exists()
    awake = circuit.frozen_at is None and circuit.archived_at is None
    return awake and not running and circuits.sand_left(circuit) > 0
