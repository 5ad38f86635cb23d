"""Layout of the map in drawing units: rows, spaces and cells of dice.

On a phone, a unit is about a pixel. Rows with dice are enlarged: their spaces become plazas that
are large enough for their dice. Other rows stay small. Cells of dice that can be tapped are as
large as a fingertip and never overlap. Other cells are as large as their row allows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from eltoro.engine import Board

# Free drawing units at both sides of the map and between plazas.
EDGE: Final = 4
# Minimum width of a plaza. A fingertip and the two signs below the plaza need this width.
MIN_PLAZA_WIDTH: Final = 50
# Size of the cell of a die that can be tapped. It is 44 pixels on a phone that is 390 pixels wide.
TAP_SIZE: Final = 46
# Possible sizes of the cells of other dice, largest first, in drawing units.
SIZES: Final = (32.0, 30.0, 28.0, 26.0, 25.0, 24.0, 23.0, 22.0)
# Width and height of a bull's cell in drawing units. The height includes its horns.
BULL_SIZE: Final = (28.0, 32.0)
# Free drawing units on either side of the dice in a plaza.
PLAZA_PADDING: Final = 2
# Maximum height of a row's dice in drawing units. Higher rows get smaller dice.
MAX_ROW_HEIGHT: Final = 176
HEIGHT_TOLERANCE: Final = 1.12
LAYOUT_CACHE_SIZE: Final = 256


@dataclass(frozen=True, slots=True)
class Crowd:
    """The number of dice on a space: bulls, runners that can be tapped (`near`), others (`far`).

    `tame`: True if the bulls can be tapped too.
    """

    bulls: int = 0
    near: int = 0
    far: int = 0
    tame: bool = False

    @property
    def count(self) -> int:
        return self.bulls + self.near + self.far


NOBODY: Final = Crowd()


@dataclass(frozen=True, slots=True)
class DieCell:
    """The position of one die in the layout: its centre and its size, in drawing units."""

    x: float
    y: float
    width: float
    height: float


def plaza_widths(crowds: Sequence[Crowd], width: float) -> tuple[float, ...]:
    """Return the width of each plaza (a space enlarged to hold its dice) in a row.

    The highest plaza is widened as long as that makes it lower.
    """
    widths = [float(MIN_PLAZA_WIDTH)] * len(crowds)
    room = width - 2 * EDGE - sum(widths) - EDGE * (len(widths) - 1)
    size = SIZES[-1]
    while True:
        heights = [crowd_height(*pair, size) for pair in zip(crowds, widths, strict=True)]
        place = max(range(len(crowds)), key=lambda at: (heights[at], -at))
        more = _width_to_add(crowds[place], widths[place], heights[place], room, size)
        if more is None:
            break
        widths[place] += more
        room -= more
    return tuple(each + room / len(widths) for each in widths)


def _width_to_add(
    crowd: Crowd, width: float, high: float, room: float, size: float
) -> float | None:
    """Return the smallest width to add so that a plaza needs fewer lines of dice, or None if there
    is no room.
    """
    for more in range(2, int(room) + 1, 2):
        if crowd_height(crowd, width + more, size) < high:
            return more
    return None


def cell_size(crowds: Sequence[Crowd], wide: Sequence[float]) -> float:
    """Return the largest size of cells with which no plaza of the row is too high.

    If even the smallest cells need about the maximum height, 12 % more than their height is
    allowed.
    """

    def tallest(size: float) -> float:
        return max(crowd_height(*pair, size) for pair in zip(crowds, wide, strict=True))

    most = max(MAX_ROW_HEIGHT, HEIGHT_TOLERANCE * tallest(SIZES[-1]))
    return next(size for size in SIZES if tallest(size) <= most)


def crowd_height(crowd: Crowd, width: float, size: float) -> float:
    return sum(line.height for line in _lines(crowd, width - 2 * PLAZA_PADDING, size))


@dataclass(frozen=True, slots=True)
class _DiceLine:
    """A line of dice of one kind in a plaza.

    `beside`: number of smaller dice beside the dice that can be tapped, two above each other.
    """

    kind: str
    count: int
    width: float
    height: float
    beside: int = 0


@lru_cache(8 * LAYOUT_CACHE_SIZE)
def _lines(crowd: Crowd, room: float, size: float) -> tuple[_DiceLine, ...]:
    """Return the lines of dice in a plaza from the top: bulls, dice to tap, other dice."""
    wide, high = (TAP_SIZE, TAP_SIZE) if crowd.tame else BULL_SIZE
    lines = [
        _DiceLine("bulls", n, wide, high) for n in _split_into_lines(crowd.bulls, int(room // wide))
    ]
    left = crowd.far
    for count in _split_into_lines(crowd.near, int(room // TAP_SIZE)):
        columns = int((room - count * TAP_SIZE) // size)
        beside = min(left, columns * int(TAP_SIZE // size))
        left -= beside
        lines.append(_DiceLine("near", count, TAP_SIZE, TAP_SIZE, beside))
    lines += [_DiceLine("far", n, size, size) for n in _split_into_lines(left, int(room // size))]
    return tuple(lines)


def _split_into_lines(count: int, most: int) -> Iterator[int]:
    """Split dice into lines of at most `most` dice, and yield the lengths of the lines.

    The lines are as equal as possible.
    """
    lines = -(-count // max(most, 1))
    for line in range(lines):
        yield count // lines + (line < count % lines)


def crowd_cells(
    crowd: Crowd, width: float, x: float, top: float, size: float
) -> dict[str, list[DieCell]]:
    """Return the cells of the dice in a plaza, by kind of dice.

    `x` is the middle of the plaza. The first line begins at `top`.
    """
    cells: dict[str, list[DieCell]] = {"bulls": [], "near": [], "far": []}
    for line in _lines(crowd, width - 2 * PLAZA_PADDING, size):
        for kind, cell in _line_cells(line, x, top, size):
            cells[kind].append(cell)
        top += line.height
    return cells


def _line_cells(line: _DiceLine, x: float, y: float, size: float) -> Iterator[tuple[str, DieCell]]:
    high = int(TAP_SIZE // size)
    columns = -(-line.beside // high)
    left = x - (line.count * line.width + columns * size) / 2
    for place in range(line.count):
        middle = left + (place + 0.5) * line.width
        yield line.kind, DieCell(middle, y + line.height / 2, line.width, line.height)
    left += line.count * line.width
    step = line.height / high
    for place in range(line.beside):
        column, row = divmod(place, high)
        middle = left + (column + 0.5) * size
        yield "far", DieCell(middle, y + (row + 0.5) * step, size, size)


# Width of the map in drawing units, unless a row has too many spaces.
WIDTH: Final = 384
BELOW_NAME: Final = 13
# Free drawing units below a plaza's dice.
BOTTOM: Final = 5
RADIUS: Final = 20
MIN_PLAZA_HEIGHT: Final = 62
SKY_HEIGHT: Final = 64
# Distance from the bottom of a row to the top of the next row, in drawing units.
STREET_HEIGHT: Final = 54
# Drawing units by which the name of a space extends above the space.
NAME_OVERHANG: Final = 8
# Height of a destination card without dice, in drawing units.
CARD_HEIGHT: Final = 84
SEA_HEIGHT: Final = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Plaza:
    """A space in the layout of the map.

    `x`: its centre. `large`: True if its row is enlarged because it has dice. `bulls`, `near`,
    `far`: the cells of its dice in order.
    """

    x: float
    top: float
    width: float
    height: float
    large: bool
    bulls: tuple[DieCell, ...] = ()
    near: tuple[DieCell, ...] = ()
    far: tuple[DieCell, ...] = ()

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLayout:
    """The layout of the whole map: a plaza for each space, and `gate` for unplaced dice.

    `shore`: upper edge of the destinations. `beach`: their lower edge. `tallest`: height of the
    dice in the highest plaza.
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
        return self.width > WIDTH


@lru_cache(LAYOUT_CACHE_SIZE)
def lay_out(board: Board, crowds: tuple[Crowd, ...], gate: Crowd) -> MapLayout:
    """Return the layout of a board.

    `crowds`: numbers of dice by space. `gate`: number of unplaced dice.
    """
    return _Rows(board, crowds, gate).plan()


class _Rows:
    """Calculates the positions of the rows of a board from top to bottom."""

    def __init__(self, board: Board, crowds: Sequence[Crowd], gate: Crowd) -> None:
        self.board, self.crowds, self.gate = board, crowds, gate
        most = max(map(len, board.rows))
        self.width = max(WIDTH, EDGE + most * (MIN_PLAZA_WIDTH + EDGE))
        self.tallest = 0.0

    def plan(self) -> MapLayout:
        top: float = SKY_HEIGHT
        gate = self._gate(top) if self.gate.count else None
        top = gate.bottom + STREET_HEIGHT / 2 if gate else top
        plazas: dict[int, Plaza] = {}
        for number, listed in enumerate(self.board.rows):
            row = self._from_left(listed)
            laid = self._row(number, row, top + NAME_OVERHANG)
            plazas |= dict(zip(row, laid, strict=True))
            top = max(plaza.bottom for plaza in laid) + STREET_HEIGHT
        return MapLayout(
            width=self.width,
            height=top - STREET_HEIGHT + SEA_HEIGHT,
            plazas=tuple(plazas[index] for index in range(len(self.board.spaces))),
            gate=gate,
            shore=min(plazas[index].top for index in self.board.rows[-1]),
            beach=max(plaza.bottom for plaza in plazas.values()),
            tallest=self.tallest,
        )

    def _from_left(self, row: Sequence[int]) -> tuple[int, ...]:
        """Return the spaces of a row from left to right.

        The order is that of the board's coordinates, or the order of the file if there are none.
        """
        xs = self._spotted(row)
        if not xs:
            return tuple(row)
        return tuple(sorted(row, key=dict(zip(row, xs, strict=True)).__getitem__))

    def _gate(self, top: float) -> Plaza:
        """Return the place of unplaced dice: a bar below the sky."""
        wide, middle = (self.width - 2 * EDGE,), (self.width / 2,)
        plaza = self._largest_plazas((self.gate,), wide, middle, top + NAME_OVERHANG, BELOW_NAME)[0]
        return replace(plaza, height=max(plaza.height, TAP_SIZE))

    def _row(self, number: int, row: Sequence[int], top: float) -> tuple[Plaza, ...]:
        crowds = tuple(self.crowds[space] for space in row)
        if number == self.board.steps:
            return self._destination_plazas(crowds, top)
        if not any(crowd.count for crowd in crowds):
            size = 2 * RADIUS
            return tuple(
                Plaza(x=x, top=top, width=size, height=size, large=False) for x in self._spread(row)
            )
        wide = plaza_widths(crowds, self.width)
        middles = _side_by_side(wide, self.width)
        return _level_plazas(self._largest_plazas(crowds, wide, middles, top, BELOW_NAME))

    def _destination_plazas(self, crowds: tuple[Crowd, ...], top: float) -> tuple[Plaza, ...]:
        """Return the places of the destinations: cards with their dice below the text."""
        wide = plaza_widths(crowds, self.width)
        laid = self._largest_plazas(
            crowds, wide, _side_by_side(wide, self.width), top, CARD_HEIGHT - BOTTOM
        )
        tallest = max(plaza.height for plaza in laid)
        return tuple(replace(plaza, height=tallest) for plaza in laid)

    def _spread(self, row: Sequence[int]) -> tuple[float, ...]:
        """Return the centres of the spaces in a row without dice.

        They are the board's coordinates, or else spaced like those of the longest row.
        """
        if spots := self._spotted(row):
            return spots
        pitch = self.width / max(map(len, self.board.rows))
        first = self.width / 2 - pitch * (len(row) - 1) / 2
        return tuple(first + pitch * place for place in range(len(row)))

    def _spotted(self, row: Sequence[int]) -> tuple[float, ...]:
        """Return the centres from the board's coordinates.

        Returns () if there are no coordinates or two spaces are too close to each other.
        """
        spots = [spot[0] for space in row if (spot := self.board.spaces[space].spot)]
        xs = [space.spot[0] for space in self.board.spaces if space.spot] or [0]
        low, high = min(xs), max(xs)
        if len(spots) < len(row) or low == high:
            return ()
        room = self.width - MIN_PLAZA_WIDTH - 2 * EDGE
        centres = tuple(MIN_PLAZA_WIDTH / 2 + EDGE + (x - low) * room / (high - low) for x in spots)
        ordered = sorted(centres)
        gaps = (right - left for left, right in pairwise(ordered))
        return centres if min(gaps, default=MIN_PLAZA_WIDTH) >= MIN_PLAZA_WIDTH else ()

    def _largest_plazas(
        self,
        crowds: Sequence[Crowd],
        wide: Sequence[float],
        middles: Sequence[float],
        top: float,
        above: float,
    ) -> tuple[Plaza, ...]:
        """Return plazas with the largest dice that keep every plaza below the maximum height."""
        size = cell_size(crowds, wide)
        places = zip(crowds, wide, middles, strict=True)
        laid = tuple(_fill_plaza(crowd, width, x, top, above, size) for crowd, width, x in places)
        high = max(
            crowd_height(crowd, width, size) for crowd, width in zip(crowds, wide, strict=True)
        )
        self.tallest = max(self.tallest, high)
        return laid


def _side_by_side(wide: Sequence[float], width: float) -> tuple[float, ...]:
    left = (width - sum(wide) - EDGE * (len(wide) - 1)) / 2
    middles = []
    for each in wide:
        middles.append(left + each / 2)
        left += each + EDGE
    return tuple(middles)


def _fill_plaza(
    crowd: Crowd, width: float, x: float, top: float, above: float, size: float
) -> Plaza:
    """Return a plaza with the cells of its dice.

    `above`: free units above the first line of dice.
    """
    cells = {
        kind: tuple(each) for kind, each in crowd_cells(crowd, width, x, top + above, size).items()
    }
    high = above + crowd_height(crowd, width, size) + BOTTOM
    return Plaza(x=x, top=top, width=width, height=max(high, MIN_PLAZA_HEIGHT), large=True, **cells)


def _level_plazas(plazas: Sequence[Plaza]) -> tuple[Plaza, ...]:
    """Move the plazas of a row vertically so that their middles are level. The tallest plaza
    is not moved.
    """
    tallest = max(plaza.height for plaza in plazas)
    return tuple(_lower_plaza(plaza, (tallest - plaza.height) / 2) for plaza in plazas)


def _lower_plaza(plaza: Plaza, by: float) -> Plaza:
    def down(cells: tuple[DieCell, ...]) -> tuple[DieCell, ...]:
        return tuple(replace(cell, y=cell.y + by) for cell in cells)

    return replace(
        plaza,
        top=plaza.top + by,
        bulls=down(plaza.bulls),
        near=down(plaza.near),
        far=down(plaza.far),
    )
