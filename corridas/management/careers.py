"""Writes the tables and charts of docs/careers.md, for `manage.py calibrate careers`.

They describe careers over fifty simulated seasons.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pygal
from pygal.style import Style
from tqdm import tqdm

from core.jobs import process_pool
from corridas.engine import Rules
from corridas.world.careers import CareerFigure, Played, Run, careers, play_careers, quantile
from corridas.world.roster import load
from corridas.world.winter import VERSION
from fairness import Seed

PAGE = "careers.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


class Portion(NamedTuple):
    """A series of seasons to simulate: seed text, number of seasons, and the folder of its data."""

    words: str
    seasons: int
    first_year: int
    folder: Path
    rules: Rules


def portions(
    words: str, runs: int, seasons: int, first_year: int, folder: Path, rules: Rules
) -> list[Portion]:
    return [
        Portion(f"{words}/careers/{number}", seasons, first_year, folder, rules)
        for number in range(runs)
    ]


def play(portion: Portion) -> tuple[Played, ...]:
    seed = Seed(hashlib.sha256(portion.words.encode()).digest())
    roster = load(portion.folder, cards_version=VERSION)
    played = play_careers(roster, portion.rules, portion.seasons, portion.first_year, seed)
    return tuple(played)


def measure(parts: Sequence[Portion], processes: int) -> list[Run]:
    """Simulate all portions in this many processes and return their results in order."""
    with process_pool.process_pool(processes) as pool:
        played = pool.map(play, parts)
        return list(tqdm(played, total=len(parts), desc="careers", unit="seed", disable=None))


def document(
    folder: Path, runs: Sequence[Run], figures: Sequence[CareerFigure], caption: str
) -> list[Path]:
    """Write the charts into `img/` and the table into the page. Return the files written.

    If the folder does not contain the page, only the charts are written.
    """
    pictures = folder / "img"
    pictures.mkdir(parents=True, exist_ok=True)
    written = []
    for name, drawing in charts(runs).items():
        (pictures / name).write_text(drawing, encoding="utf-8")
        written.append(pictures / name)
    page = folder / PAGE
    if page.exists():
        page.write_text(_with_table(page.read_text("utf-8"), figures, caption), encoding="utf-8")
        written.append(page)
    return written


def _with_table(text: str, figures: Sequence[CareerFigure], caption: str) -> str:
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = [f"| {line.bound.name} | {line.shown} | {line.bounds} |" for line in figures]
    table = "\n".join([caption, "", "| figure | found | bounds |", "| --- | --- | --- |", *lines])
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


SVG = "http://www.w3.org/2000/svg"
# SVG elements of the chart library that are removed: they only serve a script that is not included.
UNWANTED = ("script", "title", "desc")
# Colours of the lines. They can also be distinguished in greyscale.
COLOURS = ("#b3261e", "#c77f1a", "#2f7d5b", "#b0307c", "#5b6fb5")
# Grey for text, readable on a white and on a dark background.
PLAIN = "#6b6459"
# CSS that makes lines thick enough, and brighter on a dark background.
PAINT = (
    ".series .line{stroke-width:2.5px!important}"
    "@media (prefers-color-scheme:dark){"
    ".axis text,.legend text,.title{fill:#d9cfbe!important}"
    ".series,.legend rect{filter:brightness(1.4)}}"
)
STYLE = Style(
    background="transparent",
    plot_background="transparent",
    foreground=PLAIN,
    foreground_strong=PLAIN,
    foreground_subtle="#a39a8b",
    guide_stroke_color="#a39a8b66",
    major_guide_stroke_color="#a39a8b66",
    colors=COLOURS,
    opacity="0.95",
    font_family="system-ui, sans-serif",
    label_font_size=14,
    major_label_font_size=14,
    legend_font_size=15,
    title_font_size=18,
)
SHAPE = {
    "width": 900,
    "height": 420,
    "style": STYLE,
    "js": (),
    "legend_at_bottom": True,
    "show_dots": False,
    "show_minor_x_labels": False,
    "truncate_legend": -1,
    "truncate_label": -1,
}

Line = Callable[[Played], float]
RATINGS: dict[str, Line] = {
    "highest": lambda season: season.ratings[-1],
    "a quarter above": lambda season: quantile(season.ratings, 0.75),
    "middle": lambda season: quantile(season.ratings, 0.5),
    "a quarter below": lambda season: quantile(season.ratings, 0.25),
    "lowest": lambda season: season.ratings[0],
}
ROSTER: dict[str, Line] = {
    "active matadors": lambda season: len(season.ratings),
    "novilleros": lambda season: season.novilleros,
    "retirements": lambda season: len(season.farewells),
    "alternativas": lambda season: season.alternativas,
}
EARS: dict[str, Line] = {"ears per bull": lambda season: season.ears / max(1, season.bulls)}


def charts(runs: Sequence[Run]) -> dict[str, str]:
    return {
        "careers-ratings.svg": _years("Ratings of the active matadors", RATINGS, runs, (0, 100)),
        "careers-roster.svg": _years("The roster from year to year", ROSTER, runs, (0, 70)),
        "careers-ears.svg": _years("Ears per bull", EARS, runs, (0, 0.6)),
        "careers-lengths.svg": _lengths(runs),
    }


def _years(
    title: str, lines: Mapping[str, Line], runs: Sequence[Run], span: tuple[float, float]
) -> str:
    """Return a chart with lines over the years. Each point is the mean of all seeds."""
    chart = pygal.Line(title=title, range=span, **SHAPE)
    chart.x_labels = [str(number) for number in range(1, len(runs[0]) + 1)]
    chart.x_labels_major = ["1", *(label for label in chart.x_labels if label.endswith("0"))]
    for name, take in lines.items():
        chart.add(name, [fmean(map(take, seasons)) for seasons in zip(*runs, strict=True)])
    last = ", ".join(
        f"{name} {fmean(take(run[-1]) for run in runs):.2f}" for name, take in lines.items()
    )
    description = (
        f"Mean of {len(runs)} seeds over {len(runs[0])} seasons. In the last season: {last}."
    )
    return _alone(chart, title, description)


def _lengths(runs: Sequence[Run]) -> str:
    title = "Careers by length in seasons"
    counted = Counter(length for run in runs for length in careers(run))
    chart = pygal.Bar(title=title, **(SHAPE | {"x_labels_major_every": 5, "show_legend": False}))
    longest = max(counted, default=1)
    chart.x_labels = [str(length) for length in range(longest + 1)]
    chart.add("careers", [counted[length] for length in range(longest + 1)])
    return _alone(chart, title, f"{counted.total()} careers, the longest of {longest} seasons.")


def _alone(chart: Any, title: str, description: str) -> str:
    """Return the chart as a self-contained SVG with a description.

    It contains no script and no URL, and the same data produces the same bytes.
    """
    chart.uuid = "careers"
    ET.register_namespace("", SVG)
    root = ET.fromstring(chart.render(is_unicode=True))  # noqa: S314 (our own drawing)
    for parent in list(root.iter()):
        for child in [
            element for element in parent if element.tag.removeprefix(f"{{{SVG}}}") in UNWANTED
        ]:
            parent.remove(child)
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        child = ET.Element(f"{{{SVG}}}{tag}")
        child.text = text
        root.insert(place, child)
    root.set("role", "img")
    for style in root.iterfind(f".//{{{SVG}}}style"):
        style.text = f"{style.text}{PAINT}"
    return f"{ET.tostring(root, encoding='unicode')}\n"
