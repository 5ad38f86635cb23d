"""Seating and pairing at the lowest cost, by graph matching."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from operator import mul

import rustworkx as rx

from leagues.pairing.rounds import Past, Reason, ReasonCode, pair_key

Cost = Callable[[int, int], int]
# Cost of the same seat three times running. It exceeds the costs of seats that a player had often.
THIRD_RUNNING_COST = 10**6


def cheapest_seating(players: Sequence[int], cost: Cost) -> tuple[int, ...]:
    """Return the seating with the lowest total cost, by exact assignment.

    Ties are broken by the order of `players`.
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
    """Seat the players of a table as evenly as their past allows.

    Nobody has a seat three times running if that can be avoided. Otherwise a seat costs more the
    more often a player had it, and slightly more if it was the last one.
    """
    if not past.sides:
        return cheapest_seating(table, lambda player, seat: _seat_cost(player, seat, past))
    return min(partnership_seats(table), key=lambda seats: _seating_cost(seats, past))


def is_even_seating(seats: Sequence[int], past: Past) -> bool:
    """Return whether no other order of these players, with the same partners, is more even."""
    return _seating_cost(seats, past) == _seating_cost(seat_order(seats, past), past)


def _seating_cost(seats: Sequence[int], past: Past) -> int:
    return sum(_seat_cost(player, seat, past) for seat, player in enumerate(seats))


def _seat_cost(player: int, seat: int, past: Past) -> int:
    often = 2 * (2 * past.sat[player, seat] + 1) + (past.last_seat.get(player) == seat)
    return often + THIRD_RUNNING_COST * (past.tired_seat(player) == seat)


def lead_reason(seats: Sequence[int], past: Past) -> Reason:
    led = [past.sat[player, 0] for player in seats]
    params = {"player": seats[0], "led": led[0]}
    if led[0] < min(led[1:]):
        return Reason(ReasonCode.LED_LEAST, params)
    if led[0] == min(led[1:]):
        return Reason(ReasonCode.LED_LEVEL, params)
    # Of two players, one would have had the same seat three times running in the other order.
    changed = [past.tired_seat(player) for player in seats] in ([1, None], [None, 0], [1, 0])
    return Reason(ReasonCode.LED_CHANGE if changed else ReasonCode.LED_SHARED, params)


def standing_reason(scores: Sequence[Fraction]) -> Reason:
    low, high = plain(min(scores)), plain(max(scores))
    if low == high:
        return Reason(ReasonCode.SAME_SCORE, {"score": high})
    return Reason(ReasonCode.NEAR_SCORE, {"low": low, "high": high})


def plain(score: Fraction) -> int | float:
    return int(score) if score.denominator == 1 else float(score)


def met_reasons(seats: Sequence[int], past: Past) -> tuple[Reason, ...]:
    times = {False: [0], True: [0]}
    for key, partners in past.pairs(seats):
        times[partners].append((past.partnered if partners else past.met)[key])
    again = [time for time in times[False] if time]
    reasons = [Reason(ReasonCode.NOT_MET)]
    if again:
        reasons = [Reason(ReasonCode.MET_FEWEST, {"pairs": len(again), "times": max(again)})]
    if past.sides:
        most = max(times[True])
        code = ReasonCode.PARTNERS_BEFORE if most else ReasonCode.PARTNERS_NEW
        reasons.append(Reason(code, {"times": most} if most else {}))
    return tuple(reasons)


def rebalance(rounds: list[list[tuple[int, ...]]], past: Past, passes: int = 4) -> None:
    """Assign the seats of whole rounds again while that improves balance.

    Among equally balanced seats, those are preferred that players do not have three times running.
    """
    sheet = _SeatSheet(rounds, past)
    for _ in range(passes):
        if not sum(sheet.reseat(number) for number in range(len(rounds))):
            return


class _SeatSheet:
    """The seats of all players over the rounds of a draw."""

    def __init__(self, rounds: list[list[tuple[int, ...]]], past: Past) -> None:
        self.rounds, self.sides, self.counts = rounds, past.sides, past.sat.copy()
        # The seats of each player in order, beginning with the last ones before the draw, and the
        # place of each round in them.
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
        """Seat the tables of a round again. Return whether that improved anything."""
        changed = False

        def cost(player: int, seat: int) -> int:
            # The factor exceeds the runs of three that a table of six can add.
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
        """Count the runs of three matches with this seat that it would complete."""
        place = self.places[number, player]
        row = self.rows[player]
        before, after = row[max(0, place - 2) : place], row[place + 1 : place + 3]
        near = [*before, seat, *after]
        return sum(near[at : at + 3] == [seat] * 3 for at in range(len(near) - 2))


Pair = tuple[int, int]
PairCost = Callable[[int, int], tuple[int, ...]]


def match_pairs(edges: Iterable[tuple[int, int, int]]) -> list[Pair]:
    """Match as many pairs as possible at the lowest total cost. Edges are (one, other, cost)."""
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
    """Pair everybody at the lowest total cost. The number of players must be even.

    Costs are compared by their first numbers, then by the second, and so on.
    """
    pairs = list(combinations(players, 2))
    weights = _weights([cost(one, other) for one, other in pairs], len(players) // 2)
    return match_pairs(
        (one, other, weight) for (one, other), weight in zip(pairs, weights, strict=True)
    )


def _weights(costs: Sequence[tuple[int, ...]], pairs: int) -> list[int]:
    """Return each cost as one number, such that sums of `pairs` of them compare as tuples do."""
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
    """Return the remaining pairs. Those whose players have most matches left cost least."""
    busy: dict[int, int] = {}
    for two, times in left.items():
        for player in two:
            busy[player] = busy.get(player, 0) + times
    return [(one, other, -busy[one] * busy[other]) for one, other in left]
