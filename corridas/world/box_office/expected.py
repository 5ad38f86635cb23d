"""What a matador is expected to show with a bull, by the chances of his printed card."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from corridas.engine import MatadorCard
from corridas.world.box_office.seen import THREE_AVISOS, half_points
from corridas.world.chances import ScoreCounts, result_shares

# Hundredths of a point in half a point.
_HALF = 50


@dataclass(frozen=True, slots=True)
class Expected:
    """What a bull of a matador shows: mean and variance, in hundredths of a point."""

    mean: float
    variance: float

    @property
    def seen(self) -> int:
        """The mean, rounded to a whole number."""
        return nearest(self.mean)


def nearest(value: float) -> int:
    """Return the nearest whole number; a half is rounded up."""
    return floor(value + 0.5)


def expected(card: MatadorCard, category: int, counts: ScoreCounts) -> Expected:
    """Return what a bull of this card shows in a plaza of this category (1 to 3).

    Injuries are left out. Raises `CartelError` for another category.
    """
    total = mean = square = 0.0
    for each in result_shares(card, category, counts):
        points = half_points(each.trophy, each.crowd, lap=each.vuelta, spared=each.spared)
        total += each.share
        mean += each.share * points
        square += each.share * points**2
    stopped = max(0.0, 1 - total)
    mean += stopped * THREE_AVISOS
    square += stopped * THREE_AVISOS**2
    return Expected(_HALF * mean, _HALF**2 * max(0.0, square - mean**2))
