"""The figures that must lie within bounds, each from a tally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Final

from eltoro.calibration.lineups import Lineup
from eltoro.calibration.tally import Tally
from leagues.games import Figure

NEAR: Final = 3.0
"""Points in a hundred by which the first seat may win more or less than its share."""
TRAMPLED: Final = (20.0, 45.0)
SPREAD: Final = (1.2, 2.0)
SKILLED: Final = 40.0
"""The share that one who looks at the evening must win against three who look at nothing."""
FOUR: Final = 4


def figures(tallies: Mapping[Lineup, Tally]) -> list[Figure]:
    """All figures, line-up by line-up."""
    return [line for lineup, tally in tallies.items() for line in _of(lineup, tally)]


def _of(lineup: Lineup, tally: Tally) -> Iterator[Figure]:
    if lineup.weighs:
        return
    if not lineup.is_equal:
        yield _share(f"{lineup}: wins", tally.favourite / tally.games, (SKILLED, 100.0))
        return
    share, near = 100 / lineup.players, _near(lineup, tally)
    first = tally.first / tally.games
    yield _share(f"{lineup}: seat 1 wins", first, (share - near, share + near))
    yield _share(f"{lineup}: trampled", tally.trampled / tally.began, TRAMPLED)
    if lineup.players == FOUR:
        yield _ratio(f"{lineup}: winner to last", tally.highest / max(1, tally.lowest), SPREAD)


def _near(lineup: Lineup, tally: Tally) -> float:
    """How far the first seat may be off; where few games are played, what chance moves is added."""
    share = 1 / lineup.players
    error = 100 * sqrt(share * (1 - share) / tally.games)
    return NEAR + (2 * error if lineup.one_in > 1 else 0)


def _share(what: str, share: float, bounds: tuple[float, float]) -> Figure:
    low, high = bounds
    told = f"{round(low, 1):g}-{round(high, 1):g}"
    return Figure(what, f"{100 * share:.1f} %", told, low <= 100 * share <= high)


def _ratio(what: str, ratio: float, bounds: tuple[float, float]) -> Figure:
    low, high = bounds
    return Figure(what, f"{ratio:.2f}", f"{low:g}-{high:g}", low <= ratio <= high)
