"""Calculates the coordinates of charts, which templates draw as SVG.

The functions use neither the database nor the clock. Units are those of each chart's viewBox.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final, NamedTuple

from corridas.results import NAMES, loudness

# Number of matador colours (suits of lights) in the style sheet, classes m-1 to m-20.
SUITS: Final = 20


class Column(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    verdict: str


class Band(NamedTuple):
    """One range of a matador's card on a bar from 1 to 100. `x` and `width` are percentages."""

    name: str
    x: int
    width: int
    middle: float
    text: str

    @property
    def label(self) -> str:
        return "Rabo" if self.name == "rabo" else NAMES.get(self.name, self.name)

    @property
    def roomy(self) -> bool:
        return self.width > 2 * len(self.label)


def suit(number: int) -> int:
    """Return the colour (1 to 20) of a matador from his primary key."""
    return 1 + number % SUITS


def suits(numbers: Sequence[int]) -> dict[int, int]:
    """Return different colours for matadors who are drawn together, by primary key.

    Each matador gets his own colour, or the next free one. With more matadors than colours, colours
    repeat.
    """
    worn: dict[int, int] = {}
    for number in numbers:
        taken = set(list(worn.values())[-(len(worn) % SUITS) :]) if len(worn) % SUITS else set()
        choice = suit(number)
        while choice in taken:
            choice = 1 + choice % SUITS
        worn[number] = choice
    return worn


def spark(verdicts: Sequence[str]) -> list[Column]:
    """Return the columns of a small chart (88 by 27) of the last ten bulls, the oldest on the
    left.
    """
    columns = []
    for place, verdict in enumerate(verdicts[-10:]):
        height = round(3 + 2.6 * loudness(verdict), 1)
        columns.append(Column(place * 9, round(26 - height, 1), 7, height, verdict))
    return columns


def spark_paths(verdicts: Sequence[str]) -> dict[str, str]:
    """Return the columns of `spark` as one SVG path per verdict.

    This reduces the number of elements in long tables.
    """
    paths: dict[str, str] = {}
    for column in spark(verdicts):
        drawn = f"M{column.x:.0f} 26v-{column.height}h7V26z"
        paths[column.verdict] = paths.get(column.verdict, "") + drawn
    return paths


def form_column(x: float, width: float, verdict: str) -> Column:
    """Return the column of one bull in the large form chart, which is 210 high with its baseline at
    170.
    """
    height = round(16.6 * (1 + loudness(verdict)), 1)
    return Column(round(x, 1), round(170 - height, 1), round(width, 1), height, verdict)


def band(name: str, text: str) -> Band | None:
    """Return a range of a card (`"81-94"`, `"7"`, `"-"`) as a band, or None if it is empty."""
    if text in {"", "-"}:
        return None
    low, _, high = text.partition("-")
    first, last = int(low), int(high or low)
    return Band(name, first - 1, last - first + 1, (first - 1 + last) / 2, text.replace("-", "–"))


class ChartMark(NamedTuple):
    x1: float
    y1: float
    x2: float
    y2: float
    act: str
    made: bool
    newest: bool


# For each act: CSS class, number of cells, angle of the first cell and angle between cells. Angles
# are in degrees, clockwise from the top.
ACTS: Final = (
    ("t1", 10, 4.0, 11.0),
    ("t2", 6, 118.0, 14.0),
    ("t3", 10, 188.0, 9.6),
    ("tk", 5, 296.0, 11.0),
)


def ring(made: Sequence[int]) -> list[ChartMark]:
    """Return the marks of the small ring chart (radius 150) from the number of moves in each act.

    `made` contains the moves of the three acts and of the kill. The second act has no fixed length
    (Ruling I-8), so its cells move closer together if it gets long.
    """
    newest = max((act for act, count in enumerate(made) if count), default=-1)
    marks: list[ChartMark] = []
    for act, (name, cells, start, step) in enumerate(ACTS):
        total = max(cells, made[act])
        gap = step * cells / total
        for cell in range(total):
            last = act == newest and cell == made[act] - 1
            marks.append(_mark(start + cell * gap, name, cell < made[act], last))
    return marks


def _mark(degrees: float, act: str, made: bool, newest: bool) -> ChartMark:
    angle = degrees * pi / 180
    across, down = sin(angle), -cos(angle)
    inner = (round(86 * across, 1), round(86 * down, 1))
    outer = (round(99 * across, 1), round(99 * down, 1))
    return ChartMark(*inner, *outer, act, made, newest)


@dataclass(frozen=True, kw_only=True)
class RaceLine:
    """A matador in the chart of the ranking over time.

    `places` are his ranks after each date, None before his first corrida.
    """

    name: str
    slug: str
    suit: int
    count: int
    places: tuple[int | None, ...]
    followed: bool = False


_DOT: Final = "a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z"


@dataclass(frozen=True, kw_only=True)
class Run:
    line: RaceLine
    path: str
    nodes: tuple[tuple[float, float], ...]
    start: float
    end: float
    bold: bool

    @property
    def place(self) -> int | str:
        return self.line.places[-1] or "–"

    @property
    def dots(self) -> str:
        return "".join(f"M{x - 3.4:.1f} {y}{_DOT}" for x, y in self.nodes)

    @property
    def flag_x(self) -> float:
        return self.start + 20

    @property
    def name_x(self) -> float:
        return self.start + 38


@dataclass(frozen=True, kw_only=True)
class Race:
    width: float
    height: float
    right: float
    cut: float
    days: tuple[tuple[float, str, str], ...]
    places: tuple[tuple[int, float], ...]
    runs: tuple[Run, ...]


RACE_TOP: Final = 80.5
RACE_STEP: Final = 33.0
RACE_PLACES: Final = 10


def race(lines: Sequence[RaceLine], days: Sequence[tuple[str, str]], width: float = 1180) -> Race:
    """Lay out the chart of the ranking over time.

    `days` are (name, date) pairs. Every line has one place for each day.
    """
    right = width - 208
    step = (right - 44) / max(1, len(days) - 1)
    xs = [round(44 + step * day, 1) for day in range(len(days))] if len(days) > 1 else [right]
    below = RACE_TOP + RACE_STEP * RACE_PLACES
    outside = [line for line in lines if (line.places[-1] or 99) > RACE_PLACES]
    ends = {line.slug: below + 20 + 24 * row for row, line in enumerate(outside)}
    chosen = any(line.followed for line in lines)
    runs = [_run(line, xs, below + 20, ends.get(line.slug), chosen) for line in lines]
    runs.sort(key=lambda run: run.bold)
    return Race(
        width=width,
        height=below + 40 + 24 * max(0, len(outside) - 1),
        right=right,
        cut=below,
        days=tuple((x, *day) for x, day in zip(xs, days, strict=True)),
        places=tuple((n + 1, RACE_TOP + RACE_STEP * n) for n in range(RACE_PLACES)),
        runs=tuple(runs),
    )


def _run(line: RaceLine, xs: Sequence[float], low: float, end: float | None, chosen: bool) -> Run:
    ys = [_height(place, low) for place in line.places]
    if end is not None:
        ys[-1] = end
    curve = f"M{xs[0] - 8:.1f} {ys[0]:.1f}H{xs[0]:.1f}"
    for here in range(1, len(xs)):
        middle = (xs[here - 1] + xs[here]) / 2
        curve += f"C{middle:.1f} {ys[here - 1]:.1f} {middle:.1f} {ys[here]:.1f}"
        curve += f" {xs[here]:.1f} {ys[here]:.1f}"
    nodes = [
        (x, y) for x, y, place in zip(xs, ys, line.places, strict=True) if place and y <= low - 20
    ]
    bold = line.followed if chosen else (line.places[-1] or 99) <= 3
    return Run(
        line=line,
        path=f"{curve}H{xs[-1] + 10:.1f}",
        nodes=tuple(nodes),
        start=xs[-1],
        end=ys[-1],
        bold=bold,
    )


def _height(place: int | None, low: float) -> float:
    if place is None or place > RACE_PLACES:
        return low
    return RACE_TOP + RACE_STEP * (place - 1)


# Height of a row in the chart of changed ranks. It equals a line of the list beside the chart.
SLOPE_STEP: Final = 28


class Slope(NamedTuple):
    """A chart of changed ranks: the ranks on the left with their heights, and one curve per
    line.
    """

    height: int
    left: tuple[tuple[int, float], ...]
    curves: tuple[tuple[str, float, float | None, str], ...]


def slope(places: Sequence[tuple[int | None, int]]) -> Slope:
    """Lay out a chart of changed ranks from (before, after) pairs in the order of the list.

    Each curve is a tuple of style, height at the right, height at the left (None if new), and SVG
    path.
    """
    before = sorted(was for was, _place in places if was)
    left = {was: SLOPE_STEP * (row + 0.5) for row, was in enumerate(before)}
    curves = []
    for row, (was, place) in enumerate(places):
        end = SLOPE_STEP * (row + 0.5)
        style = "up" if was is None or was > place else "down" if was < place else "same"
        start = left.get(was) if was else None
        path = "" if start is None else f"M30 {start}C75 {start} 45 {end} 90 {end}"
        curves.append((style, end, start, path))
    return Slope(SLOPE_STEP * len(places), tuple(left.items()), tuple(curves))
