"""Where everything of the town lies, in units of the map; on a phone a unit is a pixel.

Rows in which dice stand are enlarged: each of their spaces becomes a plaza as wide and as high as
its dice need. The other rows stay small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from eltoro.engine import Board
from eltoro.stage.cells import (
    EDGE,
    KEPT,
    LEAST,
    TAP,
    Cell,
    Crowd,
    cell_size,
    cells,
    height,
    widths,
)

WIDTH: Final = 384
"""Units from left to right, unless a row has more spaces than fit."""
BELOW_NAME: Final = 13
BOTTOM: Final = 5
"""Units free inside a plaza, above and below its dice."""
RADIUS: Final = 20
LOW: Final = 62
"""Units that a plaza is high at least."""
SKY: Final = 64
STREET: Final = 54
"""Units from the bottom of a row to the top of the next."""
PLAQUE: Final = 8
"""Units by which a name stands out above its space."""
CARD: Final = 84
"""Units of a destination card without dice."""
SEA: Final = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Plaza:
    """A space as drawn. `x`: its middle; `large`: enlarged, as dice stand in its row.

    `bulls`, `near`, `far`: the cells of its dice, each in the order in which they stand there.
    """

    x: float
    top: float
    width: float
    height: float
    large: bool
    bulls: tuple[Cell, ...] = ()
    near: tuple[Cell, ...] = ()
    far: tuple[Cell, ...] = ()

    @property
    def left(self) -> float:
        """The left edge."""
        return self.x - self.width / 2

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    @property
    def middle(self) -> float:
        """Half way down."""
        return self.top + self.height / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The whole map: a plaza for each space of the board, and one for dice not yet placed.

    `shore`: where the destinations begin, `beach`: where they end. `tallest`: how high the
    dice of the highest plaza are.
    """

    width: float
    height: float
    plazas: tuple[Plaza, ...]
    gate: Plaza | None
    shore: float
    beach: float
    tallest: float

    @property
    def is_wide(self) -> bool:
        """Whether a phone shows the map by scrolling it sideways."""
        return self.width > WIDTH


@lru_cache(KEPT)
def lay_out(board: Board, crowds: tuple[Crowd, ...], gate: Crowd) -> Plan:
    """The map of a board; `crowds` by space, `gate`: those not yet placed."""
    return _Rows(board, crowds, gate).plan()


class _Rows:
    """The rows from top to bottom, each below the one before."""

    def __init__(self, board: Board, crowds: Sequence[Crowd], gate: Crowd) -> None:
        self.board, self.crowds, self.gate = board, crowds, gate
        most = max(map(len, board.rows))
        self.width = max(WIDTH, EDGE + most * (LEAST + EDGE))
        self.tallest = 0.0

    def plan(self) -> Plan:
        top: float = SKY
        gate = self._gate(top) if self.gate.count else None
        top = gate.bottom + STREET / 2 if gate else top
        plazas: dict[int, Plaza] = {}
        for number, listed in enumerate(self.board.rows):
            row = self._from_left(listed)
            laid = self._row(number, row, top + PLAQUE)
            plazas |= dict(zip(row, laid, strict=True))
            top = max(plaza.bottom for plaza in laid) + STREET
        return Plan(
            width=self.width,
            height=top - STREET + SEA,
            plazas=tuple(plazas[index] for index in range(len(self.board.spaces))),
            gate=gate,
            shore=min(plazas[index].top for index in self.board.rows[-1]),
            beach=max(plaza.bottom for plaza in plazas.values()),
            tallest=self.tallest,
        )

    def _from_left(self, row: Sequence[int]) -> tuple[int, ...]:
        """A row from left to right: as the board says where its spaces lie, else as listed."""
        xs = self._spotted(row)
        return (
            tuple(sorted(row, key=dict(zip(row, xs, strict=True)).__getitem__))
            if xs
            else tuple(row)
        )

    def _gate(self, top: float) -> Plaza:
        """The place of the dice that are still to be placed: a bar under the sky."""
        wide, middle = (self.width - 2 * EDGE,), (self.width / 2,)
        plaza = self._settled((self.gate,), wide, middle, top + PLAQUE, BELOW_NAME)[0]
        return replace(plaza, height=max(plaza.height, TAP))

    def _row(self, number: int, row: Sequence[int], top: float) -> tuple[Plaza, ...]:
        crowds = tuple(self.crowds[space] for space in row)
        is_last = number == self.board.steps
        if is_last:
            return self._ends(crowds, top)
        if not any(crowd.count for crowd in crowds):
            return tuple(self._small(x, top) for x in self._spread(row))
        wide = widths(crowds, self.width)
        middles = _side_by_side(wide, self.width)
        return _level(self._settled(crowds, wide, middles, top, BELOW_NAME))

    def _ends(self, crowds: tuple[Crowd, ...], top: float) -> tuple[Plaza, ...]:
        """The destinations: cards, with their dice below what they say."""
        wide = widths(crowds, self.width)
        laid = self._settled(crowds, wide, _side_by_side(wide, self.width), top, CARD - BOTTOM)
        tallest = max(plaza.height for plaza in laid)
        return tuple(replace(plaza, height=tallest) for plaza in laid)

    def _small(self, x: float, top: float) -> Plaza:
        return Plaza(x=x, top=top, width=2 * RADIUS, height=2 * RADIUS, large=False)

    def _spread(self, row: Sequence[int]) -> tuple[float, ...]:
        """The middles of a row's spaces: as the board says, else centred on one lattice."""
        return self._spotted(row) or _lattice(len(row), max(map(len, self.board.rows)), self.width)

    def _spotted(self, row: Sequence[int]) -> tuple[float, ...]:
        """The middles as the board says; nothing where it does not, or two would lie too close."""
        spots = [spot[0] for space in row if (spot := self.board.spaces[space].spot)]
        low, high = _range_of_spots(self.board)
        if len(spots) < len(row) or low == high:
            return ()
        room = self.width - LEAST - 2 * EDGE
        found = tuple(LEAST / 2 + EDGE + (x - low) * room / (high - low) for x in spots)
        ordered = sorted(found)
        gaps = (right - left for left, right in pairwise(ordered))
        return found if min(gaps, default=LEAST) >= LEAST else ()

    def _settled(
        self,
        crowds: Sequence[Crowd],
        wide: Sequence[float],
        middles: Sequence[float],
        top: float,
        above: float,
    ) -> tuple[Plaza, ...]:
        """Plazas with their dice, in the largest cells with which no plaza is too high."""
        size = cell_size(crowds, wide)
        places = zip(crowds, wide, middles, strict=True)
        laid = tuple(_filled(crowd, width, x, top, above, size) for crowd, width, x in places)
        high = max(height(crowd, width, size) for crowd, width in zip(crowds, wide, strict=True))
        self.tallest = max(self.tallest, high)
        return laid


def _range_of_spots(board: Board) -> tuple[int, int]:
    xs = [space.spot[0] for space in board.spaces if space.spot] or [0]
    return min(xs), max(xs)


def _lattice(count: int, most: int, width: float) -> tuple[float, ...]:
    """The middles of so many spaces, as far apart as those of the longest row, centred."""
    pitch = width / most
    first = width / 2 - pitch * (count - 1) / 2
    return tuple(first + pitch * place for place in range(count))


def _side_by_side(wide: Sequence[float], width: float) -> tuple[float, ...]:
    """The middles of plazas that stand next to each other."""
    left = (width - sum(wide) - EDGE * (len(wide) - 1)) / 2
    middles = []
    for each in wide:
        middles.append(left + each / 2)
        left += each + EDGE
    return tuple(middles)


def _filled(crowd: Crowd, width: float, x: float, top: float, above: float, size: float) -> Plaza:
    """A plaza with the cells of its dice; `above`: units free over the first line."""
    found = {kind: tuple(each) for kind, each in cells(crowd, width, x, top + above, size).items()}
    high = above + height(crowd, width, size) + BOTTOM
    return Plaza(x=x, top=top, width=width, height=max(high, LOW), large=True, **found)


def _level(plazas: Sequence[Plaza]) -> tuple[Plaza, ...]:
    """Plazas of one row about one middle line, the highest one touching its top."""
    tallest = max(plaza.height for plaza in plazas)
    return tuple(_lowered(plaza, (tallest - plaza.height) / 2) for plaza in plazas)


def _lowered(plaza: Plaza, by: float) -> Plaza:
    def down(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        return tuple(replace(cell, y=cell.y + by) for cell in cells)

    return replace(
        plaza,
        top=plaza.top + by,
        bulls=down(plaza.bulls),
        near=down(plaza.near),
        far=down(plaza.far),
    )
