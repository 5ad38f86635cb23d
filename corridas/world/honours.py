"""The hall of fame, by a rule that anybody can recalculate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from corridas.world.awards import Term

# The counts, and the points for one of each.
TERMS: Final = (
    Term("leads", 30),
    Term("season_awards", 15),
    Term("feria_awards", 3),
    Term("indultos", 3),
    Term("tails", 2),
    Term("ears", 1),
)
# Points required for the hall.
ENTRY: Final = 750
# Seasons required for the hall.
SEASONS: Final = 5


class Career(NamedTuple):
    """A matador by his key, with his seasons and counts."""

    matador: int
    seasons: int
    counts: Mapping[str, int]

    @property
    def points(self) -> int:
        return sum(term.weight * self.counts.get(term.of, 0) for term in TERMS)

    @property
    def inside(self) -> bool:
        """Whether he is in the hall, retired or not."""
        return self.seasons >= SEASONS and self.points >= ENTRY
