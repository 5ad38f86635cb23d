"""Which mark a person has: the same shape and colour everywhere.

There are six. At a board nobody may be taken for somebody else, so whoever sits behind another
person with the same mark takes the first that is free there, and so do bots and empty seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

MARKS: Final = 6
"""Six shapes and colours; past six players the letter decides."""

_seats: ContextVar[tuple[int, ...]] = ContextVar("marks at the board", default=())


def own_mark(player: int) -> int:
    """The mark of a player, by primary key, from 0."""
    return player % MARKS


def marks_of_seats(players: Sequence[int | None]) -> tuple[int, ...]:
    """The marks of those who sit at one board, by seat; None is a bot or nobody."""
    found: dict[int, int] = {}
    for seat, player in enumerate(players):
        if player is not None and own_mark(player) not in found.values():
            found[seat] = own_mark(player)
    unused = [mark for mark in range(MARKS) if mark not in found.values()]
    for seat in range(len(players)):
        if seat not in found:
            found[seat] = unused.pop(0) if unused else seat % MARKS
    return tuple(found[seat] for seat in range(len(players)))


@contextmanager
def marking_seats(players: Sequence[int | None]) -> Iterator[None]:
    """Draw seats with the marks of those who sit there, until the block ends."""
    before = _seats.set(marks_of_seats(players))
    try:
        yield
    finally:
        _seats.reset(before)


def mark_of_seat(seat: int) -> int:
    """The mark of a seat of the board being drawn, from 0; without one, seats in their order."""
    marks = _seats.get()
    return marks[seat] if seat < len(marks) else seat % MARKS
