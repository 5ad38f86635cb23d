"""Tables of more than two: grouped at the least cost that swapping places can find.

The search is a walk by swaps, each of which must help, and new starts from a shaken copy of the
best; chance is an argument, so that it always ends in the same tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product

from fairness import Chance
from leagues.pairing.past import Past

Tables = list[list[int]]
TableCost = Callable[[Sequence[int]], int]
SPLITS = ((0, 1, 3, 2), (0, 1, 2, 3), (0, 2, 1, 3))
"""The three ways to make two sides of four, as seats: partners are 0+2 and 1+3. The first one
puts the first and the last together."""
SHAKES = 3
PATIENCE = 120
"""Swaps that shake the best tables up, and new starts without gain before the search ends."""


def sides_of(table: Sequence[int], past: Past) -> tuple[int, ...]:
    """Four players in the way to be partners that repeats least."""
    ways = [tuple(table[index] for index in split) for split in SPLITS]
    return min(ways, key=lambda way: _partner_cost(way, past))


def _partner_cost(table: Sequence[int], past: Past) -> int:
    """What it costs that seats 0+2 and 1+3 are partners and no opponents."""
    one, two, three, four = table
    return _together(one, three, past) + _together(two, four, past)


def _together(one: int, other: int, past: Past) -> int:
    """A repeated partner weighs as two repeated opponents, and is one opponent less."""
    key = (one, other) if one < other else (other, one)
    again = past.partnered.get(key, 0)
    return 2 * again * again - past.met.get(key, 0) ** 2


def _cheapest_sides(table: Sequence[int], past: Past) -> int:
    """The least that four players cost as partners."""
    one, two, three, four = table
    return min(
        _together(one, four, past) + _together(two, three, past),
        _together(one, three, past) + _together(two, four, past),
        _together(one, two, past) + _together(three, four, past),
    )


def meeting_cost(past: Past, extra: Callable[[int, int], int] | None = None) -> TableCost:
    """What a table costs: every repeated meeting, more for each further time; nothing if new.

    With partners the cheapest split counts. `extra` adds to each pair of players (for the
    standing, say), in units far below the price of a repeat.
    """
    met, price = past.met, REPEAT if extra else 1

    def cost(table: Sequence[int]) -> int:
        repeats = more = 0
        for one, other in combinations(table, 2):
            repeats += met.get((one, other) if one < other else (other, one), 0) ** 2
            if extra:
                more += extra(one, other)
        if past.sides:
            repeats += _cheapest_sides(table, past)
        return price * repeats + more

    return cost


REPEAT = 1_000_000
"""The price of meeting again, against differences in standing."""


class Search:
    """A search for cheap tables, limited to so many swaps tried (`tries`)."""

    def __init__(self, cost: TableCost, tries: int) -> None:
        self.cost, self.tries = cost, tries

    def best(self, start: Tables, chance: Chance) -> Tables:
        """The cheapest tables found from a start; done early where new starts save nothing."""
        best, price = self._descend(start)
        patience = PATIENCE
        while price and patience and self.tries > 0 and len(start) > 1:
            shaken = [list(table) for table in best]
            for _ in range(SHAKES):
                _shake(shaken, chance)
            found, found_price = self._descend(shaken)
            patience = PATIENCE if found_price < price else patience - 1
            if found_price <= price:
                best, price = found, found_price
        return best

    def _descend(self, start: Tables) -> tuple[Tables, int]:
        tables = [list(table) for table in start]
        prices = [self.cost(table) for table in tables]
        helped = True
        while helped and self.tries > 0:
            helped = False
            for one, other in combinations(range(len(tables)), 2):
                if self.tries > 0 and (prices[one] or prices[other]):
                    helped |= self._swap(tables, prices, one, other)
        return tables, sum(prices)

    def _swap(self, tables: Tables, prices: list[int], one: int, other: int) -> bool:
        """Try all swaps between two tables; keep each that helps."""
        mine, theirs, helped = tables[one], tables[other], False
        for at, there in product(range(len(mine)), range(len(theirs))):
            self.tries -= 1
            mine[at], theirs[there] = theirs[there], mine[at]
            costs = self.cost(mine), self.cost(theirs)
            if sum(costs) < prices[one] + prices[other]:
                prices[one], prices[other] = costs
                helped = True
            else:
                mine[at], theirs[there] = theirs[there], mine[at]
        return helped


def _shake(tables: Tables, chance: Chance) -> None:
    """Swap two players of two tables, drawn."""
    one = chance.below(len(tables))
    other = (one + 1 + chance.below(len(tables) - 1)) % len(tables)
    at, there = chance.below(len(tables[one])), chance.below(len(tables[other]))
    tables[one][at], tables[other][there] = tables[other][there], tables[one][at]
