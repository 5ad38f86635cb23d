"""A sheet of an evening, the referee's reading of it, and how the evening ended (Ruling E-9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from eltoro.tabletop.sheets.sheet_rules import Morning


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


def ending_of(days: Sequence[Sequence[int]]) -> Ending:
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


Param = int | str | tuple[int, ...]


class SheetKind(StrEnum):
    """How an evening is written down."""

    POINTS = "points"
    ARRIVALS = "arrivals"
    LOG = "log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """Something that cannot have been, or is missing: where, its code, what it is told with."""

    path: str
    code: str
    params: Mapping[str, Param] = field(default_factory=dict)

    @property
    def ruling(self) -> str:
        """The ruling that it breaks; empty where something cannot be read."""
        return RULINGS.get(self.code, "")

    @property
    def missing(self) -> bool:
        """Whether something is still to be written, and nothing is wrong."""
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
    "gained_high": "E-4",
    "deck_points": "E-8",
    "deck_day": "E-8",
    "die_face": "E-7",
    "die_undue": "E-7",
    "refused": "E-4",
}
OF_THE_DECK: Final = frozenset({"deck_points", "deck_day"})
"""What no day alone contradicts, but all of them together."""
MISSING: Final = frozenset({"nothing", "five", "die_missing", "points_missing"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day as it was written down: where runners arrived, points by cards, dice.

    `destinations`: the keys that lay out. `arrived`: by seat, how many at each of them.
    `gained`: by seat, points by action cards. `dice`: by seat, the faces rolled for effects.
    `aside`: runners that went aside because a card allows it, and where to: `a1>molino`.
    """

    destinations: tuple[str, ...]
    arrived: tuple[tuple[int, ...], ...]
    gained: tuple[int, ...]
    dice: tuple[tuple[int, ...], ...]
    aside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A sheet as it was read; `faults` say what could not be."""

    way: SheetKind = SheetKind.POINTS
    points: tuple[tuple[int, ...], ...] = ()
    days: tuple[Day, ...] = ()
    seed: str = ""
    moves: tuple[str, ...] = ()
    faults: tuple[Objection, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DayReading:
    """What follows from one day, by seat.

    `began`: with what each began it; `arrived`: runners that did; `points` of the day, of which
    `at_destinations`, `by_effects` and by cards; `tomorrow`: with what each begins the next;
    `aside`: the runners that a card led aside.
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
        """Runners that did not arrive, by seat."""
        pairs = zip(self.began, self.arrived, strict=True)
        return tuple(began.runners - arrived for began, arrived in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What follows from a sheet; `ending` once all days are written and nothing is wrong."""

    way: SheetKind
    days: tuple[DayReading, ...] = ()
    objections: tuple[Objection, ...] = ()
    ending: Ending | None = None
    moves: int = 0

    @property
    def over(self) -> bool:
        """Whether the evening ended, and ended so."""
        return self.ending is not None

    @property
    def wrong(self) -> tuple[Objection, ...]:
        """What cannot have been, not counting what is still missing."""
        return tuple(found for found in self.objections if not found.missing)
