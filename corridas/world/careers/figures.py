"""Statistics of many simulated seasons, compared with their allowed bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean, median
from typing import NamedTuple

from corridas.world.careers.played import Played
from corridas.world.winter.bounds import BOUNDS, Bound

# All seasons simulated from one seed, in order.
Run = Sequence[Played]
# Number of seasons of a usual career.
USUAL = range(5, 26)
# Career lengths are only measured in simulations of at least this many seasons.
LONG_ENOUGH = 40
# Number of first and of last seasons whose mean ratings are compared, to measure a drift.
DRIFT_OVER = 10


class CareerFigure(NamedTuple):
    """A measured figure: its lowest and highest value over all seasons or seeds, None if
    undefined.
    """

    bound: Bound
    low: float | None
    high: float | None

    @property
    def inside(self) -> bool:
        """Whether the figure is within its bounds. An undefined figure counts as within."""
        if self.low is None or self.high is None:
            return True
        return self.bound.low <= self.low and self.high <= self.bound.high

    @property
    def shown(self) -> str:
        """The lowest and highest value as text, or one value if they are equal."""
        if self.low is None or self.high is None:
            return "–"
        low, high = (f"{value:.{self.bound.decimals}f}" for value in (self.low, self.high))
        return f"{low if low == high else f'{low} – {high}'}{self.bound.unit}"

    @property
    def bounds(self) -> str:
        """The bounds of the figure as text."""
        return f"{self.bound.low:g} – {self.bound.high:g}{self.bound.unit}"


def figures(runs: Sequence[Run]) -> list[CareerFigure]:
    """Measure every figure over all simulations, in the order of `BOUNDS`."""
    return [_measure(key, bound, runs) for key, bound in BOUNDS.items()]


def quantile(ascending: Sequence[int], share: float) -> int:
    """Return a quantile of numbers in ascending order, or 0 if there are none.

    `share` is between 0 and 1; 0.5 gives the median.
    """
    return ascending[round(share * (len(ascending) - 1))] if ascending else 0


def careers(run: Run) -> list[int]:
    """Return the length in seasons of every complete career, in ascending order.

    Only matadors who began in the first half of the simulation count, because later ones could only
    have had short careers. Returns an empty list for fewer than `LONG_ENOUGH` seasons.
    """
    half = len(run) // 2 if len(run) >= LONG_ENOUGH else 0
    return sorted(
        gone.seasons
        for place, season in enumerate(run)
        for gone in season.farewells
        if gone.rookie and place - gone.seasons < half
    )


def _measure(key: str, bound: Bound, runs: Sequence[Run]) -> CareerFigure:
    if bound.of == "each":
        values = [value for run in runs for season in run for value in EACH[key](season)]
    else:
        values = [value for run in runs for value in OF_RUN[key](run)]
    return CareerFigure(bound, min(values, default=None), max(values, default=None))


# Functions that measure a figure in one season. An empty result means that the figure is undefined.
EACH: dict[str, Callable[[Played], Sequence[float]]] = {
    "active": lambda season: [len(season.ratings)],
    "novilleros": lambda season: [season.novilleros] if season.novilleros else [],
    "least": lambda season: season.ratings[:1],
    "quarter": lambda season: [quantile(season.ratings, 0.25)],
    "middle": lambda season: [quantile(season.ratings, 0.5)],
    "upper": lambda season: [quantile(season.ratings, 0.75)],
    "top": lambda season: season.ratings[-1:],
    "step": lambda season: [max(map(abs, season.moves), default=0)],
    "move": lambda season: [fmean(map(abs, season.moves))] if season.moves else [],
    "ears": lambda season: [season.ears / season.bulls] if season.bulls else [],
    "open": lambda season: [season.left_open],
    "lead": lambda season: [season.lead],
}


def _a_year(take: Callable[[Played], int]) -> Callable[[Run], Sequence[float]]:
    return lambda run: [fmean(map(take, run))]


def _same(run: Run) -> Sequence[float]:
    led = Counter(season.leader for season in run)
    return [100 * led.most_common(1)[0][1] / len(run)] if len(run) >= DRIFT_OVER else []


def _drift(run: Run) -> Sequence[float]:
    if len(run) < 2 * DRIFT_OVER:
        return []
    means = [fmean(season.ratings) for season in run]
    return [fmean(means[-DRIFT_OVER:]) - fmean(means[:DRIFT_OVER])]


def _ages(run: Run) -> list[int]:
    return sorted(gone.age for season in run for gone in season.farewells)


def _usual(run: Run) -> Sequence[float]:
    lengths = careers(run)
    return [100 * fmean(length in USUAL for length in lengths)] if lengths else []


# Functions that measure a figure over all seasons of one seed.
OF_RUN: dict[str, Callable[[Run], Sequence[float]]] = {
    "same": _same,
    "drift": _drift,
    "alternativas": _a_year(lambda season: season.alternativas),
    "debuts": _a_year(lambda season: season.debuts),
    "retirements": _a_year(lambda season: len(season.farewells)),
    "returns": _a_year(lambda season: season.returned),
    "length": lambda run: [median(careers(run))] if careers(run) else [],
    "longest": lambda run: careers(run)[-1:],
    "usual": _usual,
    "farewell": lambda run: [median(_ages(run))] if _ages(run) else [],
    "oldest": lambda run: _ages(run)[-1:],
}
