"""Allowed bounds for statistics of fifty simulated seasons, for any seed.

docs/careers.md lists them next to the measured values. A figure with scope `each` is measured in
every season, one with scope `run` once over all seasons of a seed. Bounds are inclusive.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

SEASONS = 50


class Bound(NamedTuple):
    """The name of a figure, its bounds, its scope (`of`), and its number of decimals."""

    name: str
    low: float
    high: float
    of: Literal["each", "run"] = "each"
    decimals: int = 0
    unit: str = ""


BOUNDS = {
    "active": Bound("active matadors", 40, 64),
    "novilleros": Bound("novilleros, once they come", 1, 16),
    "least": Bound("lowest rating", 25, 60),
    "quarter": Bound("rating a quarter lies below", 50, 72),
    "middle": Bound("rating in the middle", 60, 82),
    "upper": Bound("rating a quarter lies above", 70, 93),
    "top": Bound("highest rating", 86, 99),
    "step": Bound("largest move of a rating", 0, 8),
    "move": Bound("mean move of a rating, either way", 1, 4, decimals=1),
    "ears": Bound("ears per bull", 0.35, 0.52, decimals=2),
    "open": Bound("dates left without a cartel", 0, 0),
    "lead": Bound("corridas of a season's leader", 45, 110),
    "same": Bound("seasons led by the same man", 2, 30, "run", unit=" %"),
    "drift": Bound("drift of the mean rating", -10, 10, "run", 1),
    "alternativas": Bound("alternativas a year", 2, 6, "run", 1),
    "debuts": Bound("debuts a year", 2, 6, "run", 1),
    "retirements": Bound("retirements a year", 2, 6, "run", 1),
    "returns": Bound("returns a year", 0.05, 1, "run", 2),
    "length": Bound("seasons of a career, median", 10, 20, "run", 1),
    "longest": Bound("seasons of the longest career", 18, 32, "run"),
    "usual": Bound("careers of 5 to 25 seasons", 80, 100, "run", unit=" %"),
    "farewell": Bound("age at retirement, median", 32, 42, "run", 1),
    "oldest": Bound("oldest to retire", 40, 55, "run"),
}
