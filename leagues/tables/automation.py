"""Moves of bots at live tables, and automatic changes when a deadline expires."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable
from typing import Final

from django.db.models import Q

from leagues.models import Table
from leagues.tables.changes import (
    BotTurn,
    Event,
    TableChange,
    TableNotFound,
    abandon_table,
    change_table,
    let_bot_stand_in,
)
from leagues.tables.clock import awaited
from leagues.tables.log import TableLog, find_log, read_log
from leagues.tables.play import (
    MoveResult,
    NotPlaying,
    NotTheirTurn,
    Overtaken,
    SeedSource,
    count_result,
    deal_round,
    play_move,
)

log = logging.getLogger(__name__)

Clock = Callable[[], dt.datetime]

# If a worker has not made a bot's move this long after claiming the turn, another worker takes
# over.
CLAIM_TIME: Final = dt.timedelta(seconds=5)
# Tolerance for messages that arrive early because the clocks of machines differ.
EARLY: Final = dt.timedelta(milliseconds=50)
# If a bot's move is overdue by this time, its message is assumed lost and is sent again.
LOST_AFTER: Final = dt.timedelta(seconds=2)
MAX_FAILURES: Final = 3


def play_bot_move(
    table_id: int, moves_made: int, *, clock: Clock, fresh: SeedSource
) -> MoveResult | None:
    """Let the bot make the move after `moves_made`. Returns None if it is not a bot's turn.

    The turn is claimed by a conditional update of the deadline, so that two workers do not
    calculate the same move. The move is saved only if it is still the bot's turn. If the bot
    replaced a player who has come back meanwhile, the move is discarded.
    """
    if not _claim(table_id, moves_made, clock()):
        return None
    table_log = find_log(table_id)
    if table_log is None or table_log.table.moves_made != moves_made:
        return None
    waits = awaited(table_log.table, table_log.chairs)
    if waits.what != "bot" or waits.seat is None:
        return None
    name = table_log.chairs[waits.seat].bot or table_log.game.stand_in
    text = _think(table_log, name, fresh)
    try:
        return play_move(
            table_id, seat=waits.seat, seen=moves_made, text=text, at=clock(), fresh=fresh, bot=name
        )
    except (TableNotFound, NotPlaying, NotTheirTurn, Overtaken):
        return None


def _claim(table_id: int, moves_made: int, at: dt.datetime) -> bool:
    due = Table.objects.filter(
        pk=table_id,
        state=Table.State.PLAYING,
        moves_made=moves_made,
        turn__isnull=False,
        deadline__lte=at + EARLY,
    )
    return bool(due.update(deadline=at + CLAIM_TIME))


def _think(table_log: TableLog, name: str, fresh: SeedSource) -> str:
    return table_log.game.table.bot_move(
        rules=table_log.table.rules,
        seats=table_log.seats,
        rounds=table_log.present(),
        bot=name,
        seed=fresh().value,
    )


def record_bot_failure(table_id: int, moves_made: int, error: str, *, at: dt.datetime) -> None:
    """Save the error of a bot. After `MAX_FAILURES` errors in a row, the table is closed."""
    with change_table(table_id, at=at) as change:
        table = change.table
        if table.moves_made != moves_made or table.state != Table.State.PLAYING:
            return
        table.failures, table.error = table.failures + 1, error[:300]
        table.save(update_fields=["failures", "error"])
        if table.failures >= MAX_FAILURES:
            abandon_table(change)


# Maximum number of tables handled in one run of the periodic task. The others are handled in the
# next run.
BATCH_SIZE = 200


def sweep_due_tables(*, at: dt.datetime, fresh: SeedSource) -> list[BotTurn]:
    """Handle all live tables whose deadline has expired, and return overdue turns of bots.

    Rounds are dealt, bots replace late players, and abandoned tables are closed. Results take
    effect once spectators have seen the end. An error at one table does not affect the others.
    """
    playing = Q(state__in=Table.ACTIVE, deadline__lte=at)
    due = Table.objects.filter(playing | Q(counts_at__lte=at)).order_by("deadline")
    turns = []
    for table_id in list(due.values_list("pk", flat=True)[:BATCH_SIZE]):
        try:
            turns.append(handle_due_table(table_id, at=at, fresh=fresh))
        except Exception:
            log.exception("Table %s cannot be looked after", table_id)
    return [turn for turn in turns if turn is not None]


def handle_due_table(table_id: int, *, at: dt.datetime, fresh: SeedSource) -> BotTurn | None:
    with change_table(table_id, at=at) as change:
        deadline, counts_at = change.table.deadline, change.table.counts_at
        if counts_at is not None:
            if counts_at <= change.at:  # spectators have seen the end
                count_result(change, read_log(change.table.pk).present())
                change.add_event(Event.COUNTED)
            return None
        if deadline is None or deadline > at:
            return None
        if change.awaited.what == "bot":
            return _find_bot(change, deadline)
        _perform_due_change(change, fresh)
    return change.bot_turn


def _find_bot(change: TableChange, deadline: dt.datetime) -> BotTurn | None:
    if deadline > change.at - LOST_AFTER:
        return None
    Table.objects.filter(pk=change.table.pk).update(deadline=change.at)
    return BotTurn(change.table.pk, change.table.moves_made, change.at)


def _perform_due_change(change: TableChange, fresh: SeedSource) -> None:
    what, seat, _ = change.awaited
    if what in {"players", "anybody"}:
        abandon_table(change)
    elif what == "round":
        deal_round(change, fresh=fresh)
    elif what == "person" and seat is not None:
        let_bot_stand_in(change, seat, Event.TIMED_OUT)
