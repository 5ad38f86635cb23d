"""Marks of players at a live table: combinations of shape and colour.

The players at a table need different marks. A player whose usual mark is taken gets the first free
mark. Bots and empty seats get free marks too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

# Number of different marks. If a table has more players, the letter inside the mark distinguishes
# them.
MARK_COUNT: Final = 6

_seats: ContextVar[tuple[int, ...]] = ContextVar("marks at the board", default=())


def mark_of_player(player: int) -> int:
    return player % MARK_COUNT


def marks_of_seats(players: Sequence[int | None]) -> tuple[int, ...]:
    """Return the marks at a table by seat. In `players`, None stands for a bot or an empty seat."""
    marks: dict[int, int] = {}
    for seat, player in enumerate(players):
        if player is not None and mark_of_player(player) not in marks.values():
            marks[seat] = mark_of_player(player)
    unused = [mark for mark in range(MARK_COUNT) if mark not in marks.values()]
    for seat in range(len(players)):
        if seat not in marks:
            marks[seat] = unused.pop(0) if unused else seat % MARK_COUNT
    return tuple(marks[seat] for seat in range(len(players)))


@contextmanager
def seat_marks(players: Sequence[int | None]) -> Iterator[None]:
    """Context manager in which templates render seats with the marks of these players."""
    before = _seats.set(marks_of_seats(players))
    try:
        yield
    finally:
        _seats.reset(before)


def mark_of_seat(seat: int) -> int:
    """Return the mark for a seat (from 0) of the table being rendered.

    Outside of a table, the mark depends on the number of the seat only.
    """
    marks = _seats.get()
    return marks[seat] if seat < len(marks) else seat % MARK_COUNT
