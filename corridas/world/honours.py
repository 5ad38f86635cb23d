"""The hall of fame: a published rule decides which matadors are in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from corridas.world.awards import Term

# Counters of a career, and the points for each unit.
TERMS: Final = (
    Term("leads", 30),
    Term("season_awards", 15),
    Term("feria_awards", 3),
    Term("indultos", 3),
    Term("tails", 2),
    Term("ears", 1),
)
# Minimum number of points for the hall of fame.
ENTRY: Final = 750
# Minimum number of seasons for the hall of fame.
SEASONS: Final = 5


class Career(NamedTuple):
    """A matador's career: his key, his number of seasons and his counters."""

    matador: int
    seasons: int
    counts: Mapping[str, int]

    @property
    def points(self) -> int:
        return sum(term.weight * self.counts.get(term.of, 0) for term in TERMS)

    @property
    def inside(self) -> bool:
        """Whether the matador is in the hall of fame. Active matadors can be in it too."""
        return self.seasons >= SEASONS and self.points >= ENTRY
