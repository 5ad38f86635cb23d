"""What a live table waits for, and until when. A periodic task handles expired deadlines."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, Protocol

from leagues.models import Table

Wait = Literal["players", "anybody", "round", "person", "bot", "nothing"]

# Pause between rounds of a live table. It ends early if all players are ready.
ROUND_PAUSE: Final = dt.timedelta(seconds=20)
ROUND_PAUSE_OF_BOTS: Final = dt.timedelta(seconds=4)
# If all players have left a table, it is closed after this time unless one of them returns.
ABANDONED_AFTER: Final = dt.timedelta(minutes=10)
# A table of one player and bots is closed after this time without a move of the player.
SOLO_TIMEOUT: Final = dt.timedelta(days=7)
# Time in which a new table must get all its players and begin.
OPEN_FOR: Final = {
    Table.Pace.LIVE: dt.timedelta(hours=2),
    Table.Pace.DAYS: dt.timedelta(days=14),
}
# Minimum and maximum pause before a bot moves, in milliseconds. The pauses let players follow what
# the bots do.
BOT_PAUSE: Final = (600, 1200)


class Awaited(NamedTuple):
    """What a live table waits for.

    - `players`: players must join
    - `anybody`: one of the players, who have all left, must come back
    - `round`: the next round is dealt at the deadline
    - `person`, `bot`: the player or the bot at `seat` must move
    - `nothing`: the match is over

    `moves` is the number of moves made so far.
    """

    what: Wait
    seat: int | None = None
    moves: int = 0


class SeatState(Protocol):
    @property
    def player_id(self) -> int | None:
        """Return the primary key of the player who has the seat."""

    @property
    def bot(self) -> str:
        """Return the key of the bot that has the seat, or an empty string."""

    @property
    def stand_in(self) -> bool:
        """Return whether a bot temporarily replaces the player of the seat."""


class TableProgress(Protocol):
    @property
    def state(self) -> str:
        """Return the state of the table, which is a value of `Table.State`."""

    @property
    def turn(self) -> int | None:
        """Return the seat whose turn it is, or None between rounds."""

    @property
    def moves_made(self) -> int:
        """Return the number of moves made in all rounds."""


def is_bot(seat: SeatState) -> bool:
    """Return whether a bot moves for this seat, either permanently or in place of a player."""
    return bool(seat.bot) or seat.stand_in


def awaited(table: TableProgress, seats: Sequence[SeatState]) -> Awaited:
    if table.state == Table.State.OPEN:
        return Awaited("players")
    if table.state != Table.State.PLAYING:
        return Awaited("nothing")
    people = [seat for seat in seats if seat.player_id is not None]
    # If the only player has left, the bots finish the round, and the next round waits for the
    # player.
    if people and all(seat.stand_in for seat in people) and (len(people) > 1 or table.turn is None):
        return Awaited("anybody")
    if table.turn is None:
        return Awaited("round", None, table.moves_made)
    what: Wait = "bot" if is_bot(seats[table.turn]) else "person"
    return Awaited(what, table.turn, table.moves_made)


def time_limit(
    table: Table, seats: Sequence[SeatState], what: Wait, *, again: bool = False
) -> dt.timedelta | None:
    """Return the time until the deadline, given what the table waits for.

    `again` means that the seat that has just moved must move again. Bots then pause for a shorter
    time.
    """
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
    """Return the pause before a bot's move. It varies, but does not affect the game."""
    low, high = BOT_PAUSE
    step = (table.moves_made * 373 + table.pk * 211) % (high - low + 1)
    return dt.timedelta(milliseconds=low + step)
