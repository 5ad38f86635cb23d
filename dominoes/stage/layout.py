"""The layout of a train: two arms growing from the first tile on a grid of half-tiles.

Cell (0, 0) is the upper left one of the first row. Columns grow to the right, rows downwards.
The right arm starts to the right and turns down at the edge, the left arm to the left and up.
A tile's position never depends on tiles laid later at its own arm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from dominoes.engine import LaidTile, Side

HALF: Final = 24
# Size of a half-tile in units: a tile is 48 x 24.
GAP: Final = 2
# Rows between two lines of tiles, so that one stays free for tiles across.
NUDGE: Final = 5
# Units by which a matador across is moved away from one facing it.
WIDTHS: Final = ((6, 13), (9, 15), (12, 19), (18, 25))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedTile:
    """A tile, or a place for one: its centre in units and its halves as seen.

    `standing`: upright. `first`, `second`: the halves to the left and right, or above and
    below. `across`: the train passes through its side. `laid`: index in the train, None for a
    free place. `arm`: -1 the left, 1 the right, 0 the first tile. `heading`: 1 if its arm
    runs to the right there, -1 to the left.
    """

    x: float
    y: float
    standing: bool
    first: int
    second: int
    across: bool = False
    laid: LaidTile | None = None
    arm: int = 0
    heading: int = 1

    @property
    def width(self) -> int:
        return HALF if self.standing else 2 * HALF

    @property
    def height(self) -> int:
        return 2 * HALF if self.standing else HALF


@dataclass(frozen=True, slots=True)
class Cursor:
    """The free cell at which an arm continues.

    `heading`: 1 to the right, -1 to the left. `arm`: 1 turns down, -1 turns up. `bends`: the
    arm may turn here, which it never does beside a tile across.
    """

    column: int
    row: int
    heading: int
    arm: int
    columns: int
    bends: bool = True

    @property
    def room(self) -> int:
        """Return the cells left before the edge, zero or less past it."""
        return self.columns - self.column if self.heading > 0 else self.column + 1

    @property
    def turning(self) -> bool:
        """Return True if the next tile in line stands at the edge."""
        return self.bends and self.room < GAP


@dataclass(frozen=True, slots=True)
class Layout:
    """A train's tiles from left to right, and the places where it continues."""

    tiles: tuple[PlacedTile, ...]
    left: PlacedTile
    right: PlacedTile
    columns: int


def columns_of(highest: int) -> int:
    """Return the maximum width of a double-n set's train in half-tiles."""
    return next(columns for most, columns in WIDTHS if highest <= most)


def arrange_train(train: Sequence[LaidTile], highest: int) -> Layout:
    """Lay out a train of at least one tile."""
    columns = columns_of(highest)
    middle = columns // 2 - 1
    opening = next(place for place, laid in enumerate(train) if laid.side is None)
    left, free_left = _grow(train[:opening][::-1], Cursor(middle - 1, 0, -1, -1, columns))
    right, free_right = _grow(train[opening + 1 :], Cursor(middle + 2, 0, 1, 1, columns))
    lead = _first(train[opening], middle)
    tiles = _spread_apart([*reversed(left), lead, *right])
    return Layout(tuple(tiles), _free(free_left), _free(free_right), columns)


def _first(laid: LaidTile, column: int) -> PlacedTile:
    x = (column + 1) * HALF
    return PlacedTile(
        x=x, y=HALF / 2, standing=False, first=laid.left, second=laid.right, laid=laid
    )


def _grow(arm: Sequence[LaidTile], cursor: Cursor) -> tuple[list[PlacedTile], Cursor]:
    """Return the tiles of an arm from the first tile outwards, and its cursor."""
    placed = []
    for laid in arm:
        inward, outward = (laid.left, laid.right)
        if laid.side is Side.LEFT:
            inward, outward = outward, inward
        if laid.lie == "inline":
            tile, cursor = _in_line(cursor, inward, outward)
        else:
            tile, cursor = _crosswise(cursor, laid)
        placed.append(replace(tile, laid=laid))
    return placed, cursor


def _free(cursor: Cursor) -> PlacedTile:
    """Return the place of the next tile in line."""
    return _in_line(cursor, 0, 0)[0]


def _in_line(at: Cursor, inward: int, outward: int) -> tuple[PlacedTile, Cursor]:
    """Place a tile in line, straight on or round the corner. Return it and the next cursor."""
    if at.turning:
        return _round_the_corner(at, inward, outward)
    first, second = (inward, outward) if at.heading > 0 else (outward, inward)
    x = (at.column + 0.5 + at.heading / 2) * HALF
    tile = _place_tile(at, x, _centre(at.row), (first, second))
    return tile, replace(at, column=at.column + 2 * at.heading, bends=True)


def _round_the_corner(at: Cursor, inward: int, outward: int) -> tuple[PlacedTile, Cursor]:
    column, row = at.column - at.heading, at.row + GAP * at.arm
    first, second = (inward, outward) if at.arm > 0 else (outward, inward)
    y = _centre(at.row) + 1.5 * HALF * at.arm
    tile = _place_tile(at, _centre(column), y, (first, second), standing=True)
    onward = replace(at, column=column - at.heading, row=row, heading=-at.heading, bends=True)
    return tile, onward


def _crosswise(at: Cursor, laid: LaidTile) -> tuple[PlacedTile, Cursor]:
    """Place a matador across the line: both halves level with it, or one in it and one outside."""
    first, second, y = laid.left, laid.right, _centre(at.row)
    if laid.lie == "stub":
        open_half, other = first, second
        if laid.side is Side.RIGHT:
            open_half, other = other, open_half
        first, second = (open_half, other) if at.arm > 0 else (other, open_half)
        y += HALF / 2 * at.arm
    tile = _place_tile(at, _centre(at.column), y, (first, second), standing=True)
    return replace(tile, across=True), replace(at, column=at.column + at.heading, bends=False)


def _place_tile(
    at: Cursor, x: float, y: float, halves: tuple[int, int], *, standing: bool = False
) -> PlacedTile:
    return PlacedTile(
        x=x,
        y=y,
        standing=standing,
        first=halves[0],
        second=halves[1],
        arm=at.arm,
        heading=at.heading,
    )


def _centre(cell: int) -> float:
    return (cell + 0.5) * HALF


def _spread_apart(tiles: list[PlacedTile]) -> list[PlacedTile]:
    """Move the outer one of two tiles that lie across face to face."""
    shifts: dict[tuple[float, float], float] = {}
    level = [t for t in tiles if t.across and t.laid is not None and t.laid.lie == "across"]
    for tile in sorted(level, key=lambda tile: abs(tile.y - HALF / 2)):
        outward = 1 if tile.y > HALF / 2 else -1
        facing = shifts.get((tile.x, tile.y - outward * GAP * HALF))
        gives = tile.y != HALF / 2 and facing is not None
        shifts[tile.x, tile.y] = (facing or 0) + outward * NUDGE if gives else 0.0
    return [_shifted(tile, shifts.get((tile.x, tile.y), 0.0)) for tile in tiles]


def _shifted(tile: PlacedTile, shift: float) -> PlacedTile:
    return replace(tile, y=tile.y + shift) if shift and tile.across else tile
