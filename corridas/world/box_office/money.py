"""Income, costs and cash of a concession, in duros."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from corridas.world.box_office import tables
from corridas.world.box_office.house import House
from corridas.world.box_office.ring import Ring
from corridas.world.box_office.rounding import rounded
from corridas.world.box_office.tables import Price


@dataclass(frozen=True, slots=True)
class Account:
    """The money of an afternoon: what came in, the fees paid, the costs, and the canon."""

    income: int
    fees: int
    costs: int
    canon: int

    @property
    def kept(self) -> int:
        return self.income - self.fees - self.costs - self.canon


def income(ring: Ring, house: House, price: Price) -> int:
    """Return the income of an afternoon with its season tickets, cushions and bar."""
    sold = tables.HOLDERS_PAY * house.season_tickets + 100 * house.window
    return rounded(sold * ring.ticket * price.value * tables.WITH_CUSHIONS, 10**6)


def account(ring: Ring, house: House, price: Price, fees: Iterable[int], canon: int) -> Account:
    """Return the money of an afternoon.

    `fees` are those of the matadors who fought. `canon` is in whole per cent of a full house.
    """
    full = ring.full_house
    return Account(
        income=income(ring, house, price),
        fees=sum(fees),
        costs=rounded(tables.COSTS * full, 100),
        canon=rounded(canon * full, 100),
    )


def starting_cash(season_full: int) -> int:
    """Return the cash of a new concession.

    `season_full` is the sum of the full houses of its season.
    """
    return rounded(tables.STARTING_CASH * season_full, 100)


def free_money(cash: int, full_house: int, to_come: int, promised: Iterable[int]) -> int:
    """Return what a promoter may still spend on a signature.

    `to_come` is the number of afternoons to come, for each of which the bank advances money.
    `promised` are the fees of signed matadors who have not fought yet.
    """
    return cash + rounded(tables.ADVANCE * full_house * to_come, 100) - sum(promised)


def to_fortune(cash: int, season_full: int) -> int:
    """Return how much cash goes to the owner's fortune in winter."""
    return max(0, cash - rounded(tables.KEPT_IN_WINTER * season_full, 100))


def is_bankrupt(cash: int, season_full: int) -> bool:
    """Return whether the debt at a season's end is bankruptcy."""
    return -100 * cash > tables.BANKRUPT * season_full
