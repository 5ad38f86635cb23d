"""The hall of fame: who enters it, by a rule that anybody can work out again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from corridas.world.awards import Term

TERMS: Final = (
    Term("leads", 30),
    Term("season_awards", 15),
    Term("feria_awards", 3),
    Term("indultos", 3),
    Term("tails", 2),
    Term("ears", 1),
)
"""What counts, and what one of it is worth."""
ENTRY: Final = 750
"""Points that open the door."""
SEASONS: Final = 5
"""Seasons that a career must have had."""


class Career(NamedTuple):
    """A matador by his key, with his seasons and what counts."""

    matador: int
    seasons: int
    counts: Mapping[str, int]

    @property
    def points(self) -> int:
        """What his career comes to."""
        return sum(term.weight * self.counts.get(term.of, 0) for term in TERMS)

    @property
    def inside(self) -> bool:
        """Whether he is in the hall, retired or not."""
        return self.seasons >= SEASONS and self.points >= ENTRY
