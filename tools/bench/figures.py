"""The figures that a benchmark yields, and how they are printed and stored."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LATEST_FILE = Path(__file__).resolve().parent / "latest.json"


@dataclass(frozen=True)
class Figure:
    """One measured value and its limit.

    `bar` is the maximum value, or with `at_least` the minimum. Without a bar the value is only
    reported. `note` describes how it was measured. A value that is not a number fails.
    """

    name: str
    value: float
    bar: float | None = None
    at_least: bool = False
    unit: str = ""
    note: str = ""

    @property
    def ok(self) -> bool:
        if self.bar is None or math.isnan(self.value):
            return not math.isnan(self.value)
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def cells(self) -> Sequence[str]:
        value = f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.3g}"
        sign = "at least" if self.at_least else "at most"
        bar = "-" if self.bar is None else f"{sign} {self.bar:g}"
        return self.name, f"{value} {self.unit}", bar, "yes" if self.ok else "NO", self.note


def format_table(figures: Sequence[Figure]) -> str:
    lines = [("name", "figure", "bar", "ok", ""), *(figure.cells() for figure in figures)]
    widths = [max(map(len, column)) for column in list(zip(*lines, strict=True))[:-1]]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, [*widths, 0], strict=True))
        for line in lines
    )


def save_figures(figures: Sequence[Figure], *, among: bool) -> None:
    """Write figures to `latest.json`, added to those stored there if `among`, or else alone."""
    before = json.loads(LATEST_FILE.read_text()) if among and LATEST_FILE.exists() else {}
    fresh = {
        figure.name: {"value": round(figure.value, 4), "bar": figure.bar, "ok": figure.ok}
        for figure in figures
    }
    LATEST_FILE.write_text(json.dumps(before | fresh, indent=2) + "\n")
