"""Spared bulls as sires: which of a herd's new bulls descend from one.

The rulebook says no more than that a spared bull never fights again (Ruling I-9); what it is
spared for is the herd.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fairness import Chance

FIRST_SONS: Final = 5
"""Years from the afternoon of the indulto until sons of four come out ..."""
LAST_SONS: Final = 14
"""... and until the last of them do."""
SHARE: Final = 2
"""One in so many bulls of a herd that has sires is a son of one."""


def fathers(sires: Sequence[int], bulls: int, chance: Chance) -> list[int | None]:
    """The sire of each of so many bulls, each as likely; None for one of another line."""
    if not sires:
        return [None] * bulls
    return [None if chance.below(SHARE) else chance.pick(sires) for _ in range(bulls)]
