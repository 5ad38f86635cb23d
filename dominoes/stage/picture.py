"""Drawing of a dominoes hand: the train laid out on the table, and single tiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dominoes.engine import End, LaidTile, Rules, Side, View, domino_set
from dominoes.stage import sentences

# Width of half a tile in drawing units. A whole tile is 48 x 24 units.
HALF: Final = 24
# Distance between two lines of tiles, in rows. One row between the lines stays free for tiles that
# lie across.
GAP: Final = 2
# Drawing units by which a tile that lies across is moved, to make room for another tile across in
# the next line.
NUDGE: Final = 5
WIDTHS: Final = ((6, 13), (9, 15), (12, 19), (18, 25))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedTile:
    """A tile in the drawing, or a free place for a tile.

    `x`, `y`: its centre in drawing units. `standing`: True if upright. `first`, `second`: its
    halves to the left and right, or above and below. `across`: True if the train passes through its
    side. `laid`: the tile of the train, None for a free place. `arm`: -1 for the left arm of the
    train, 1 for the right arm, 0 for the first tile. `heading`: 1 if its arm runs to the right at
    this place, -1 if to the left.
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
    """The free grid cell at which an arm of the train continues.

    `heading`: 1 if the arm runs to the right, -1 to the left. `arm`: 1 if the arm turns down, -1 if
    it turns up. `bends`: True if the arm may turn here. It never turns beside a tile across.
    """

    column: int
    row: int
    heading: int
    arm: int
    columns: int
    bends: bool = True

    @property
    def room(self) -> int:
        """Number of free grid cells between the cursor and the edge of the drawing.

        Zero or less if the cursor is past the edge.
        """
        return self.columns - self.column if self.heading > 0 else self.column + 1

    @property
    def turning(self) -> bool:
        return self.bends and self.room < GAP


@dataclass(frozen=True, slots=True)
class Layout:
    """A train's tiles from left to right with their positions, and the free places at both ends."""

    tiles: tuple[PlacedTile, ...]
    left: PlacedTile
    right: PlacedTile
    columns: int


def columns_of(highest: int) -> int:
    return next(columns for most, columns in WIDTHS if highest <= most)


def arrange_train(train: Sequence[LaidTile], highest: int) -> Layout:
    """Lay out a train that has at least one tile."""
    columns = columns_of(highest)
    middle = columns // 2 - 1
    opening = next(place for place, laid in enumerate(train) if laid.side is None)
    left, free_left = _grow_arm(train[:opening][::-1], Cursor(middle - 1, 0, -1, -1, columns))
    right, free_right = _grow_arm(train[opening + 1 :], Cursor(middle + 2, 0, 1, 1, columns))
    lead = _first_tile(train[opening], middle)
    tiles = _spread_apart([*reversed(left), lead, *right])
    return Layout(tuple(tiles), _free(free_left), _free(free_right), columns)


def _first_tile(laid: LaidTile, column: int) -> PlacedTile:
    x = (column + 1) * HALF
    return PlacedTile(
        x=x, y=HALF / 2, standing=False, first=laid.left, second=laid.right, laid=laid
    )


def _grow_arm(arm: Sequence[LaidTile], cursor: Cursor) -> tuple[list[PlacedTile], Cursor]:
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
    return _in_line(cursor, 0, 0)[0]


def _in_line(at: Cursor, inward: int, outward: int) -> tuple[PlacedTile, Cursor]:
    """Place a tile in line with the train, straight ahead or around a corner.

    Return the tile and the next cell.
    """
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
    """Place a matador (wild tile) across the line. Return the tile and the next cell.

    The middle of the tile is in line with the train. In the variant `stub`, one half of the tile is
    in line instead.
    """
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
    """Move apart tiles across the train that face each other in neighbouring lines.

    The tile farther from the first line is moved.
    """
    shifts: dict[tuple[float, float], float] = {}
    level = [t for t in tiles if t.across and t.laid is not None and t.laid.lie == "across"]
    for tile in sorted(level, key=lambda tile: abs(tile.y - HALF / 2)):
        outward = 1 if tile.y > HALF / 2 else -1
        facing = shifts.get((tile.x, tile.y - outward * GAP * HALF))
        gives = tile.y != HALF / 2 and facing is not None
        shifts[tile.x, tile.y] = (facing or 0) + outward * NUDGE if gives else 0.0
    return [
        replace(tile, y=tile.y + shifts.get((tile.x, tile.y), 0.0)) if tile.across else tile
        for tile in tiles
    ]


# Drawing units between two dots of a half.
STEP: Final = 6.6
# The highest half that is drawn with dots. Higher halves are drawn as numbers.
MAX_DOTTED: Final = 9

_ROWS: Final[Mapping[int, tuple[str, str, str]]] = {
    0: ("   ", "   ", "   "),
    1: ("   ", " o ", "   "),
    2: ("o  ", "   ", "  o"),
    3: ("o  ", " o ", "  o"),
    4: ("o o", "   ", "o o"),
    5: ("o o", " o ", "o o"),
    6: ("o o", "o o", "o o"),
    7: ("o o", "ooo", "o o"),
    8: ("ooo", "o o", "ooo"),
    9: ("ooo", "ooo", "ooo"),
}


def pip_dots(half: int) -> tuple[tuple[float, float], ...]:
    """Return the positions of a half's dots, in drawing units from its centre.

    Halves above nine have no dots.
    """
    rows = _ROWS.get(half, ())
    return tuple(
        ((column - 1) * STEP, (row - 1) * STEP)
        for row, line in enumerate(rows)
        for column, sign in enumerate(line)
        if sign == "o"
    )


def pip_symbols(highest: int) -> tuple[tuple[int, tuple[tuple[float, float], ...]], ...]:
    return tuple((half, pip_dots(half)) for half in range(min(highest, MAX_DOTTED) + 1))


# Margin around the train in drawing units.
MARGIN: Final = 9
# Minimum height of the drawing in units, so that a short train is not a narrow strip.
MIN_HEIGHT: Final = 148
# Width of a letter in the label of a free place, in units, for the smallest set.
LETTER_WIDTH: Final = 6.1
FLAG_HEIGHT: Final = 17.2
# Units from the edge of a free place to the middle of its label.
FLAG_DISTANCE: Final = 14

# A rectangle: left, upper, right and lower edge, in drawing units.
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTile:
    """A tile drawn about its centre. Only its dots are rotated.

    `first`, `second`: the halves to the left and right, or above and below.
    """

    x: float
    y: float
    standing: bool
    first: int
    second: int
    matador: bool
    name: str = ""
    last: bool = False

    @property
    def halves(self) -> tuple[tuple[int, float, float, bool], ...]:
        away = 11.6
        places = ((0.0, -away), (0.0, away)) if self.standing else ((-away, 0.0), (away, 0.0))
        halves = zip((self.first, self.second), places, strict=True)
        return tuple((half, x, y, half <= MAX_DOTTED) for half, (x, y) in halves)

    @property
    def frame(self) -> tuple[float, float, float, float]:
        width, height = (HALF, 2 * HALF) if self.standing else (2 * HALF, HALF)
        return (self.x - width / 2 - 3, self.y - height / 2 - 3, width + 6, height + 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Label of a free place: a box that points to the place and says which half fits there."""

    x: float
    y: float
    point: float
    width: float
    scale: float
    below: bool
    text: str

    @property
    def left(self) -> float:
        return -self.width / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FreePlace:
    """A free place at an end of the train, and the half that must touch the train there."""

    side: Side
    place: PlacedTile
    flag: Flag
    label: str
    matador: bool
    half: int | None
    half_x: float
    half_y: float
    dotted: bool

    @property
    def touch(self) -> Box:
        """The tap area of the free place and its label: left and upper edge, width and height."""
        boxes = _boxes((), (self,))
        left, upper = (min(box[edge] for box in boxes) for edge in (0, 1))
        right, lower = (max(box[edge] for box in boxes) for edge in (2, 3))
        return (left, upper, right - left, lower - upper)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainPicture:
    """A train ready to be drawn. `box` is the viewBox of the SVG."""

    tiles: tuple[DrawnTile, ...]
    open: tuple[FreePlace, ...]
    box: str
    columns: int
    listed: tuple[str, ...]

    @property
    def wide(self) -> bool:
        return self.columns > columns_of(MAX_DOTTED)


def draw_train(view: View) -> TrainPicture:
    train = view.train
    columns = columns_of(view.rules.highest)
    if not train or view.ends is None:
        return TrainPicture(tiles=(), open=(), box=_box((), columns), columns=columns, listed=())
    layout = arrange_train(train, view.rules.highest)
    last = max(tile.laid.number for tile in layout.tiles if tile.laid is not None)
    drawn = [_draw_placed(view.rules, placed, last) for placed in layout.tiles]
    free: tuple[FreePlace, ...] = ()
    if view.turn is not None:
        scale = layout.columns / columns_of(2)
        places = (layout.left, layout.right)
        free = tuple(map(_free_place, Side, places, view.ends, (scale, scale)))
    return TrainPicture(
        # Upper tiles come first, because each tile has a visible thickness below it.
        tiles=tuple(sorted(drawn, key=lambda tile: (tile.y, tile.x))),
        open=free,
        box=_box(_boxes(layout.tiles, free), columns),
        columns=columns,
        listed=tuple(_tile_in_words(view.rules, tile) for tile in layout.tiles),
    )


def draw_tile(
    rules: Rules, tile: int, *, standing: bool = True, flipped: bool = False
) -> DrawnTile:
    """Draw a single tile. The higher half is above or to the left unless `flipped`."""
    low, high = domino_set(rules.highest).tiles[tile]
    first, second = (low, high) if flipped else (high, low)
    return DrawnTile(
        x=0,
        y=0,
        standing=standing,
        first=first,
        second=second,
        matador=domino_set(rules.highest).is_matador(tile),
        name=f"{high}-{low}",
    )


def _draw_placed(rules: Rules, placed: PlacedTile, last: int) -> DrawnTile:
    assert placed.laid is not None
    return DrawnTile(
        x=placed.x,
        y=placed.y,
        standing=placed.standing,
        first=placed.first,
        second=placed.second,
        matador=domino_set(rules.highest).is_matador(placed.laid.tile),
        name=sentences.tile_name(rules, placed.laid.tile),
        last=placed.laid.number == last,
    )


def _tile_in_words(rules: Rules, placed: PlacedTile) -> str:
    laid = placed.laid
    assert laid is not None
    matador = domino_set(rules.highest).is_matador(laid.tile)
    return sentences.laid_name(
        laid.left, laid.right, matador=matador, lie=laid.lie, first=not laid.side
    )


def _free_place(side: Side, place: PlacedTile, end: End, scale: float) -> FreePlace:
    half = end.needs[0] if len(end.needs) == 1 and end.needs[0] else None
    x, y = _inward(place)
    return FreePlace(
        side=side,
        place=place,
        label=sentences.lay_label(side, end),
        flag=_draw_flag(place, sentences.end_flag(end), scale),
        matador=not end.needs,
        half=half,
        half_x=x,
        half_y=y,
        dotted=half is not None and half <= MAX_DOTTED,
    )


def _inward(place: PlacedTile) -> tuple[float, float]:
    away = HALF / 2
    if place.standing:
        return (0.0, -away * place.arm)
    return (-away * place.heading, 0.0)


def _draw_flag(place: PlacedTile, text: str, scale: float) -> Flag:
    """Place the label of a free place: above it for the left arm, below it for the right arm.

    The label begins where the train ends, so that it never covers the last tile.
    """
    width = (len(text) * LETTER_WIDTH + 14) * scale
    away = place.height / 2 + FLAG_DISTANCE * scale
    over = max(0.0, width / 2 - HALF) if not place.standing else 0.0
    return Flag(
        x=place.x + over * place.heading,
        y=place.y + away * place.arm,
        point=-over * place.heading / scale,
        width=width / scale,
        scale=scale,
        below=place.arm > 0,
        text=text,
    )


def _boxes(tiles: Sequence[PlacedTile], free: Sequence[FreePlace]) -> list[Box]:
    boxes = [_around(tile.x, tile.y, tile.width, tile.height + 5) for tile in tiles]
    boxes += [_around(at.x, at.y, at.width, at.height) for at in (each.place for each in free)]
    flags = [(each.flag, each.flag.scale) for each in free]
    boxes += [_around(f.x, f.y, f.width * scale, FLAG_HEIGHT * scale) for f, scale in flags]
    return boxes


def _around(x: float, y: float, width: float, height: float) -> Box:
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _box(boxes: Iterable[Box], columns: int) -> str:
    """Return the viewBox of the SVG.

    It is as wide as the whole grid, so that tiles have the same size and position after each move.
    """
    all_boxes = [*boxes, (0.0, 0.0, float(columns * HALF), float(HALF))]
    left, right = min(box[0] for box in all_boxes), max(box[2] for box in all_boxes)
    upper, lower = min(box[1] for box in all_boxes), max(box[3] for box in all_boxes)
    missing = max(0.0, MIN_HEIGHT * columns / columns_of(2) - (lower - upper)) / 2
    x, y = left - MARGIN, upper - missing - MARGIN
    width, height = right - left + 2 * MARGIN, lower - upper + 2 * (missing + MARGIN)
    return f"{x:g} {y:g} {width:g} {height:g}"
