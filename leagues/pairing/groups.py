"""Draws for tables of three to six players: single rounds and whole round robins.

A local search swaps players while that reduces the cost, and restarts from a shuffled copy of the
best tables found. The random generator is an argument, so the same seed gives the same tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, islice, pairwise, product
from math import ceil, comb, isqrt

from fairness import Chance
from leagues.pairing.rounds import Past, pair_key

Tables = list[list[int]]
TableCost = Callable[[Sequence[int]], int]
# The three ways to split four players into two sides, as indices of the players by seat. Seats 0
# and 2 are partners, and so are seats 1 and 3. In the first way, the first and the last player are
# partners.
SPLITS = ((0, 1, 3, 2), (0, 1, 2, 3), (0, 2, 1, 3))
# Number of random swaps before a restart, and of restarts without improvement before the search
# ends.
SHAKES = 3
PATIENCE = 120


def sides_of(table: Sequence[int], past: Past) -> tuple[int, ...]:
    ways = [tuple(table[index] for index in split) for split in SPLITS]
    return min(ways, key=lambda way: _partner_cost(way, past))


def _partner_cost(table: Sequence[int], past: Past) -> int:
    one, two, three, four = table
    return _together(one, three, past) + _together(two, four, past)


def _together(one: int, other: int, past: Past) -> int:
    """Return the cost of seating two players as partners at a table.

    A repeated partnership counts twice. The cost of meeting as opponents is subtracted, because the
    two do not oppose each other.
    """
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
    """Return a function for the cost of a table, which increases with every repeated meeting.

    If players play as partners, the cheapest split into two sides counts. `extra` is an additional
    cost for each pair of players, such as a difference in the standings. It must be far below the
    cost of a repeated meeting.
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


# Cost of a repeated meeting. It is higher than all differences in the standings that one swap can
# change.
REPEAT_COST = 10**12


class TableSearch:
    def __init__(self, cost: TableCost, tries: int) -> None:
        self.cost, self.tries = cost, tries

    def best(self, start: Tables, chance: Chance) -> Tables:
        """Return the tables with the lowest cost that a search from `start` finds.

        The search ends early if there is no more improvement.
        """
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
# Multiplication table of the finite field with four elements. Addition in this field is exclusive
# or.
_TIMES_IN_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))


def has_plane(players: int, seats: int) -> bool:
    return players == seats * seats and seats in (*PRIMES, FOUR)


def plane_rounds(players: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """Return the rounds in which k x k players meet exactly once at tables of k: k + 1 rounds.

    The tables are the lines of a finite affine plane. `has_plane` says for which numbers of players
    there is one.
    """
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
    """Return a function that calculates points on a line of the affine plane:

    `slope` * x + `start`.

    The calculation is done in the finite field with `size` elements.
    """
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
    """Draw tables of these sizes for `count` rounds. A player's side depends on the seat.

    Meetings are as even as a limited search finds, and perfectly even if there is a finite plane
    (`has_plane`). Unless players play as partners, as many pairs as the search finds meet at least
    once. Byes rotate. Past meetings are taken into account.
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
    drawn = [[tuple(table) for table in tables] for tables in rounds.drawn]
    return drawn if past.sides else _with_more_pairs(drawn, order, sizes, past, chance)


def _with_more_pairs(
    drawn: DrawnTables, order: Sequence[int], sizes: Sequence[int], past: Past, chance: Chance
) -> DrawnTables:
    """Return rounds in which more pairs of players meet than in the given rounds, if a search finds
    any.

    The number of byes of each player does not change.
    """
    cover = _Cover(order, sizes, past, 1, chance, count=len(drawn))
    cover.start_with(drawn)
    unmet = cover.unmet()
    if unmet:
        cover.improve(MOVES_PER_LEG // 3)
    if cover.unmet() >= unmet:
        return drawn
    cover.even_out()
    return cover.tables()


def split_into_tables(players: Sequence[int], sizes: Sequence[int]) -> Tables:
    coming = iter(players)
    return [list(islice(coming, size)) for size in sizes]


class _Rounds:
    """Rounds of a draw under construction.

    Each round is first optimised with regard to earlier rounds, then with regard to all others.
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
    """Return the sum of squares of the numbers of meetings, with a partner counted as two
    opponents.
    """
    met = sum(times * times for times in past.met.values())
    return met + 2 * sum(times * times for times in past.partnered.values())


def _playing(order: Sequence[int], seated: int, count: int, past: Past) -> list[list[int]]:
    """Choose which players play and which sit out in each round.

    Players with the fewest byes sit out first.

    Among these, players who rarely sat out together are preferred, because players who sit out
    together do not meet.
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


# Numbers of swaps that the search tries: for a fixed number of rounds, for a whole leg (part of a
# round robin in which all players meet), and, for each player, for an added round.
MOVES_PER_COUNT = 20_000
MOVES_PER_LEG = 150_000
MOVES_PER_PLAYER = 10
# In the first phase of the search, a swap that leaves one more pair without a meeting is accepted
# with probability 1/30, in the second phase with probability 1/300.
WORSE_MOVES = (30, 300)
# A pair of players that meets more often than this costs as much as a pair that does not meet.
# Otherwise some pairs would meet in nearly every round. Tables of five and six players allow one
# more meeting.
MAX_MEETINGS = 3
# Maximum number of rounds of a leg, as a multiple of the smallest possible number.
MAX_ROUNDS_FACTOR = 4
# Number of random copies of the first leg, with other players, from which a later leg is chosen.
COPIES = 50


def covering_legs(
    order: Sequence[int], sizes: Sequence[int], legs: int, past: Past, chance: Chance
) -> list[DrawnTables]:
    """Draw the legs of a round robin in as few rounds as a search finds.

    In each leg, all players meet one more time. A player's side depends on the seat. Past
    meetings and byes are taken into account, so a leg can be shorter if players have met before.
    """
    past, drawn = past.copy(), list[DrawnTables]()
    fresh = not any(times_met(past, *two) for two in combinations(order, 2))
    full_leg: DrawnTables = []  # a leg in which everybody meets, if it is known
    if fresh and has_plane(len(order), sizes[0]):
        full_leg = plane_rounds(order)
    for leg in range(1, legs + 1):
        cover = _Cover(order, sizes, past, leg, chance)
        if full_leg:
            cover.start_like(full_leg)
        else:
            cover.search()
        cover.even_out()
        rounds = cover.tables()
        for tables in rounds:
            for number, table in enumerate(tables):
                tables[number] = sides_of(table, past) if past.sides else table
                past.add_table(tables[number])
            seated = {player for table in tables for player in table}
            past.byes.update(player for player in order if player not in seated)
        drawn.append(rounds)
        if fresh:
            full_leg = drawn[0]
    return drawn


def times_met(past: Past, one: int, other: int) -> int:
    key = pair_key(one, other)
    return past.met[key] + past.partnered[key]


class _Cover:
    """Rounds of a leg under construction. Players are represented by their index in `order`.

    `leg` is the number of the leg. `count` is a fixed number of rounds, or 0. The search swaps two
    players of a round, or exchanges a player for one who sits out in another round. Neither changes
    the number of byes of a player.
    """

    def __init__(
        self,
        order: Sequence[int],
        sizes: Sequence[int],
        past: Past,
        leg: int,
        chance: Chance,
        count: int = 0,
    ) -> None:
        self.order, self.sizes, self.past, self.chance = order, sizes, past.copy(), chance
        self.players = range(len(order))
        # Number of meetings of each two players that count for this leg. Each earlier leg needed
        # one meeting of each pair, which is subtracted.
        self.met = [
            [max(0, times_met(past, one, other) - leg + 1) for other in order] for one in order
        ]
        self.rounds: list[Tables] = []
        self.out: list[list[int]] = []
        self.first = 0  # index of the first round that the search may change
        fewest = self._fewest_rounds(comb(len(order), 2))
        self.max_rounds = count or MAX_ROUNDS_FACTOR * fewest
        self.most = max(map(max, self.met)) + self.max_rounds
        often = MAX_MEETINGS + (max(sizes) > FOUR)
        self._set_costs([1, *(max(0, times - often) for times in range(1, self.most + 1))])

    def _fewest_rounds(self, pairs: int) -> int:
        return ceil(pairs / sum(comb(size, 2) for size in self.sizes))

    def _set_costs(self, costs: Sequence[int]) -> None:
        """Calculate what a pair of players costs for each number of their meetings."""
        self.rise = [after - before for before, after in pairwise(costs)]
        self.cost = sum(costs[self.met[one][other]] for one, other in combinations(self.players, 2))

    def unmet(self) -> int:
        return sum(not self.met[one][other] for one, other in combinations(self.players, 2))

    def search(self) -> None:
        """Add rounds until all players have met, with a limited search for each number of
        rounds.
        """
        seated, left = sum(self.sizes), MOVES_PER_LEG
        fewest = self._fewest_rounds(self.unmet())
        for players in _playing(self.order, seated, fewest, self.past):
            self._add_round(players)
        while self.rounds and len(self.rounds) < self.max_rounds:
            left -= self.improve(max(0, min(left, MOVES_PER_COUNT)))
            if not self.unmet():
                return
            self._add_round(*_playing(self.order, seated, 1, self.past))

    def start_like(self, rounds: DrawnTables) -> None:
        """Copy the tables of an earlier leg, with other players in the roles.

        Players with few byes take the roles of players with many byes. From several random copies,
        the one whose players have met least often before is chosen.
        """
        byes = Counter(self.order)
        for tables in rounds:
            byes.subtract(player for table in tables for player in table)
        roles = sorted(self.order, key=lambda player: -byes[player])
        copies = []
        for _ in range(COPIES):
            actors = self.chance.shuffled(self.players)
            actors.sort(key=lambda index: self.past.byes[self.order[index]])
            actor = dict(zip(roles, actors, strict=True))
            copies.append(
                [[[actor[player] for player in table] for table in tables] for tables in rounds]
            )
        for copy in min(copies, key=self._meetings_before):
            self._seat(copy)

    def start_with(self, rounds: DrawnTables) -> None:
        index = {player: number for number, player in enumerate(self.order)}
        for tables in rounds:
            self._seat([[index[player] for player in table] for table in tables])

    def tables(self) -> DrawnTables:
        return [
            [tuple(self.order[number] for number in table) for table in tables]
            for tables in self.rounds
        ]

    def _meetings_before(self, rounds: list[Tables]) -> int:
        return sum(
            self.met[one][other]
            for tables in rounds
            for table in tables
            for one, other in combinations(table, 2)
        )

    def even_out(self) -> None:
        """Make the numbers of meetings of all pairs of players more even, while all players still
        meet.
        """
        # A pair that does not meet costs more than a swap can gain by evener numbers of meetings.
        self._set_costs([100 * self.most, *(times * times for times in range(1, self.most + 1))])
        if self.rounds:
            self._improve(MOVES_PER_COUNT // 4, 0)

    def _add_round(self, players: Sequence[int]) -> None:
        index = {player: number for number, player in enumerate(self.order)}
        playing = [index[player] for player in players]
        self._seat(self._greedy_tables(playing))
        self.past.byes.update(self.order[number] for number in self.out[-1])
        self.first = len(self.rounds) - 1
        self.improve(MOVES_PER_PLAYER * len(self.order))
        self.first = 0

    def _greedy_tables(self, players: Sequence[int]) -> Tables:
        """Fill tables one by one with the players who have met the table's players least often.

        Each table starts with the player who still has to meet the most others.
        """
        left = self.chance.shuffled(players)
        left.sort(key=lambda player: self.met[player].count(0), reverse=True)
        tables: Tables = []
        for size in self.sizes:
            table = [left.pop(0)]
            met = self.met[table[0]]
            while len(table) < size:
                player = min(left, key=met.__getitem__)
                left.remove(player)
                table.append(player)
                met = [some + more for some, more in zip(met, self.met[player], strict=True)]
            tables.append(table)
        return tables

    def _seat(self, tables: Tables) -> None:
        self.rounds.append(tables)
        seated = {player for table in tables for player in table}
        self.out.append([player for player in self.players if player not in seated])
        for table in tables:
            for one, other in combinations(table, 2):
                self._meet(one, other)

    def _meet(self, one: int, other: int) -> None:
        times = self.met[one][other]
        self.cost += self.rise[times]
        self.met[one][other] = self.met[other][one] = times + 1

    def _part(self, one: int, other: int) -> None:
        times = self.met[one][other] - 1
        self.cost -= self.rise[times]
        self.met[one][other] = self.met[other][one] = times

    def improve(self, moves: int) -> int:
        """Try random swaps until the cost is zero, and return their number.

        At first, swaps that increase the cost are often accepted, later rarely.
        """
        return sum(self._improve(moves // len(WORSE_MOVES), worse) for worse in WORSE_MOVES)

    def _improve(self, moves: int, worse: int) -> int:
        several, byes = len(self.sizes) > 1, bool(self.out[0])
        for move in range(moves):
            if not self.cost:
                return move
            if several and not (byes and self.chance.below(5) == 0):
                self._swap(worse)
            elif byes:
                self._exchange_byes(worse)
            else:
                return move
        return moves

    def _accepts(self, rise: int, worse: int) -> bool:
        """Decide at random whether to accept a swap that increases the cost.

        The more a swap increases the cost, the less likely it is to be accepted.
        """
        return rise <= 0 or (worse > 0 and not any(self.chance.below(worse) for _ in range(rise)))

    def _swap(self, worse: int) -> None:
        below = self.chance.below
        tables = self.rounds[self.first + below(len(self.rounds) - self.first)]
        at = below(len(tables))
        mine, theirs = tables[at], tables[at - 1 - below(len(tables) - 1)]
        seat, there = below(len(mine)), below(len(theirs))
        player, rival = mine[seat], theirs[there]
        met, rival_met, rise, change = self.met[player], self.met[rival], self.rise, 0
        for other in mine:
            if other != player:
                change += rise[rival_met[other]] - rise[met[other] - 1]
        for other in theirs:
            if other != rival:
                change += rise[met[other]] - rise[rival_met[other] - 1]
        if self._accepts(change, worse):
            self._replace(mine, player, rival)
            self._replace(theirs, rival, player)

    def _exchange_byes(self, worse: int) -> None:
        below = self.chance.below
        one = self.first + below(len(self.rounds) - self.first)
        other = below(len(self.rounds))
        at, there = below(len(self.out[one])), below(len(self.out[other]))
        player, rival = self.out[one][at], self.out[other][there]
        if player in self.out[other] or rival in self.out[one]:
            return
        before = self.cost
        mine = next(table for table in self.rounds[one] if rival in table)
        theirs = next(table for table in self.rounds[other] if player in table)
        self._replace(mine, rival, player)
        self._replace(theirs, player, rival)
        if self._accepts(self.cost - before, worse):
            self.out[one][at], self.out[other][there] = rival, player
        else:
            self._replace(theirs, rival, player)
            self._replace(mine, player, rival)

    def _replace(self, table: list[int], player: int, by: int) -> None:
        for other in table:
            if other != player:
                self._part(player, other)
                self._meet(by, other)
        table[table.index(player)] = by
