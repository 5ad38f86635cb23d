"""Who wins: most points, then most on the last day, else shared (Ruling E-9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How an evening ends, by seat.

    `level`: the seats with most points in all; `winners` those of them with most on the last day.
    Where more than one is level, `winners` says whether that day decided.
    """

    totals: tuple[int, ...]
    last_day: tuple[int, ...]
    places: tuple[int, ...]
    level: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def by_last_day(self) -> bool:
        """Whether the last day had to decide, and did so for at least one of them."""
        return len(self.winners) < len(self.level)


def totals_of(days: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The points in all by seat; nothing for no day."""
    return tuple(sum(points) for points in zip(*days, strict=True))


def ending(days: Sequence[Sequence[int]]) -> Ending:
    """The end of an evening of these points, day by day and by seat; at least one day."""
    totals, last = totals_of(days), tuple(days[-1])
    keys = list(zip(totals, last, strict=True))
    level = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    return Ending(
        totals=totals,
        last_day=last,
        places=tuple(1 + sum(other > key for other in keys) for key in keys),
        level=level,
        winners=tuple(seat for seat, key in enumerate(keys) if key == max(keys)),
    )
