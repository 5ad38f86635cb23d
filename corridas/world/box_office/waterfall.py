"""How a house came about, step by step, for the box-office sheet and for forecasts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from corridas.world.box_office import tables
from corridas.world.box_office.house import Demand, seat_public, wanted
from corridas.world.box_office.ring import Ring
from corridas.world.box_office.rounding import rounded


class Factor(Enum):
    """A step of the waterfall, in this order."""

    USUAL = "usual"
    NAMES = "names"
    MOOD = "mood"
    DAY = "day"
    PRICE = "price"
    CHANCE = "chance"
    TICKETS = "tickets"
    TURNED_AWAY = "turned_away"
    RAIN = "rain"


# The steps that explain why more or fewer people came.
REASONS = (
    Factor.NAMES,
    Factor.MOOD,
    Factor.PRICE,
    Factor.CHANCE,
    Factor.TURNED_AWAY,
    Factor.RAIN,
)
# A step below this part of the seats is no reason.
LEAST_REASON = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Fall:
    """A step: the running total after it and its change, both in thousandths of the seats, and the
    change in people.
    """

    factor: Factor
    total: int
    change: int
    people: int


@dataclass(frozen=True, slots=True)
class Waterfall:
    """The steps of a house, and the largest one up and down, None if it is too small."""

    steps: tuple[Fall, ...]
    why_more: Fall | None
    why_fewer: Fall | None


def waterfall(ring: Ring, demand: Demand, season_tickets: int, *, rain: bool) -> Waterfall:
    """Return the steps of a house. They are rounded only for showing."""
    totals = list(_totals(ring, demand, season_tickets, rain=rain))
    changes = [
        total - before for before, total in zip([Fraction(0), *totals], totals, strict=False)
    ]
    falls = tuple(
        Fall(factor, _shown(total, ring), _shown(change, ring), _whole(change))
        for factor, total, change in zip(Factor, totals, changes, strict=True)
    )
    exact = [
        (change, fall)
        for change, fall in zip(changes, falls, strict=True)
        if fall.factor in REASONS and abs(change) >= LEAST_REASON * ring.seats
    ]
    return Waterfall(falls, _largest(exact, up=True), _largest(exact, up=False))


def _totals(ring: Ring, demand: Demand, season_tickets: int, *, rain: bool) -> Iterable[Fraction]:
    total = Fraction(ring.seats * tables.BASE[ring.category], 1_000)
    yield total
    for factor in (demand.pull, demand.mood, demand.day, demand.price):
        total *= Fraction(factor, 1_000)
        yield total
    people = wanted(ring, demand)
    yield Fraction(people)
    would_come = rounded(tables.HOLDERS_WHO_WOULD_COME * season_tickets, tables.HOLDERS)
    asking = season_tickets + max(0, people - would_come)
    yield Fraction(asking)
    yield Fraction(min(ring.seats, asking))
    yield Fraction(seat_public(ring, people, season_tickets, rain=rain).total)


def _largest(changes: Sequence[tuple[Fraction, Fall]], *, up: bool) -> Fall | None:
    """Return the largest step in one direction; of equal ones the first."""
    size = 1 if up else -1
    best = max(changes, key=lambda each: size * each[0], default=None)
    return best[1] if best is not None and size * best[0] > 0 else None


def _shown(seats: Fraction, ring: Ring) -> int:
    return _whole(1_000 * seats / ring.seats)


def _whole(value: Fraction) -> int:
    return rounded(value.numerator, value.denominator)
