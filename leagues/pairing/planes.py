"""Perfect rounds for k x k players at tables of k: everybody meets everybody exactly once.

Players are the points of an affine plane, a round is a set of parallel lines, a table a line.
Planes exist for every prime power; of two to six that leaves out six.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt

PRIMES = (2, 3, 5)
FOUR = 4
_TIMES_IN_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field of four elements, whose sums are those of bits (exclusive or)."""


def has_plane(players: int, seats: int) -> bool:
    """Whether so many players at such tables can meet perfectly."""
    return players == seats * seats and seats in (*PRIMES, FOUR)


def plane_rounds(players: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """The k + 1 rounds for k x k players; see `has_plane`."""
    size = isqrt(len(players))
    on = _line(size)
    slanted = [
        [
            tuple(players[size * x + on(slope, x, start)] for x in range(size))
            for start in range(size)
        ]
        for slope in range(size)
    ]
    upright = [tuple(players[size * x : size * (x + 1)]) for x in range(size)]
    return [*slanted, upright]


def _line(size: int) -> Callable[[int, int, int], int]:
    """The height of the line `slope` * x + `start` over x, in the field of that size."""
    if size == FOUR:
        return lambda slope, x, start: _TIMES_IN_FOUR[slope][x] ^ start
    return lambda slope, x, start: (slope * x + start) % size
