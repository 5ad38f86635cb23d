"""A scoresheet of a game, the referee's result, and the end of the game (Ruling E-9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from eltoro.tabletop.sheets.sheet_rules import Morning


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The end of a game of El Toro: points and winners.

    `level`: the seats that tie for the most points in total. `winners`: those of the tied seats
    with the most points on the last day. All other values are by seat.
    """

    totals: tuple[int, ...]
    last_day: tuple[int, ...]
    places: tuple[int, ...]
    level: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def by_last_day(self) -> bool:
        return len(self.winners) < len(self.level)


def totals_of(days: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(sum(points) for points in zip(*days, strict=True))


def ending_of(days: Sequence[Sequence[int]]) -> Ending:
    """Return the end of a game with these points by day and seat.

    There must be at least one day.
    """
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


Param = int | str | tuple[int, ...]


SEAT_LETTERS: Final = "abcdef"


class SheetKind(StrEnum):
    """The kind of a scoresheet: points by day, runners that arrived, or a complete log."""

    POINTS = "points"
    ARRIVALS = "arrivals"
    LOG = "log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """An objection of the referee: an error or missing information.

    `path`: its location. `code` and `params`: its message.
    """

    path: str
    code: str
    params: Mapping[str, Param] = field(default_factory=dict)

    @property
    def ruling(self) -> str:
        """The ruling that is violated. Empty if a value cannot be parsed."""
        return RULINGS.get(self.code, "")

    @property
    def missing(self) -> bool:
        return self.code in MISSING


RULINGS: Final[Mapping[str, str]] = {
    "players": "E-1",
    "too_many_days": "E-9",
    "points_high": "E-9",
    "points_low": "E-9",
    "no_destination": "E-10",
    "too_often": "E-10",
    "too_many_laid": "E-3",
    "runners": "E-1",
    "points_none": "E-9",
    "total_high": "E-9",
    "total_low": "E-9",
    "total_none": "E-9",
    "gained_high": "E-4",
    "deck_points": "E-8",
    "deck_day": "E-8",
    "die_face": "E-7",
    "die_undue": "E-7",
    "refused": "E-4",
}
# Codes of objections that concern several days of a game together.
OF_THE_DECK: Final = frozenset({"deck_points", "deck_day"})
MISSING: Final = frozenset({"nothing", "five", "die_missing", "points_missing"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDay:
    """One recorded day.

    `destinations`: keys of the destinations laid out. `arrived`: by seat, numbers of runners at
    each destination. `gained`: by seat, points from action cards. `dice`: by seat, the faces rolled
    for yesterday's destinations. `aside`: runners that a card moved to another space of their row,
    such as `a1>molino`.
    """

    destinations: tuple[str, ...]
    arrived: tuple[tuple[int, ...], ...]
    gained: tuple[int, ...]
    dice: tuple[tuple[int, ...], ...]
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A parsed scoresheet. `faults` are objections to values that cannot be parsed."""

    way: SheetKind = SheetKind.POINTS
    points: tuple[tuple[int, ...], ...] = ()
    days: tuple[RecordedDay, ...] = ()
    seed: str = ""
    moves: tuple[str, ...] = ()
    faults: tuple[Objection, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DayReading:
    """The result of checking one day. All values are by seat.

    `began`: runners, cards and effects at the start of the day. `arrived`: number of runners that
    arrived. `points`: the sum of `at_destinations`, `by_effects` and `by_cards`. `tomorrow`: the
    start of the next day. `aside`: runners that a card moved to another space of their row.
    """

    points: tuple[int, ...]
    objections: tuple[Objection, ...] = ()
    began: tuple[Morning, ...] = ()
    arrived: tuple[int, ...] = ()
    at_destinations: tuple[int, ...] = ()
    by_effects: tuple[int, ...] = ()
    by_cards: tuple[int, ...] = ()
    tomorrow: tuple[Morning, ...] = ()
    aside: tuple[str, ...] = ()

    @property
    def trampled(self) -> tuple[int, ...]:
        pairs = zip(self.began, self.arrived, strict=True)
        return tuple(began.runners - arrived for began, arrived in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresheetReading:
    """The result of checking a scoresheet. `ending` is only set if it is complete and correct."""

    way: SheetKind
    days: tuple[DayReading, ...] = ()
    objections: tuple[Objection, ...] = ()
    ending: Ending | None = None
    moves: int = 0

    @property
    def is_over(self) -> bool:
        return self.ending is not None

    @property
    def contradictions(self) -> tuple[Objection, ...]:
        return tuple(objection for objection in self.objections if not objection.missing)
