"""Draws the rulebook's scoresheet: pen strokes, points of each act, and boxes for results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from corridas.engine import AVISOS_TO_STOP, MARKS, STROKES, Scored, Scoresheet, Side
from corridas.stage.beats import Beat
from corridas.stage.table import signed

FIVE = 5
# Small offsets that make pen strokes look drawn by hand. They are fixed, so a sheet always looks
# the same.
_TREMBLE = (1.7, -0.4, 0.9, -1.6, 0.2, 1.1, -0.9, 1.9, -1.3, 0.6)


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A row of hash marks for one act. `of` is the number of moves, None if it is not fixed.

    `made`, `newest` and `ghosts` are SVG paths: earlier marks, the latest mark, and marks still to
    come.
    """

    act: int
    marks: int
    of: int | None
    made: str
    newest: str
    ghosts: str
    height: int
    pairs: int
    now: bool


@dataclass(frozen=True, slots=True)
class PaperEntry:
    text: str
    negative: bool
    fresh: bool


@dataclass(frozen=True, slots=True)
class Column:
    matador: tuple[PaperEntry, ...]
    bull: tuple[PaperEntry, ...]


class Boxes(NamedTuple):
    """The boxes of a scoresheet that are filled in at the end of a fight."""

    modifiers: tuple[str, ...]
    avisos: tuple[bool, ...]
    score: str
    drawn: str
    number: str


@dataclass(frozen=True, slots=True)
class Paper:
    """All texts and pen strokes of a scoresheet.

    Empty boxes are empty texts. `sum` is the score before, and `score` after division by the
    plaza's rating.
    """

    rows: tuple[MarkRow, ...]
    columns: tuple[Column, ...]
    matador_total: str
    bull_total: str
    modifiers: tuple[str, ...]
    avisos: tuple[bool, ...]
    score: str
    sum: str
    drawn: str
    number: str

    @property
    def boxes(self) -> Boxes:
        return Boxes(self.modifiers, self.avisos, self.score, self.drawn, self.number)


def write(sheet: Scoresheet, newest: Beat | None, current: int) -> Paper:
    """Return what is drawn on a scoresheet.

    `current` is the current act: 1-3, 4 for the kill, 0 for none.
    """
    settled, verdict = sheet.settled, sheet.verdict
    modifiers = [signed(modifier) for modifier in sheet.modifiers]
    return Paper(
        rows=_rows(sheet, current),
        columns=_columns(sheet, newest),
        matador_total=signed(sheet.matador_points),
        bull_total=_bull(sheet.bull_points),
        modifiers=(*modifiers, *[""] * (STROKES - len(modifiers))),
        avisos=tuple(place < sheet.avisos for place in range(AVISOS_TO_STOP)),
        score=signed(settled.score) if settled else "",
        sum=signed(settled.final) if settled else "",
        drawn=str(verdict.drawn) if verdict else "",
        number=str(verdict.number) if verdict else "",
    )


def _bull(points: int) -> str:
    """Format the bull's points with the letter B in front, as in the rulebook."""
    return f"B{str(points).replace('-', '−')}"


def _rows(sheet: Scoresheet, current: int) -> tuple[MarkRow, ...]:
    newest = _newest_act(sheet)
    acts = [
        (act, column.marks, MARKS if act != 2 else None, len(column.clavars))
        for act, column in enumerate(sheet.tercios, start=1)
    ]
    acts.append((4, len(sheet.modifiers), STROKES, 0))
    return tuple(_row(*act, act[0] == current, act[0] == newest) for act in acts)


def _newest_act(sheet: Scoresheet) -> int:
    if sheet.modifiers:
        return 4
    return max((act for act in (1, 2, 3) if sheet.tercios[act - 1].marks), default=0)


@lru_cache(maxsize=512)
def _row(act: int, marks: int, of: int | None, pairs: int, now: bool, newest: bool) -> MarkRow:
    count = max(marks, of or 0)
    ticks = [tick_path(place) for place in range(count)]
    last = marks - 1 if newest else marks
    made, new, ghosts = ("".join(part) for part in (ticks[:last], ticks[last:marks], ticks[marks:]))
    return MarkRow(act, marks, of, made, new, ghosts, 34 * max(1, -(-count // MARKS)), pairs, now)


@lru_cache(maxsize=64)
def tick_path(place: int) -> str:
    """Return the SVG path of a hash mark.

    Every fifth mark crosses the four before it. There are ten marks per row, and a row is 166 by
    34.
    """
    row, within = divmod(place, MARKS)
    five, stroke = divmod(within, FIVE)
    left, top = 92 * five, 34 * row
    a, b = _TREMBLE[place % 10], _TREMBLE[(3 * place + 1) % 10]
    if stroke == FIVE - 1:
        begins, bends = f"{left + 4 + b:.1f} {top + 25 + a:.1f}", f"{left + 24} {top + 20}"
        ends = f"{left + 44} {top + 14} {left + 62 + a:.1f} {top + 6 + b:.1f}"
        return f"M{begins}C{bends} {ends}"
    x = left + 9 + 15.5 * stroke
    ends = f"{x - 1.5 + b:.1f} {top + 28 + a:.1f}"
    return f"M{x + a:.1f} {top + 5 + b:.1f}C{x + b:.1f} {top + 12} {x + a:.1f} {top + 20} {ends}"


def _columns(sheet: Scoresheet, newest: Beat | None) -> tuple[Column, ...]:
    scored = newest.find_event(Scored) if newest else None
    return tuple(
        Column(
            _entries(tercio.matador, act, scored, Side.MATADOR),
            _entries(tercio.bull, act, scored, Side.BULL),
        )
        for act, tercio in enumerate(sheet.tercios, start=1)
    )


def _entries(
    points: list[int], act: int, scored: Scored | None, side: Side
) -> tuple[PaperEntry, ...]:
    fresh = scored is not None and scored.tercio == act and scored.by is side
    write = signed if side is Side.MATADOR else _bull
    last = len(points) - 1
    return tuple(
        PaperEntry(write(each), each < 0, fresh and place == last)
        for place, each in enumerate(points)
    )
