"""Pairs of two at the least cost in all; the one place that knows how a graph is matched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import networkx as nx  # type: ignore[import-untyped]

from leagues.pairing.past import Past, pair
from leagues.pairing.seating import seated

Pair = tuple[int, int]
FIRST_CHOICES = 16
"""Cheapest partners of each player tried first; all are tried where these do not suffice."""


def matched(edges: Iterable[tuple[int, int, int]]) -> list[Pair]:
    """As many pairs as can be, and of such the cheapest in all; edges are (one, other, cost)."""
    weighted = list(edges)
    most = max((cost for _, _, cost in weighted), default=0)
    graph = nx.Graph()
    graph.add_weighted_edges_from((one, other, most - cost) for one, other, cost in weighted)
    return sorted(pair(*two) for two in nx.max_weight_matching(graph, maxcardinality=True))


def cheapest_pairs(
    players: Sequence[int], cost: Callable[[int, int], int], dear: int
) -> list[Pair]:
    """Everybody in pairs, at the least cost in all; `players` are even in number.

    Unless a pair would cost `dear` or more, only the cheapest partners of each are looked at,
    which is far quicker and hardly ever dearer.
    """
    edges = [(one, other, cost(one, other)) for one, other in combinations(players, 2)]
    found = matched(_first_choices(edges))
    prices = {pair(one, other): price for one, other, price in edges}
    if 2 * len(found) < len(players) or any(prices[two] >= dear for two in found):
        found = matched(edges)
    return found


def _first_choices(edges: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    chosen, taken = [], dict[int, int]()
    for one, other, cost in sorted(edges, key=lambda edge: edge[2]):
        if min(taken.get(one, 0), taken.get(other, 0)) < FIRST_CHOICES:
            chosen.append((one, other, cost))
            taken[one], taken[other] = taken.get(one, 0) + 1, taken.get(other, 0) + 1
    return chosen


def remaining_rounds(order: Sequence[int], past: Past, legs: int) -> list[list[tuple[int, ...]]]:
    """Rounds of the pairs that have met less than `legs` times, as many at once as can be."""
    left = {
        pair(*two): legs - past.met[pair(*two)]
        for two in combinations(order, 2)
        if past.met[pair(*two)] < legs
    }
    so_far, rounds = past.copy(), []
    while left:
        tables = [seated(two, so_far) for two in matched(_urgent(left))]
        for seats in tables:
            so_far.add(seats)
            left[pair(seats[0], seats[1])] -= 1
        left = {two: times for two, times in left.items() if times}
        rounds.append(tables)
    return rounds


def _urgent(left: dict[Pair, int]) -> list[tuple[int, int, int]]:
    """The pairs left, those cheapest whose players have most still to play."""
    busy: dict[int, int] = {}
    for two, times in left.items():
        for player in two:
            busy[player] = busy.get(player, 0) + times
    return [(one, other, -busy[one] * busy[other]) for one, other in left]
