"""Coordinates of the picture of the ring: one cell per move, and five cells for the kill.

Units are those of the picture's viewBox, 600 by 600, with the centre at 300. Angles are in degrees
clockwise from the top. Templates choose the colours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import NamedTuple

from corridas.engine import MARKS, STROKES, Scoresheet

CENTRE = 300.0
# Angle of the sector of one act in degrees. The first sector begins at the top.
SECTOR = 120.0

MARGIN, GAP = 3.8, 1.6
INNER, OUTER, STROKE_AT = 182.0, 222.0, 202.0
KILL_INNER, KILL_OUTER = 54.0, 70.0
SUM_AT, DUEL_AT = 128.0, 131.0
# Minimum number of cells of the second act while it goes on, because it has no fixed length (Ruling
# I-8).
SHORTEST_SECOND = 6


class Point(NamedTuple):
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the ring: outline, pen stroke and position of a pair of sticks.

    `state` is `done`, `next` or empty. `now` marks the newest cell, and `pair` a CLAVAR move, in
    which the matador places a pair of sticks.
    """

    outline: str
    stroke: str
    spot: Point
    state: str
    now: bool = False
    pair: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Sector:
    """The cells of one act. Sectors are cached, so equal ones are the same object."""

    tercio: int
    cells: tuple[Cell, ...]

    @property
    def done(self) -> str:
        return "".join(cell.outline for cell in self.cells if cell.state == "done")

    @property
    def open(self) -> str:
        return "".join(cell.outline for cell in self.cells if not cell.state)

    @property
    def following(self) -> str:
        return next((cell.outline for cell in self.cells if cell.state == "next"), "")

    @property
    def strokes(self) -> str:
        return "".join(cell.stroke for cell in self._plain if not cell.now)

    @property
    def newest(self) -> str:
        return next((cell.stroke for cell in self._plain if cell.now), "")

    @property
    def pairs(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.pair]

    @property
    def _plain(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.state == "done" and not cell.pair]


class Sums(NamedTuple):
    """The points of one act, and where they are shown in the ring.

    Acts without points have no such label.
    """

    spot: Point
    matador: int | None
    bull: int | None


@dataclass(frozen=True, slots=True)
class Duel:
    bull: Point
    looks: float
    man: Point


@dataclass(frozen=True, slots=True)
class Ring:
    """All parts of the ring that change during a fight.

    `tercio` is the current act: 1-3, 4 for the kill, 0 when the fight is over.
    """

    tercio: int
    sectors: tuple[Sector, ...]
    sums: tuple[Sums, ...]
    kill: tuple[Cell, ...]
    strokes: int
    duel: Duel | None


def draw(sheet: Scoresheet, *, ended: tuple[bool, bool, bool], kill: bool, over: bool) -> Ring:
    tercio = 0 if over else 4 if kill else next((n for n in (1, 2, 3) if not ended[n - 1]), 4)
    last = _newest(sheet)
    sectors = tuple(
        _sector(n, column.marks, ended[n - 1], n == tercio, n == last, tuple(column.clavars))
        for n, column in enumerate(sheet.tercios, start=1)
    )
    made = len(sheet.modifiers)
    cells = _kill_cells(made, tercio == 4)
    duel = None if over else _duel(tercio, sheet, made)
    return Ring(tercio, sectors, tuple(_sums(sheet, tercio)), cells, made, duel)


def _newest(sheet: Scoresheet) -> int:
    if sheet.modifiers:
        return 0
    return max((n for n in (1, 2, 3) if sheet.tercios[n - 1].marks), default=0)


@lru_cache(maxsize=512)
def _sector(
    tercio: int, marks: int, ended: bool, current: bool, newest: bool, clavars: tuple[int, ...]
) -> Sector:
    cells = cells_of(tercio, marks, ended)
    return Sector(
        tercio,
        tuple(
            _cell(tercio, cell, cells, marks, newest, current, cell + 1 in clavars)
            for cell in range(cells)
        ),
    )


def _sums(sheet: Scoresheet, current: int) -> Iterator[Sums]:
    for tercio, column in enumerate(sheet.tercios, start=1):
        if column.matador or column.bull:
            aside = 26 if current == tercio or (current == 4 and tercio == 3) else 0
            matador = sum(column.matador) if column.matador else None
            bull = sum(column.bull) if column.bull else None
            yield Sums(at(SECTOR * (tercio - 0.5) + aside, SUM_AT), matador, bull)


def cells_of(tercio: int, marks: int, ended: bool) -> int:
    """Return the number of cells of an act.

    It is ten. For the second act it is the number of moves made, and at least one more while it
    goes on.
    """
    if tercio != 2:
        return MARKS
    return marks if ended else max(SHORTEST_SECOND, marks + 1)


def _cell(
    tercio: int, cell: int, cells: int, marks: int, newest: bool, current: bool, pair: bool
) -> Cell:
    outline, stroke, spot = _shape(tercio, cell, cells)
    state = "done" if cell < marks else "next" if cell == marks and current else ""
    return Cell(outline, stroke, spot, state, newest and cell == marks - 1, pair)


@lru_cache(maxsize=1024)
def _shape(tercio: int, cell: int, cells: int) -> tuple[str, str, Point]:
    step = (SECTOR - 2 * MARGIN + GAP) / cells
    first = SECTOR * (tercio - 1) + MARGIN + step * cell
    middle = first + (step - GAP) / 2
    lean = middle + (2.4 if cell % 2 else -1.8)
    stroke = f"M{_text(at(middle, STROKE_AT - 11))}L{_text(at(lean, STROKE_AT + 11))}"
    return _band(first, first + step - GAP, INNER, OUTER), stroke, at(middle, STROKE_AT)


@lru_cache(maxsize=32)
def _kill_shape(stroke: int) -> tuple[str, Point]:
    first = 360 / STROKES * stroke + 2.5
    last = first + 360 / STROKES - 5
    return _band(first, last, KILL_INNER, KILL_OUTER), at((first + last) / 2, 62)


@lru_cache(maxsize=16)
def _kill_cells(made: int, current: bool) -> tuple[Cell, ...]:
    return tuple(_kill_cell(stroke, made, current=current) for stroke in range(STROKES))


def _kill_cell(stroke: int, made: int, *, current: bool) -> Cell:
    outline, spot = _kill_shape(stroke)
    state = "done" if stroke < made else "next" if stroke == made and current else ""
    return Cell(outline, "", spot, state, stroke == made - 1)


def _duel(tercio: int, sheet: Scoresheet, strokes: int) -> Duel:
    sector = min(tercio, 3) or 1
    marks = sheet.tercios[sector - 1].marks + strokes
    sway = (0, 5, -3, 7, 2)[marks % 5]
    angle = SECTOR * (sector - 0.5) - 36 + sway
    turn = angle + 43 + (-14, 10, 24, -4)[marks % 4]
    return Duel(at(angle, DUEL_AT), round(turn, 1), at(angle - 18 - sway / 2, DUEL_AT + 4))


def at(angle: float, radius: float) -> Point:
    turn = radians(angle)
    return Point(round(CENTRE + radius * sin(turn), 1), round(CENTRE - radius * cos(turn), 1))


def _text(point: Point) -> str:
    return f"{point.x:g} {point.y:g}"


def _band(first: float, last: float, inner: float, outer: float) -> str:
    return (
        f"M{_text(at(first, outer))}A{outer:g} {outer:g} 0 0 1 {_text(at(last, outer))}"
        f"L{_text(at(last, inner))}A{inner:g} {inner:g} 0 0 0 {_text(at(first, inner))}Z"
    )
