"""The mark of a player: a shape and a colour, the same everywhere.

There are six. At a board every seat needs a different one, so a player whose mark is taken there
gets the first free one, and so do bots and empty seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

MARK_COUNT: Final = 6
"""Six shapes and colours; past six players the letter decides."""

_seats: ContextVar[tuple[int, ...]] = ContextVar("marks at the board", default=())


def mark_of_player(player: int) -> int:
    """The mark of a player, by primary key, from 0."""
    return player % MARK_COUNT


def marks_of_seats(players: Sequence[int | None]) -> tuple[int, ...]:
    """The marks of those who sit at one board, by seat; None is a bot or nobody."""
    found: dict[int, int] = {}
    for seat, player in enumerate(players):
        if player is not None and mark_of_player(player) not in found.values():
            found[seat] = mark_of_player(player)
    unused = [mark for mark in range(MARK_COUNT) if mark not in found.values()]
    for seat in range(len(players)):
        if seat not in found:
            found[seat] = unused.pop(0) if unused else seat % MARK_COUNT
    return tuple(found[seat] for seat in range(len(players)))


@contextmanager
def seat_marks(players: Sequence[int | None]) -> Iterator[None]:
    """Draw seats with the marks of those who sit there, until the block ends."""
    before = _seats.set(marks_of_seats(players))
    try:
        yield
    finally:
        _seats.reset(before)


def mark_of_seat(seat: int) -> int:
    """The mark of a seat of the board being drawn, from 0; without one, seats in their order."""
    marks = _seats.get()
    return marks[seat] if seat < len(marks) else seat % MARK_COUNT
