"""What a table waits for, and until when. Deadlines are found by a sweep."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Protocol

from leagues.models import Table

Wait = Literal["players", "anybody", "round", "person", "bot", "nothing"]

ROUND_PAUSE: Final = dt.timedelta(seconds=20)
"""Between two rounds of a live table, unless all say sooner that they are ready."""
ROUND_PAUSE_OF_BOTS: Final = dt.timedelta(seconds=4)
ABANDONED_AFTER: Final = dt.timedelta(minutes=10)
"""A table that all its people have left waits so long for one of them, then it is closed."""
SOLO_TIMEOUT: Final = dt.timedelta(days=7)
"""A table of one person and bots waits so long for them, from their last move on."""
OPEN_FOR: Final = {
    Table.Pace.LIVE: dt.timedelta(hours=2),
    Table.Pace.DAYS: dt.timedelta(days=14),
}
"""How long a table waits to be begun."""
BOT_PAUSE: Final = (600, 1200)
"""A bot lets so many milliseconds pass before it moves, so that people can follow."""


class Awaited(NamedTuple):
    """What comes next: `players` to sit down, `anybody` of those who left to come back, the next
    `round`, a `person` or a `bot` to move at `seat`, or `nothing`. `moves` is the move number.
    """

    what: Wait
    seat: int | None = None
    moves: int = 0


class SeatState(Protocol):
    """A seat, as a row or as a table's log tells it."""

    @property
    def player_id(self) -> int | None:
        """Who has taken it."""

    @property
    def bot(self) -> str:
        """The bot that has it."""

    @property
    def stand_in(self) -> bool:
        """Whether a bot stands in for the player."""


class TableProgress(Protocol):
    """How far a table is, now or at some moment."""

    @property
    def state(self) -> str:
        """A `Table.State`."""

    @property
    def turn(self) -> int | None:
        """The seat to move."""

    @property
    def moves_made(self) -> int:
        """Moves of all rounds."""


def is_bot(seat: SeatState) -> bool:
    """Whether a bot moves for this seat, its own or in somebody's stead."""
    return bool(seat.bot) or seat.stand_in


def awaited(table: TableProgress, seats: Sequence[SeatState]) -> Awaited:
    """What the table waits for."""
    if table.state == Table.State.OPEN:
        return Awaited("players")
    if table.state != Table.State.PLAYING:
        return Awaited("nothing")
    people = [seat for seat in seats if seat.player_id is not None]
    # Against bots alone a round is played to its end for who is away, and the next one waits.
    if people and all(seat.stand_in for seat in people) and (len(people) > 1 or table.turn is None):
        return Awaited("anybody")
    if table.turn is None:
        return Awaited("round", None, table.moves_made)
    what: Wait = "bot" if is_bot(seats[table.turn]) else "person"
    return Awaited(what, table.turn, table.moves_made)


def time_limit(
    table: Table, seats: Sequence[SeatState], what: Wait, *, again: bool = False
) -> dt.timedelta | None:
    """How long the table waits for that; `again`: the seat that has just moved moves on."""
    if what == "players":
        return OPEN_FOR[Table.Pace(table.pace)]
    if what == "anybody":
        return max(ABANDONED_AFTER, dt.timedelta(seconds=table.allowance))
    if what == "round":
        return _between_rounds(table, seats)
    if what == "person":
        return dt.timedelta(seconds=table.allowance)
    if what == "bot":
        return _bot_pause(table) / (2 if again else 1)
    return None


def _between_rounds(table: Table, seats: Sequence[SeatState]) -> dt.timedelta:
    if all(is_bot(seat) for seat in seats):
        return ROUND_PAUSE_OF_BOTS
    if table.pace == Table.Pace.LIVE:
        return ROUND_PAUSE
    return dt.timedelta(seconds=table.allowance)


def _bot_pause(table: Table) -> dt.timedelta:
    """Not always the same, as people are; which it is decides nothing."""
    low, high = BOT_PAUSE
    step = (table.moves_made * 373 + table.pk * 211) % (high - low + 1)
    return dt.timedelta(milliseconds=low + step)
