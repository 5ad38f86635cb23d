"""A move: read, judged by the game, and written if nobody was quicker."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from leagues.games import RoundLog
from leagues.models import Table, TableMove, TableSeat
from leagues.playing.change import BotTurn, Change, Event, NoTable, changing
from leagues.playing.clock import is_bot
from leagues.playing.log import Made, TableLog, find
from leagues.playing.rounds import Fresh, settle


class Overtaken(Exception):  # noqa: N818
    """The table has moved on since whoever moves looked at it."""


class NotPlaying(Exception):  # noqa: N818
    """Nothing can be moved: the table waits for players or for the next round, or is over."""


class NotTheirTurn(Exception):  # noqa: N818
    """It is the turn of another seat; `turn` says whose."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        super().__init__(turn)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came of a move: the moves made with it, and the bot that is to move next, if one is.

    `again`: this very move had been made already, by an earlier click; nothing was done.
    """

    moves_made: int
    again: bool = False
    bot: BotTurn | None = None


def make_move(
    table_id: int,
    *,
    seat: int,
    seen: int,
    text: str,
    at: dt.datetime,
    fresh: Fresh,
    bot: str = "",
) -> Answer:
    """Make a move for a seat that saw so many moves made.

    The game judges it before the table is held, so that nobody waits for that. Of moves that
    come at the same moment one is made. Raises NoTable, NotPlaying, NotTheirTurn, MoveRefused,
    and Overtaken where somebody else, or something else, was moved meanwhile.
    """
    log = _found(table_id)
    if log.table.moves_made != seen:
        return _said_before(log, seat, seen, text, bot)
    _check_turn(log.table, seat)
    position = log.after(seat, text)
    with changing(table_id, at=at) as change:
        if change.table.moves_made == seen and _may_move(change, seat, bot):
            _write(change, seat, text, bot)
            settle(change, _longer(log.present(), text), position, fresh=fresh)
    if change.event is None:
        return _said_before(_found(table_id), seat, seen, text, bot)
    return Answer(moves_made=seen + 1, bot=change.bot_turn)


def _found(table_id: int) -> TableLog:
    log = find(table_id)
    if log is None:
        raise NoTable(table_id)
    return log


def _check_turn(table: Table, seat: int) -> None:
    if table.state != Table.State.PLAYING or table.turn is None:
        raise NotPlaying(table.pk)
    if table.turn != seat:
        raise NotTheirTurn(table.turn)


def _may_move(change: Change, seat: int, bot: str) -> bool:
    """Whether it is still this seat's turn, and, for a bot, still the bot that moves there."""
    playing = change.table.state == Table.State.PLAYING and change.table.turn == seat
    return playing and (not bot or is_bot(change.seats[seat]))


def _write(change: Change, seat: int, text: str, bot: str) -> None:
    table = change.table
    table.moves_made += 1
    table.failures, table.error = 0, ""
    row = TableMove.objects.create(
        table=table,
        number=table.moves_made,
        round=table.round,
        seat=seat,
        text=text,
        bot=bot,
        at=change.at,
    )
    change.made = (Made(row.number, row.round, seat, text, bot, row.at),)
    _note_who(change.seats[seat], bot)
    change.tell(Event.MOVED, seat)


def _note_who(seat: TableSeat, bot: str) -> None:
    """Who moves has taken the seat back; what a bot moved in their stead is counted."""
    if not seat.stand_in:
        return
    if bot:
        seat.stood_in += 1
    else:
        seat.stand_in = False
    seat.save(update_fields=["stand_in", "stood_in"])


def _longer(rounds: tuple[RoundLog, ...], text: str) -> tuple[RoundLog, ...]:
    last = rounds[-1]
    return (*rounds[:-1], replace(last, moves=(*last.moves, text)))


def _said_before(log: TableLog, seat: int, seen: int, text: str, bot: str) -> Answer:
    """The answer to one who comes late: to the same person with the same move, that it is made."""
    made = log.moves[seen] if 0 <= seen < len(log.moves) else None
    if made is None or bot or (made.seat, made.text, made.bot) != (seat, text, ""):
        raise Overtaken(log.table.pk)
    return Answer(moves_made=seen + 1, again=True)
