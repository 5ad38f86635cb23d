"""The figures that a benchmark returns, and how they are printed and stored."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LATEST_FILE = Path(__file__).resolve().parent / "latest.json"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One measured value and its target.

    `bar` is the maximum value, or with `at_least` the minimum. Without a bar the value is only
    reported. `unit` is its unit, and `note` describes how it was measured.
    """

    name: str
    value: float
    bar: float | None = None
    at_least: bool = False
    unit: str = ""
    note: str = ""

    @property
    def ok(self) -> bool:
        if math.isnan(self.value):
            return False
        if self.bar is None:
            return True
        return self.value >= self.bar if self.at_least else self.value <= self.bar

    def cells(self) -> tuple[str, str, str, str, str]:
        sign = "at least" if self.at_least else "at most"
        bar = "-" if self.bar is None else f"{sign} {self.bar:g}"
        return (
            self.name,
            f"{format_value(self.value)} {self.unit}".strip(),
            bar,
            "yes" if self.ok else "NO",
            self.note,
        )

    def to_json(self) -> dict[str, object]:
        return {"value": round(self.value, 4), "bar": self.bar, "ok": self.ok}


def format_value(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


HEAD = ("name", "figure", "bar", "ok", "")


def format_table(figures: Iterable[Figure]) -> str:
    lines = [HEAD, *(figure.cells() for figure in figures)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD) - 1)]
    return "\n".join(
        "  ".join(
            [*(cell.ljust(width) for cell, width in zip(line, widths, strict=False)), line[-1]]
        )
        for line in lines
    )


def save_figures(figures: Iterable[Figure], *, among: bool) -> None:
    """Write figures to `latest.json`, added to those stored there if `among`, or else alone."""
    before = json.loads(LATEST_FILE.read_text()) if among and LATEST_FILE.exists() else {}
    fresh = {figure.name: figure.to_json() for figure in figures}
    LATEST_FILE.write_text(json.dumps(before | fresh, indent=2) + "\n")
