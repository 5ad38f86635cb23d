"""Who sits where: the seats of a match dealt out so that everybody sits everywhere as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import permutations

from leagues.pairing.past import Past
from leagues.pairing.rounds import Because, Reason

Cost = Callable[[int, int], int]


def cheapest(players: Sequence[int], cost: Cost) -> tuple[int, ...]:
    """The players by seat at the least cost in all: an exact assignment.

    Of equally cheap ones the first: who comes earlier in `players` sits lower.
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
    """All ways to sit down that keep the partners: those given in seats 0+2 and 1+3."""
    sides = [set(players[start::2]) for start in (0, 1)]
    return [
        seats
        for seats in permutations(players)
        if any({seats[0], seats[2]} == side for side in sides)
    ]


def seated(table: Sequence[int], past: Past) -> tuple[int, ...]:
    """The players of a table by seat, as balanced as their past allows.

    A seat costs the more the oftener a player had it, and a trifle where it was the last one.
    """
    counts = past.sat

    def cost(player: int, seat: int) -> int:
        return 2 * (2 * counts[player, seat] + 1) + (past.last_seat.get(player) == seat)

    if not past.sides:
        return cheapest(table, cost)
    return min(
        partnership_seats(table),
        key=lambda seats: sum(cost(player, seat) for seat, player in enumerate(seats)),
    )


def lead_reason(seats: Sequence[int], past: Past) -> Reason:
    """Why the first player leads, as far as leading before explains it."""
    led = [past.sat[player, 0] for player in seats]
    params = {"player": seats[0], "led": led[0]}
    if led[0] < min(led[1:]):
        return Reason(Because.LED_LEAST, params)
    return Reason(Because.LED_LEVEL, params)


def met_reasons(seats: Sequence[int], past: Past) -> tuple[Reason, ...]:
    """What a table repeats: opponents, and partners where there are sides."""
    times = {False: [0], True: [0]}
    for key, partners in past.pairs(seats):
        times[partners].append((past.partnered if partners else past.met)[key])
    again = [time for time in times[False] if time]
    reasons = [Reason(Because.NOT_MET)]
    if again:
        reasons = [Reason(Because.MET_FEWEST, {"pairs": len(again), "times": max(again)})]
    if past.sides:
        most = max(times[True])
        code = Because.PARTNERS_BEFORE if most else Because.PARTNERS_NEW
        reasons.append(Reason(code, {"times": most} if most else {}))
    return tuple(reasons)


def rebalance(rounds: list[list[tuple[int, ...]]], past: Past, passes: int = 4) -> None:
    """Deal the seats of whole rounds out again, each knowing all others, while that helps."""
    counts: Counter[tuple[int, int]] = past.sat.copy()
    for tables in rounds:
        for seats in tables:
            counts.update((player, seat) for seat, player in enumerate(seats))
    for _ in range(passes):
        if not sum(_reseat(tables, counts, sides=past.sides) for tables in rounds):
            return


def _reseat(tables: list[tuple[int, ...]], counts: Counter[tuple[int, int]], *, sides: bool) -> int:
    """Seat each table anew; how many of them changed for the better."""
    changed = 0
    for number, seats in enumerate(tables):
        counts.subtract((player, seat) for seat, player in enumerate(seats))

        def cost(player: int, seat: int) -> int:
            return counts[player, seat]

        def total(some: tuple[int, ...]) -> int:
            return sum(cost(player, seat) for seat, player in enumerate(some))

        better = min(partnership_seats(seats), key=total) if sides else cheapest(seats, cost)
        if total(better) < total(seats):
            tables[number], changed = better, changed + 1
        counts.update((player, seat) for seat, player in enumerate(tables[number]))
    return changed
