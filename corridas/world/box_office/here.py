"""What a town remembers of a matador."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from corridas.world.box_office import tables


@dataclass(frozen=True, slots=True)
class AfternoonHere:
    """A matador's afternoon in a plaza: the year, his ears, and whether he failed.

    He failed if a bull of his brought a bronca or a third aviso (time warning).
    """

    year: int
    ears: int
    failed: bool

    @property
    def triumph(self) -> bool:
        return self.ears >= tables.TRIUMPH_EARS


def memory(afternoons: Iterable[AfternoonHere], year: int) -> int:
    """Return what a town's memory adds to a matador's standing in a year: 5, 0 or -6.

    Only afternoons of this year and of the two before it count. A failure does not cancel a
    triumph.
    """
    kept = [each for each in afternoons if 0 <= year - each.year <= tables.REMEMBERED_SEASONS]
    if any(each.triumph for each in kept):
        return tables.TRIUMPH
    return tables.FAILURE if any(each.failed for each in kept) else 0
