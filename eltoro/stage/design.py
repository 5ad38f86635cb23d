"""Small drawing of a board for its designer, with the chances of a runner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from eltoro.engine import Board

WIDTH: Final = 300
STEP: Final = 44
EDGE: Final = 22
PARITIES: Final = ("even", "odd")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """The position of a space in the drawing of a board.

    `label` is the name of the space, or its key if it has no name.
    """

    x: int
    y: int
    label: str
    is_fork: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnStreet:
    """A street in the drawing of a board.

    `sign` is `even` or `odd`, or empty if the street does not begin at a fork.
    """

    x1: int
    y1: int
    x2: int
    y2: int
    sign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """A row in the designer's table of spaces: a space and the spaces to which it leads."""

    row: int
    space: str
    only: str
    even: str
    odd: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoneRunner:
    """The destinations that a runner from the starting space `start` reaches if there are no bulls
    and no cards.

    `even`, `odd`: key of the destination if the runner always shows an even or always an odd face.
    `shares`: chances of d1 to d5 in per cent, if even and odd are equally likely at every fork.
    """

    start: str
    even: str
    odd: str
    shares: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A drawn board.

    `overall`: chances of the destinations d1 to d5 in per cent for a runner that rolled 2 to 6.
    """

    width: int
    height: int
    spots: tuple[Spot, ...]
    ways: tuple[DrawnStreet, ...]
    forks: tuple[Fork, ...]
    alone: tuple[LoneRunner, ...]
    ends: tuple[str, ...]
    overall: tuple[int, ...]
    steps: int


def draw_board(board: Board) -> Design:
    places = {index: _position_of(board, index) for index in range(len(board.spaces))}
    shares = [_shares(board, start) for start in board.rows[0]]
    overall = [
        sum((share[end] for share in shares), Fraction(0)) / len(shares) for end in board.rows[-1]
    ]
    return Design(
        width=WIDTH,
        height=2 * EDGE + STEP * board.steps,
        spots=tuple(
            Spot(x=x, y=y, label=space_label(board, index), is_fork=board.spaces[index].is_fork)
            for index, (x, y) in places.items()
        ),
        ways=tuple(_ways(board, places)),
        forks=tuple(_forks(board)),
        alone=tuple(_lone_runner(board, start) for start in board.rows[0]),
        ends=tuple(board.spaces[end].key for end in board.rows[-1]),
        overall=tuple(map(_percent, overall)),
        steps=board.steps,
    )


def _position_of(board: Board, index: int) -> tuple[int, int]:
    row = board.rows[board.spaces[index].row]
    each = WIDTH / len(row)
    return round(each * (row.index(index) + 0.5)), EDGE + STEP * board.spaces[index].row


def space_label(board: Board, index: int) -> str:
    return board.spaces[index].name or board.spaces[index].key


def _ways(board: Board, places: dict[int, tuple[int, int]]) -> Iterator[DrawnStreet]:
    for index, space in enumerate(board.spaces):
        for parity, to in enumerate(space.ways):
            (x1, y1), (x2, y2) = places[index], places[to]
            sign = PARITIES[parity] if space.is_fork else ""
            yield DrawnStreet(x1=x1, y1=y1, x2=x2, y2=y2, sign=sign)


def _forks(board: Board) -> Iterator[Fork]:
    for index, space in enumerate(board.spaces):
        names = [space_label(board, to) for to in space.ways]
        if names:
            only = "" if space.is_fork else names[0]
            even, odd = names if space.is_fork else ("", "")
            yield Fork(
                row=space.row, space=space_label(board, index), only=only, even=even, odd=odd
            )


def _lone_runner(board: Board, start: int) -> LoneRunner:
    shares = _shares(board, start)
    return LoneRunner(
        start=board.spaces[start].key,
        even=_end_of(board, start, 0),
        odd=_end_of(board, start, 1),
        shares=tuple(_percent(shares[end]) for end in board.rows[-1]),
    )


def _end_of(board: Board, start: int, parity: int) -> str:
    space = board.spaces[start]
    while space.ways:
        space = board.spaces[space.ways[parity if space.is_fork else 0]]
    return space.key


def _shares(board: Board, start: int) -> dict[int, Fraction]:
    """Return the chance of each space if even and odd are equally likely at every fork."""
    shares = dict.fromkeys(range(len(board.spaces)), Fraction(0))
    shares[start] = Fraction(1)
    for row in board.rows[:-1]:
        for index in row:
            ways = board.spaces[index].ways
            for to in ways:
                shares[to] += shares[index] / len(ways)
    return shares


def _percent(share: Fraction) -> int:
    return round(100 * share)
