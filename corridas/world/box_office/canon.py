"""The usual house of a day, and the canon: what a concession pays to the plaza's owner."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from corridas.world.box_office import tables
from corridas.world.box_office.house import House, house_of
from corridas.world.box_office.luck import Luck
from corridas.world.box_office.money import income
from corridas.world.box_office.pars import Pars
from corridas.world.box_office.ring import Ring, rain_odds
from corridas.world.box_office.rounding import limited, rounded
from corridas.world.box_office.tables import Price


@dataclass(frozen=True, slots=True)
class UsualDay:
    """What a usual cartel brings on a day at the normal price.

    `house` is in thousandths of the seats, `income` in thousandths of a full house.
    """

    house: int
    income: int


def usual_day(ring: Ring, day: dt.date, feria_days: int) -> UsualDay:
    """Return the usual house of a day of a feria with this many days."""
    with_tickets = feria_days >= tables.TICKET_DAYS
    tickets = rounded(tables.USUAL_TICKETS * ring.seats, 1_000) if with_tickets else 0
    dry = house_of(ring, day, 1_000, 1_000, 1_000, Luck(1_000, rain=False), tickets)
    left = 1_000 - (100 - tables.IN_RAIN) * rain_odds(day) // 10
    usual = House(tickets, dry.wanted, rounded(dry.window * left, 1_000))
    earned = income(ring, usual, Price.NORMAL)
    return UsualDay(usual.share(ring), rounded(1_000 * earned, ring.full_house))


def canon(days: Sequence[UsualDay], pars: Pars) -> int:
    """Return the canon of an afternoon in whole per cent of a full house.

    `days` are all days of a season in this plaza. The canon leaves a usual cartel 5 %.
    """
    usual = rounded(sum(day.income for day in days), len(days))
    left = usual - pars.fee - 10 * tables.COSTS - tables.USUAL_PROFIT
    return limited(rounded(left, 10), 0, tables.MOST_CANON)


def renewed_canon(canon: int, kept: int, afternoons: int, full_house: int) -> int:
    """Return the canon with which a concession is renewed.

    `kept` is the sum of what stayed over the term, in duros. The canon rises by half of what was
    kept beyond 5 %.
    """
    if not afternoons:
        return canon
    whole = afternoons * full_house
    beyond = 1_000 * kept - tables.USUAL_PROFIT * whole
    rise = limited(beyond // (20 * whole), 0, tables.MOST_RISE)
    return min(tables.MOST_CANON, canon + rise)
