"""Bots: a move each, claimed when it is due, thought out while nobody holds the table."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable
from typing import Final

from leagues.models import Table
from leagues.playing.change import NoTable, changing
from leagues.playing.clock import awaited
from leagues.playing.log import TableLog, find
from leagues.playing.moving import Answer, NotPlaying, NotTheirTurn, Overtaken, make_move
from leagues.playing.rounds import Fresh
from leagues.playing.seating import close

log = logging.getLogger(__name__)

Clock = Callable[[], dt.datetime]

CLAIM: Final = dt.timedelta(seconds=5)
"""A bot that has not moved so long after it took its turn is thought dead; another takes it."""
EARLY: Final = dt.timedelta(milliseconds=50)
"""A message may come so early: clocks of two machines differ."""
LOST_AFTER: Final = dt.timedelta(seconds=2)
"""A bot's move not made so long after it was due is thought lost."""
TRIES: Final = 3


def play_bot(table_id: int, moves_made: int, *, clock: Clock, fresh: Fresh) -> Answer | None:
    """Let the bot move that is to make the move after so many; None where that is not so (now).

    Claimed by compare-and-set on the deadline, so that two workers do not think about one move;
    written only if it is still a bot's move then: who comes back is not moved for.
    """
    if not _claim(table_id, moves_made, clock()):
        return None
    found = find(table_id)
    if found is None or found.table.moves_made != moves_made:
        return None
    seat = _bot_seat(found)
    if seat is None:
        return None
    name = found.chairs[seat].bot or found.game.stand_in
    text = _think(found, name, fresh)
    try:
        return make_move(
            table_id, seat=seat, seen=moves_made, text=text, at=clock(), fresh=fresh, bot=name
        )
    except (NoTable, NotPlaying, NotTheirTurn, Overtaken):
        return None


def _claim(table_id: int, moves_made: int, at: dt.datetime) -> bool:
    due = Table.objects.filter(
        pk=table_id,
        state=Table.State.PLAYING,
        moves_made=moves_made,
        turn__isnull=False,
        deadline__lte=at + EARLY,
    )
    return bool(due.update(deadline=at + CLAIM))


def _bot_seat(found: TableLog) -> int | None:
    waits = awaited(found.table, found.chairs)
    return waits.seat if waits.what == "bot" else None


def _think(found: TableLog, name: str, fresh: Fresh) -> str:
    return found.game.table.bot_move(
        rules=found.table.rules,
        seats=found.seats,
        rounds=found.present(),
        bot=name,
        seed=fresh().value,
    )


def note_failure(table_id: int, moves_made: int, error: str, *, at: dt.datetime) -> None:
    """Write down that a bot broke down; after three times in a row the table is closed."""
    with changing(table_id, at=at) as change:
        table = change.table
        if table.moves_made != moves_made or table.state != Table.State.PLAYING:
            return
        table.failures, table.error = table.failures + 1, error[:300]
        table.save(update_fields=["failures", "error"])
        if table.failures >= TRIES:
            close(change)
