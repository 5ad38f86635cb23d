"""Mark of a player: one of six combinations of shape and colour.

Seats at a board need different marks. If a player's mark is taken, they get the first free one, as
do bots and empty seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

# Number of marks. With more players the letter distinguishes them.
MARK_COUNT: Final = 6

_seats: ContextVar[tuple[int, ...]] = ContextVar("marks at the board", default=())


def mark_of_player(player: int) -> int:
    return player % MARK_COUNT


def marks_of_seats(players: Sequence[int | None]) -> tuple[int, ...]:
    """Return the marks at a board by seat. None is a bot or an empty seat."""
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
    """Render seats with the marks of these players inside the context."""
    before = _seats.set(marks_of_seats(players))
    try:
        yield
    finally:
        _seats.reset(before)


def mark_of_seat(seat: int) -> int:
    """Return the mark of a seat of the current board, from 0. Without a board, the seat itself."""
    marks = _seats.get()
    return marks[seat] if seat < len(marks) else seat % MARK_COUNT
