"""Assignment of seats and opponents at the lowest cost, using graph matching."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from operator import mul

import rustworkx as rx

from leagues.pairing.rounds import PairingReason, Past, ReasonCode, pair_key

Cost = Callable[[int, int], int]
# Cost of a player having the same seat three times running. It is higher than the cost of any seat
# that a player has had often.
THIRD_RUNNING_COST = 10**6


def cheapest_seating(players: Sequence[int], cost: Cost) -> tuple[int, ...]:
    """Return the order of players with the lowest total cost, trying all possibilities.

    If several have the same cost, the order of `players` decides.
    """

    @cache
    def rest(left: tuple[int, ...], seat: int) -> tuple[int, tuple[int, ...]]:
        if not left:
            return 0, ()
        ways = []
        for position, player in enumerate(left):
            total, seats = rest(left[:position] + left[position + 1 :], seat + 1)
            ways.append((total + cost(player, seat), (player, *seats)))
        return min(ways, key=lambda way: way[0])

    return rest(tuple(players), 0)[1]


def partnership_seats(players: Sequence[int]) -> list[tuple[int, ...]]:
    sides = [set(players[start::2]) for start in (0, 1)]
    return [
        seats
        for seats in permutations(players)
        if any({seats[0], seats[2]} == side for side in sides)
    ]


def seat_order(table: Sequence[int], past: Past) -> tuple[int, ...]:
    """Return the players of a table in the order of seats that is most even given their past seats.

    If possible, no player has the same seat three times running. Otherwise the cost of a seat
    increases with the number of times that the player has had it, and is slightly higher if it was
    the last one.
    """
    if not past.sides:
        return cheapest_seating(table, lambda player, seat: _seat_cost(player, seat, past))
    return min(partnership_seats(table), key=lambda seats: _seating_cost(seats, past))


def is_even_seating(seats: Sequence[int], past: Past) -> bool:
    """Return whether no other order of these players, with the same partners, would be more
    even.
    """
    return _seating_cost(seats, past) == _seating_cost(seat_order(seats, past), past)


def _seating_cost(seats: Sequence[int], past: Past) -> int:
    return sum(_seat_cost(player, seat, past) for seat, player in enumerate(seats))


def _seat_cost(player: int, seat: int, past: Past) -> int:
    often = 2 * (2 * past.sat[player, seat] + 1) + (past.last_seat.get(player) == seat)
    return often + THIRD_RUNNING_COST * (past.tired_seat(player) == seat)


def lead_reason(seats: Sequence[int], past: Past) -> PairingReason:
    led = [past.sat[player, 0] for player in seats]
    params = {"player": seats[0], "led": led[0]}
    if led[0] < min(led[1:]):
        return PairingReason(ReasonCode.LED_LEAST, params)
    if led[0] == min(led[1:]):
        return PairingReason(ReasonCode.LED_LEVEL, params)
    # In the other order, one of the two players would have had the same seat three times running.
    changed = [past.tired_seat(player) for player in seats] in ([1, None], [None, 0], [1, 0])
    return PairingReason(ReasonCode.LED_CHANGE if changed else ReasonCode.LED_SHARED, params)


def standing_reason(scores: Sequence[Fraction]) -> PairingReason:
    low, high = plain_number(min(scores)), plain_number(max(scores))
    if low == high:
        return PairingReason(ReasonCode.SAME_SCORE, {"score": high})
    return PairingReason(ReasonCode.NEAR_SCORE, {"low": low, "high": high})


def plain_number(score: Fraction) -> int | float:
    return int(score) if score.denominator == 1 else float(score)


def met_reasons(seats: Sequence[int], past: Past) -> tuple[PairingReason, ...]:
    times = {False: [0], True: [0]}
    for key, partners in past.pairs(seats):
        times[partners].append((past.partnered if partners else past.met)[key])
    again = [time for time in times[False] if time]
    reasons = [PairingReason(ReasonCode.NOT_MET)]
    if again:
        reasons = [PairingReason(ReasonCode.MET_FEWEST, {"pairs": len(again), "times": max(again)})]
    if past.sides:
        most = max(times[True])
        code = ReasonCode.PARTNERS_BEFORE if most else ReasonCode.PARTNERS_NEW
        reasons.append(PairingReason(code, {"times": most} if most else {}))
    return tuple(reasons)


def rebalance(rounds: list[list[tuple[int, ...]]], past: Past, passes: int = 4) -> None:
    """Assign the seats of all rounds again, as long as that makes them more even.

    Among equally even orders, those are preferred in which no player has the same seat three times
    running.
    """
    sheet = _SeatSheet(rounds, past)
    for _ in range(passes):
        if not sum(sheet.reseat(number) for number in range(len(rounds))):
            return


class _SeatSheet:
    """The seats of all players in the rounds of a draw."""

    def __init__(self, rounds: list[list[tuple[int, ...]]], past: Past) -> None:
        self.rounds, self.sides, self.counts = rounds, past.sides, past.sat.copy()
        # `rows` has the seats of each player in order, starting with up to two before the draw.
        # `places` has the index of a round in the player's row.
        self.rows: dict[int, list[int]] = {}
        self.places: dict[tuple[int, int], int] = {}
        for number, tables in enumerate(rounds):
            for seats in tables:
                for seat, player in enumerate(seats):
                    before = [past.last_seat.get(player, 0)] * past.running.get(player, 0)
                    row = self.rows.setdefault(player, before[:2])
                    self.places[number, player] = len(row)
                    row.append(seat)
                    self.counts[player, seat] += 1

    def reseat(self, number: int) -> bool:
        """Assign the seats of one round again. Return whether the result is more even."""
        changed = False

        def cost(player: int, seat: int) -> int:
            # The factor is higher than the number of additional runs of three that a table of six
            # players can have.
            return 20 * self.counts[player, seat] + self._thirds(player, number, seat)

        def total(some: tuple[int, ...]) -> int:
            return sum(cost(player, seat) for seat, player in enumerate(some))

        tables = self.rounds[number]
        for index, seats in enumerate(tables):
            self.counts.subtract((player, seat) for seat, player in enumerate(seats))
            better = (
                min(partnership_seats(seats), key=total)
                if self.sides
                else cheapest_seating(seats, cost)
            )
            if total(better) < total(seats):
                tables[index], changed = better, True
            for seat, player in enumerate(tables[index]):
                self.counts[player, seat] += 1
                self.rows[player][self.places[number, player]] = seat
        return changed

    def _thirds(self, player: int, number: int, seat: int) -> int:
        """Count the runs of three equal seats that the player would have with this seat in the
        round.
        """
        place = self.places[number, player]
        row = self.rows[player]
        before, after = row[max(0, place - 2) : place], row[place + 1 : place + 3]
        near = [*before, seat, *after]
        return sum(near[at : at + 3] == [seat] * 3 for at in range(len(near) - 2))


Pair = tuple[int, int]
PairCost = Callable[[int, int], tuple[int, ...]]


def match_pairs(edges: Iterable[tuple[int, int, int]]) -> list[Pair]:
    """Match as many pairs of players as possible at the lowest total cost.

    An edge consists of two players and the cost of pairing them.
    """
    weighted = list(edges)
    most = max((cost for _, _, cost in weighted), default=0)
    players = sorted({player for one, other, _ in weighted for player in (one, other)})
    node = {player: index for index, player in enumerate(players)}
    graph = rx.PyGraph[int, int](multigraph=False)
    graph.add_nodes_from(players)
    graph.add_edges_from([(node[one], node[other], most - cost) for one, other, cost in weighted])
    matched = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted(pair_key(players[one], players[other]) for one, other in matched)


def cheapest_pairs(players: Sequence[int], cost: PairCost) -> list[Pair]:
    """Pair all players at the lowest total cost. The number of players must be even.

    A cost is a tuple. Totals are compared by their first numbers, then by their second, and so on.
    """
    pairs = list(combinations(players, 2))
    weights = _weights([cost(one, other) for one, other in pairs], len(players) // 2)
    return match_pairs(
        (one, other, weight) for (one, other), weight in zip(pairs, weights, strict=True)
    )


def _weights(costs: Sequence[tuple[int, ...]], pairs: int) -> list[int]:
    """Convert tuples of costs to integers, such that sums of `pairs` of them are ordered like
    tuples.
    """
    units, unit = list[int](), 1
    for column in reversed(list(zip(*costs, strict=True))):
        units.insert(0, unit)
        unit *= pairs * max(column) + 1
    return [sum(map(mul, some, units)) for some in costs]


def remaining_rounds(order: Sequence[int], past: Past, legs: int) -> list[list[tuple[int, ...]]]:
    """Return rounds of the pairs that have met less than `legs` times, each as full as possible.

    There may be more rounds than necessary, because each round is chosen without looking ahead.
    """
    left = {
        pair_key(*two): legs - past.met[pair_key(*two)]
        for two in combinations(order, 2)
        if past.met[pair_key(*two)] < legs
    }
    so_far, rounds = past.copy(), []
    while left:
        tables = [seat_order(two, so_far) for two in match_pairs(_urgent(left))]
        for seats in tables:
            so_far.add(seats)
            left[pair_key(seats[0], seats[1])] -= 1
        left = {two: times for two, times in left.items() if times}
        rounds.append(tables)
    return rounds


def _urgent(left: dict[Pair, int]) -> list[tuple[int, int, int]]:
    """Return the pairs of players that still have to meet, with costs.

    The more matches the players have left, the lower is the cost of their pair.
    """
    busy: dict[int, int] = {}
    for two, times in left.items():
        for player in two:
            busy[player] = busy.get(player, 0) + times
    return [(one, other, -busy[one] * busy[other]) for one, other in left]
