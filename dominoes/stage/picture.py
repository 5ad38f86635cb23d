"""The train as a drawing: tiles in the order of painting, free places with flags, the frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from dominoes import words
from dominoes.engine import End, Rules, Side, View, domino_set
from dominoes.stage.grid import HALF, Layout, Placed, arrange, columns_of
from dominoes.stage.pips import DOTTED

MARGIN: Final = 9
"""Units of sand left around what lies."""
LEAST_HEIGHT: Final = 148
"""Units that the sand is high at least, so that a short train does not make a narrow strip."""
LETTER: Final = 6.1
"""Units that a letter of a flag is wide, on the smallest set's grid."""
FLAG_HEIGHT: Final = 17.2
FLAG_AWAY: Final = 14
"""Units from the edge of a free place to the middle of its flag."""

Box = tuple[float, float, float, float]
"""Left, upper, right and lower edge, in units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A tile to be drawn about its centre: bodies are never turned, only the pips are.

    `first`, `second`: the halves to the left and right, or above and below where it stands.
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
        """Each half: pips, offset in units, and whether it is shown in dots."""
        away = 11.6
        places = ((0.0, -away), (0.0, away)) if self.standing else ((-away, 0.0), (away, 0.0))
        halves = zip((self.first, self.second), places, strict=True)
        return tuple((half, x, y, half <= DOTTED) for half, (x, y) in halves)

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """The outline of what was laid last: left, upper edge, width, height."""
        width, height = (HALF, 2 * HALF) if self.standing else (2 * HALF, HALF)
        return (self.x - width / 2 - 3, self.y - height / 2 - 3, width + 6, height + 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """What a free place asks for: its words in a box, with a point towards the place."""

    x: float
    y: float
    point: float
    width: float
    scale: float
    below: bool
    text: str

    @property
    def left(self) -> float:
        """The left edge of its box, from its middle."""
        return -self.width / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A free place at an end: where the next tile goes, and the half it must turn inwards."""

    side: Side
    place: Placed
    flag: Flag
    label: str
    matador: bool
    half: int | None
    half_x: float
    half_y: float
    dotted: bool

    @property
    def touch(self) -> Box:
        """Left, upper edge, width and height of place and flag together, to be tapped."""
        boxes = _boxes((), (self,))
        left, upper = (min(box[edge] for box in boxes) for edge in (0, 1))
        right, lower = (max(box[edge] for box in boxes) for edge in (2, 3))
        return (left, upper, right - left, lower - upper)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The train of a hand, ready to be drawn; `box` is the viewBox."""

    tiles: tuple[Drawn, ...]
    open: tuple[Open, ...]
    box: str
    columns: int
    listed: tuple[str, ...]

    @property
    def wide(self) -> bool:
        """Whether the set is so large that a phone shows the train by scrolling."""
        return self.columns > columns_of(DOTTED)


def picture(view: View) -> Picture:
    """The train as this view shows it."""
    train = view.train
    columns = columns_of(view.rules.highest)
    if not train or view.ends is None:
        return Picture(tiles=(), open=(), box=_box((), columns), columns=columns, listed=())
    layout = arrange(train, view.rules.highest)
    tiles = _tiles(view.rules, layout)
    free = _free(layout, view.ends) if view.turn is not None else ()
    return Picture(
        tiles=tiles,
        open=free,
        box=_box(_boxes(layout.tiles, free), columns),
        columns=columns,
        listed=tuple(_listed(view.rules, tile) for tile in layout.tiles),
    )


def one(rules: Rules, tile: int, *, standing: bool = True, flipped: bool = False) -> Drawn:
    """A tile by itself: the higher half above or to the left, unless `flipped`."""
    low, high = domino_set(rules.highest).tiles[tile]
    first, second = (low, high) if flipped else (high, low)
    return Drawn(
        x=0,
        y=0,
        standing=standing,
        first=first,
        second=second,
        matador=domino_set(rules.highest).is_matador(tile),
        name=f"{high}-{low}",
    )


def _tiles(rules: Rules, layout: Layout) -> tuple[Drawn, ...]:
    """The tiles, upper ones first: the thickness of a body lies below it."""
    last = max(tile.laid.number for tile in layout.tiles if tile.laid is not None)
    drawn = [_drawn(rules, placed, last) for placed in layout.tiles]
    return tuple(sorted(drawn, key=lambda tile: (tile.y, tile.x)))


def _drawn(rules: Rules, placed: Placed, last: int) -> Drawn:
    assert placed.laid is not None
    return Drawn(
        x=placed.x,
        y=placed.y,
        standing=placed.standing,
        first=placed.first,
        second=placed.second,
        matador=domino_set(rules.highest).is_matador(placed.laid.tile),
        name=words.tile_name(rules, placed.laid.tile),
        last=placed.laid.number == last,
    )


def _listed(rules: Rules, placed: Placed) -> str:
    """A tile of the train in words, for who hears the page."""
    laid = placed.laid
    assert laid is not None
    matador = domino_set(rules.highest).is_matador(laid.tile)
    return words.lying(laid.left, laid.right, matador=matador, lie=laid.lie, first=not laid.side)


def _free(layout: Layout, ends: tuple[End, End]) -> tuple[Open, ...]:
    scale = layout.columns / columns_of(2)
    places = (layout.left, layout.right)
    return tuple(map(_open, Side, places, ends, (scale, scale)))


def _open(side: Side, place: Placed, end: End, scale: float) -> Open:
    half = end.needs[0] if len(end.needs) == 1 and end.needs[0] else None
    x, y = _inward(place)
    return Open(
        side=side,
        place=place,
        label=words.lay_here(side, end),
        flag=_flag(place, words.flag(end), scale),
        matador=not end.needs,
        half=half,
        half_x=x,
        half_y=y,
        dotted=half is not None and half <= DOTTED,
    )


def _inward(place: Placed) -> tuple[float, float]:
    """Where the half that touches the train lies, from the centre of a free place."""
    away = HALF / 2
    if place.standing:
        return (0.0, -away * place.arm)
    return (-away * place.heading, 0.0)


def _flag(place: Placed, text: str, scale: float) -> Flag:
    """The words above a place of the left arm, below one of the right arm.

    They begin where the train ends, so that they never cover its last tile.
    """
    width = (len(text) * LETTER + 14) * scale
    away = place.height / 2 + FLAG_AWAY * scale
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


def _boxes(tiles: Sequence[Placed], free: Sequence[Open]) -> list[Box]:
    found = [_around(tile.x, tile.y, tile.width, tile.height + 5) for tile in tiles]
    found += [_around(at.x, at.y, at.width, at.height) for at in (each.place for each in free)]
    flags = [(each.flag, each.flag.scale) for each in free]
    found += [_around(f.x, f.y, f.width * scale, FLAG_HEIGHT * scale) for f, scale in flags]
    return found


def _around(x: float, y: float, width: float, height: float) -> Box:
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _box(boxes: Iterable[Box], columns: int) -> str:
    """The viewBox around boxes: the whole grid wide, so that tiles keep their size and place."""
    found = [*boxes, (0.0, 0.0, float(columns * HALF), float(HALF))]
    left, right = min(box[0] for box in found), max(box[2] for box in found)
    upper, lower = min(box[1] for box in found), max(box[3] for box in found)
    missing = max(0.0, LEAST_HEIGHT * columns / columns_of(2) - (lower - upper)) / 2
    x, y = left - MARGIN, upper - missing - MARGIN
    width, height = right - left + 2 * MARGIN, lower - upper + 2 * (missing + MARGIN)
    return f"{x:g} {y:g} {width:g} {height:g}"
