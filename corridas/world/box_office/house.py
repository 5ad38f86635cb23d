"""How many people come to an afternoon, and how many buy season tickets."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from corridas.world.box_office import tables
from corridas.world.box_office.luck import Luck
from corridas.world.box_office.ring import Ring, day_factor
from corridas.world.box_office.rounding import rounded
from corridas.world.box_office.tables import PRICE_FACTOR, Harvest, Price


@dataclass(frozen=True, slots=True)
class Demand:
    """What decides how many people want to come: factors in thousandths.

    `pull` is that of the cartel, `mood` that of the town, `day` that of the weekday and `price`
    that of the tickets.
    """

    pull: int
    mood: int
    day: int
    price: int
    chance: int


@dataclass(frozen=True, slots=True)
class House:
    """The public of an afternoon, in seats.

    `season_tickets` were sold before. `wanted` people would come without season tickets and rain.
    `window` is the number of single tickets sold.
    """

    season_tickets: int
    wanted: int
    window: int

    @property
    def total(self) -> int:
        return self.season_tickets + self.window

    def share(self, ring: Ring) -> int:
        """Return the house in thousandths of the seats."""
        return rounded(1_000 * self.total, ring.seats)


def price_factor(price: Price, harvest: Harvest) -> int:
    """Return the share of the normal public that comes at a price, in thousandths."""
    return PRICE_FACTOR[harvest][price]


def wanted(ring: Ring, demand: Demand) -> int:
    """Return how many people want to come."""
    factors = demand.pull * demand.mood * demand.day * demand.price * demand.chance
    return rounded(ring.seats * tables.BASE[ring.category] * factors, 10**18)


def seat_public(ring: Ring, wanted: int, season_tickets: int, *, rain: bool) -> House:
    """Return the house if this many people want to come."""
    would_come = rounded(tables.HOLDERS_WHO_WOULD_COME * season_tickets, tables.HOLDERS)
    window = min(ring.seats - season_tickets, max(0, wanted - would_come))
    if rain:
        window = rounded(tables.IN_RAIN * window, 100)
    return House(season_tickets, wanted, window)


def house_of(
    ring: Ring, day: dt.date, pull: int, mood: int, price: int, luck: Luck, season_tickets: int
) -> House:
    """Return the house of an afternoon. `pull`, `mood` and `price` are in thousandths."""
    demand = Demand(pull, mood, day_factor(day), price, luck.chance)
    return seat_public(ring, wanted(ring, demand), season_tickets, rain=luck.rain)


def season_tickets(ring: Ring, pulls: Sequence[int], mood: int, price: int) -> int:
    """Return the season tickets that a feria's poster sells, once, at its closing.

    `pulls` are those of all its days along the poster, `mood` and `price` factors in thousandths.
    A feria of one or two days has none.
    """
    days = len(pulls)
    if days < tables.TICKET_DAYS:
        return 0
    poster = min(rounded(sum(pulls), days), tables.MOST_POSTER_PULL)
    sold = rounded(ring.seats * tables.SEASON[poster] * mood * price, 10**9)
    return min(rounded(tables.MOST_TICKETS * ring.seats, 100), sold)
