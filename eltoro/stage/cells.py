"""The dice of one plaza: in lines, in cells, and how wide and high they make it.

Dice that may be tapped lie in cells as large as a fingertip, which never overlap; the others in
cells as large as their row has room for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

EDGE: Final = 4
"""Units left free at both sides of the map, and between two plazas."""
LEAST: Final = 50
"""Units that a plaza is wide at least: a fingertip, and what two signs need below it."""
TAP: Final = 46
"""Units of the cell of a die that may be tapped: 44 pixels on a phone of 390."""
SIZES: Final = (32.0, 30.0, 28.0, 26.0, 25.0, 24.0, 23.0, 22.0)
"""Units of the cell of any other die, the largest first."""
BULL: Final = (28.0, 32.0)
"""Units of a bull's cell: from left to right, from top to bottom with its horns."""
SIDE: Final = 2
"""Units free inside a plaza on either side."""
HIGH: Final = 176
"""Units that the dice of a row may be high before they are drawn smaller."""
GRACE: Final = 1.12
KEPT: Final = 256


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many dice stand somewhere: bulls, runners to be tapped (`near`), other runners (`far`).

    `tame`: the bulls may be tapped too.
    """

    bulls: int = 0
    near: int = 0
    far: int = 0
    tame: bool = False

    @property
    def count(self) -> int:
        """All dice together."""
        return self.bulls + self.near + self.far


NOBODY: Final = Crowd()


@dataclass(frozen=True, slots=True)
class Cell:
    """The place of one die: its centre and its sides, in units."""

    x: float
    y: float
    width: float
    height: float


def widths(crowds: Sequence[Crowd], width: float) -> tuple[float, ...]:
    """How wide each plaza of a row is: the highest one is widened as long as that helps."""
    found = [float(LEAST)] * len(crowds)
    room = width - 2 * EDGE - sum(found) - EDGE * (len(found) - 1)
    size = SIZES[-1]
    while True:
        heights = [height(*pair, size) for pair in zip(crowds, found, strict=True)]
        place = max(range(len(crowds)), key=lambda at: (heights[at], -at))
        more = _widening(crowds[place], found[place], heights[place], room, size)
        if more is None:
            break
        found[place] += more
        room -= more
    return tuple(each + room / len(found) for each in found)


def _widening(crowd: Crowd, width: float, high: float, room: float, size: float) -> float | None:
    """The least by which a plaza must be wider to be lower, if there is so much room."""
    for more in range(2, int(room) + 1, 2):
        if height(crowd, width + more, size) < high:
            return more
    return None


def cell_size(crowds: Sequence[Crowd], wide: Sequence[float]) -> float:
    """The largest cell with which no plaza of the row is higher than is good.

    Where even the smallest makes one too high, a little more height is given for larger dice.
    """

    def tallest(size: float) -> float:
        return max(height(*pair, size) for pair in zip(crowds, wide, strict=True))

    most = max(HIGH, GRACE * tallest(SIZES[-1]))
    return next(size for size in SIZES if tallest(size) <= most)


def height(crowd: Crowd, width: float, size: float) -> float:
    """Units that the dice of a crowd take in a plaza of this width."""
    return sum(line.height for line in _lines(crowd, width - 2 * SIDE, size))


@dataclass(frozen=True, slots=True)
class _Line:
    """Dice side by side: how many of a kind; beside those to be tapped others, two high."""

    kind: str
    count: int
    width: float
    height: float
    beside: int = 0


@lru_cache(8 * KEPT)
def _lines(crowd: Crowd, room: float, size: float) -> tuple[_Line, ...]:
    """The lines of dice of a plaza, from above: bulls, dice to be tapped, others."""
    wide, high = (TAP, TAP) if crowd.tame else BULL
    lines = [_Line("bulls", n, wide, high) for n in _split(crowd.bulls, int(room // wide))]
    left = crowd.far
    for count in _split(crowd.near, int(room // TAP)):
        columns = int((room - count * TAP) // size)
        beside = min(left, columns * int(TAP // size))
        left -= beside
        lines.append(_Line("near", count, TAP, TAP, beside))
    lines += [_Line("far", n, size, size) for n in _split(left, int(room // size))]
    return tuple(lines)


def _split(count: int, most: int) -> Iterator[int]:
    """So many dice in lines of at most so many, as even as can be."""
    lines = -(-count // max(most, 1))
    for line in range(lines):
        yield count // lines + (line < count % lines)


def cells(crowd: Crowd, width: float, x: float, top: float, size: float) -> dict[str, list[Cell]]:
    """The cells of a crowd by kind, in a plaza of this width about x, from `top` downwards."""
    found: dict[str, list[Cell]] = {"bulls": [], "near": [], "far": []}
    for line in _lines(crowd, width - 2 * SIDE, size):
        for kind, cell in _in_line(line, x, top, size):
            found[kind].append(cell)
        top += line.height
    return found


def _in_line(line: _Line, x: float, y: float, size: float) -> Iterator[tuple[str, Cell]]:
    """The cells of a line that is centred at x and begins at y."""
    high = int(TAP // size)
    columns = -(-line.beside // high)
    left = x - (line.count * line.width + columns * size) / 2
    for place in range(line.count):
        middle = left + (place + 0.5) * line.width
        yield line.kind, Cell(middle, y + line.height / 2, line.width, line.height)
    left += line.count * line.width
    step = line.height / high
    for place in range(line.beside):
        column, row = divmod(place, high)
        middle = left + (column + 0.5) * size
        yield "far", Cell(middle, y + (row + 0.5) * step, size, size)
