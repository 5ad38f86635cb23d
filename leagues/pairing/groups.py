"""Groups of three to six players: single tables and whole round robins.

A local search swaps players while that helps, and restarts from a shuffled copy of the best
grouping. Randomness is an argument, so the same seed always gives the same tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, islice, product
from math import isqrt

from fairness import Chance
from leagues.pairing.rounds import Past, pair_key

Tables = list[list[int]]
TableCost = Callable[[Sequence[int]], int]
# The three ways to split four players into two sides, as seats: partners are 0+2 and 1+3. The first
# pairs the first player with the last.
SPLITS = ((0, 1, 3, 2), (0, 1, 2, 3), (0, 2, 1, 3))
# Random swaps per restart, and restarts without improvement before the search ends.
SHAKES = 3
PATIENCE = 120


def sides_of(table: Sequence[int], past: Past) -> tuple[int, ...]:
    ways = [tuple(table[index] for index in split) for split in SPLITS]
    return min(ways, key=lambda way: _partner_cost(way, past))


def _partner_cost(table: Sequence[int], past: Past) -> int:
    one, two, three, four = table
    return _together(one, three, past) + _together(two, four, past)


def _together(one: int, other: int, past: Past) -> int:
    """Count partners twice, and do not count them as opponents."""
    key = (one, other) if one < other else (other, one)
    again = past.partnered.get(key, 0)
    return 2 * again * again - past.met.get(key, 0) ** 2


def _cheapest_sides(table: Sequence[int], past: Past) -> int:
    one, two, three, four = table
    return min(
        _together(one, four, past) + _together(two, three, past),
        _together(one, three, past) + _together(two, four, past),
        _together(one, two, past) + _together(three, four, past),
    )


def meeting_cost(past: Past, extra: Callable[[int, int], int] | None = None) -> TableCost:
    """Return a function for the cost of a table, which rises with every repeated meeting.

    With partners the cheapest split counts. `extra` adds a cost for each pair of players, for
    example by standing, far below the cost of a repetition.
    """
    met, price = past.met, REPEAT_COST if extra else 1

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


# Cost of a repeated meeting. It exceeds all differences in standing that one swap can change.
REPEAT_COST = 10**12


class TableSearch:
    def __init__(self, cost: TableCost, tries: int) -> None:
        self.cost, self.tries = cost, tries

    def best(self, start: Tables, chance: Chance) -> Tables:
        """Return the cheapest tables found from a start. Ends early without improvements."""
        best, price = self._descend(start)
        patience = PATIENCE
        while price and patience and self.tries > 0 and len(start) > 1:
            shaken = [list(table) for table in best]
            for _ in range(SHAKES):
                _shake(shaken, chance)
            tables, cost = self._descend(shaken)
            patience = PATIENCE if cost < price else patience - 1
            if cost <= price:
                best, price = tables, cost
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
    one = chance.below(len(tables))
    other = (one + 1 + chance.below(len(tables) - 1)) % len(tables)
    at, there = chance.below(len(tables[one])), chance.below(len(tables[other]))
    tables[one][at], tables[other][there] = tables[other][there], tables[one][at]


PRIMES = (2, 3, 5)
FOUR = 4
# Products in the field of four elements, whose addition is exclusive or.
_TIMES_IN_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))


def has_plane(players: int, seats: int) -> bool:
    return players == seats * seats and seats in (*PRIMES, FOUR)


def plane_rounds(players: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """Return the k + 1 rounds for k x k players. See `has_plane`."""
    size = isqrt(len(players))
    on = _line(size)
    slanted = [
        [
            tuple(players[size * x + on(slope, x, start)] for x in range(size))
            for start in range(size)
        ]
        for slope in range(size)
    ]
    upright = [tuple(players[size * x : size * (x + 1)]) for x in range(size)]
    return [*slanted, upright]


def _line(size: int) -> Callable[[int, int, int], int]:
    """Return the function of the line `slope` * x + `start` over x, in the field of that size."""
    if size == FOUR:
        return lambda slope, x, start: _TIMES_IN_FOUR[slope][x] ^ start
    return lambda slope, x, start: (slope * x + start) % size


MAX_SWAPS_PER_ROUND = 6_000
MAX_SWAPS = 600_000
MAX_EXCHANGES = 3_000
DrawnTables = list[list[tuple[int, ...]]]


def drawn_tables(
    order: Sequence[int], sizes: Sequence[int], count: int, past: Past, chance: Chance
) -> DrawnTables:
    """Draw tables of these sizes for `count` rounds. Seats determine the sides.

    Meetings are as even as a limited search finds, or perfect where a plane exists. Byes rotate.
    Past meetings are taken into account.
    """
    if has_plane(len(order), sizes[0]) and not past.sides:
        perfect = plane_rounds(order)
        return [list(perfect[number % len(perfect)]) for number in range(count)]
    tries = min(MAX_SWAPS_PER_ROUND, MAX_SWAPS // (2 * count))
    rounds = _Rounds(past.copy(), chance, tries)
    for players in _playing(order, sum(sizes), count, past):
        rounds.add(split_into_tables(chance.shuffled(players), sizes))
    rounds.exchange_byes()
    for number in range(count):
        rounds.improve(number)
    return [[tuple(table) for table in tables] for tables in rounds.drawn]


def split_into_tables(players: Sequence[int], sizes: Sequence[int]) -> Tables:
    coming = iter(players)
    return [list(islice(coming, size)) for size in sizes]


class _Rounds:
    """Rounds under construction. Each is optimised after the earlier ones, then against all
    others.
    """

    def __init__(self, past: Past, chance: Chance, tries: int) -> None:
        self.past, self.chance, self.tries = past, chance, tries
        self.drawn: list[Tables] = []

    def add(self, start: Tables) -> None:
        self.drawn.append(self._searched(start))

    def improve(self, number: int) -> None:
        for table in self.drawn[number]:
            self.past.remove_table(table)
        self.drawn[number] = self._searched(self.drawn[number])

    def exchange_byes(self) -> None:
        left = MAX_EXCHANGES
        for one, other in combinations(range(len(self.drawn)), 2):
            mine, theirs = self._players(one), self._players(other)
            for player, rival in product(sorted(mine - theirs), sorted(theirs - mine)):
                left -= 1
                if left < 0:
                    return
                if player in self._players(one) and rival in self._players(other):
                    self._exchange(one, other, player, rival)

    def _exchange(self, one: int, other: int, player: int, rival: int) -> None:
        before = unevenness(self.past)
        self._replace(one, player, rival)
        self._replace(other, rival, player)
        if unevenness(self.past) >= before:
            self._replace(one, rival, player)
            self._replace(other, player, rival)

    def _replace(self, number: int, player: int, by: int) -> None:
        table = next(table for table in self.drawn[number] if player in table)
        self.past.remove_table(table)
        table[table.index(player)] = by
        self.past.add_table(table)

    def _players(self, number: int) -> set[int]:
        return {player for table in self.drawn[number] for player in table}

    def _searched(self, start: Tables) -> Tables:
        tables = TableSearch(meeting_cost(self.past), self.tries).best(start, self.chance)
        if self.past.sides:
            tables = [list(sides_of(table, self.past)) for table in tables]
        for table in tables:
            self.past.add_table(table)
        return tables


def unevenness(past: Past) -> int:
    """Return the sum of squared meetings, with a partner counted as two opponents."""
    met = sum(times * times for times in past.met.values())
    return met + 2 * sum(times * times for times in past.partnered.values())


def _playing(order: Sequence[int], seated: int, count: int, past: Past) -> list[list[int]]:
    """Choose the players of each round. Those with the fewest byes sit out first.

    Among these, players who rarely sat out together are preferred, because they do not meet.
    """
    byes, together, rounds = past.byes.copy(), Counter[tuple[int, int]](), []
    for _ in range(count):
        out: list[int] = []
        while len(out) < len(order) - seated:
            left = [player for player in order if player not in out]
            out.append(
                min(
                    left,
                    key=lambda p: (byes[p], sum(together[pair_key(p, other)] for other in out)),
                )
            )
        byes.update(out)
        together.update(pair_key(one, other) for one in out for other in out if one < other)
        rounds.append([player for player in order if player not in out])
    return rounds
