"""Plays careers on several processes, and writes what they came to into the documents."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from corridas.engine import Rules
from corridas.management.drawing import charts
from corridas.world.careers import Found, Played, Run, play_careers
from corridas.world.roster import load
from fairness import Seed
from workers import cores

PAGE = "careers.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


class Portion(NamedTuple):
    """A seed, in words, and how many seasons are played from it with the tables of a folder."""

    words: str
    seasons: int
    first_year: int
    folder: Path
    rules: Rules


def portions(
    words: str, runs: int, seasons: int, first_year: int, folder: Path, rules: Rules
) -> list[Portion]:
    """So many seeds made of some words."""
    return [
        Portion(f"{words}/careers/{number}", seasons, first_year, folder, rules)
        for number in range(runs)
    ]


def play(portion: Portion) -> tuple[Played, ...]:
    """The seasons of one seed."""
    seed = Seed(hashlib.sha256(portion.words.encode()).digest())
    roster = load(portion.folder)
    played = play_careers(roster, portion.rules, portion.seasons, portion.first_year, seed)
    return tuple(played)


def measure(parts: Sequence[Portion], processes: int) -> list[Run]:
    """All portions, on so many processes; their order and number change nothing."""
    with cores.pool(processes) as pool:
        played = pool.map(play, parts)
        return list(tqdm(played, total=len(parts), desc="careers", unit="seed", disable=None))


def document(folder: Path, runs: Sequence[Run], found: Sequence[Found], caption: str) -> list[Path]:
    """Write the charts into `img/` and the table into the page; returns what was written.

    A folder without the page gets the charts alone.
    """
    pictures = folder / "img"
    pictures.mkdir(parents=True, exist_ok=True)
    written = []
    for name, drawing in charts(runs).items():
        (pictures / name).write_text(drawing, encoding="utf-8")
        written.append(pictures / name)
    page = folder / PAGE
    if page.exists():
        page.write_text(_with_table(page.read_text("utf-8"), found, caption), encoding="utf-8")
        written.append(page)
    return written


def _with_table(text: str, found: Sequence[Found], caption: str) -> str:
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = [f"| {line.bound.name} | {line.shown} | {line.bounds} |" for line in found]
    table = "\n".join([caption, "", "| figure | found | bounds |", "| --- | --- | --- |", *lines])
    return f"{before}{BEGIN}\n{table}\n{END}{after}"
