"""Round robins at tables of three to six: who sits with whom in each round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, islice, product
from math import isqrt

from fairness import Chance
from leagues.pairing.grouping import Search, Tables, meeting_cost, sides_of
from leagues.pairing.past import Past, pair

PRIMES = (2, 3, 5)
FOUR = 4
_TIMES_IN_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field of four elements, whose sums are those of bits (exclusive or)."""


def has_plane(players: int, seats: int) -> bool:
    """Whether so many players at such tables can meet perfectly."""
    return players == seats * seats and seats in (*PRIMES, FOUR)


def plane_rounds(players: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """The k + 1 rounds for k x k players; see `has_plane`."""
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
    """The height of the line `slope` * x + `start` over x, in the field of that size."""
    if size == FOUR:
        return lambda slope, x, start: _TIMES_IN_FOUR[slope][x] ^ start
    return lambda slope, x, start: (slope * x + start) % size


TRIES_A_ROUND = 6_000
TRIES_IN_ALL = 600_000
EXCHANGES = 3_000
Drawn = list[list[tuple[int, ...]]]


def drawn_tables(
    order: Sequence[int], sizes: Sequence[int], count: int, past: Past, chance: Chance
) -> Drawn:
    """Tables of these sizes for so many rounds; with partners, in seats that make the sides.

    Everybody meets everybody as evenly as a limited search finds, or perfectly where a plane
    tells how; byes go round. What a player has behind is weighed in.
    """
    if has_plane(len(order), sizes[0]) and not past.sides:
        perfect = plane_rounds(order)
        return [list(perfect[number % len(perfect)]) for number in range(count)]
    rounds = _Rounds(past.copy(), chance, _share(count))
    for players in _playing(order, sum(sizes), count, past):
        rounds.add(cut(chance.shuffled(players), sizes))
    rounds.exchange_byes()
    for number in range(count):
        rounds.improve(number)
    return [[tuple(table) for table in tables] for tables in rounds.drawn]


def cut(players: Sequence[int], sizes: Sequence[int]) -> Tables:
    """The players at tables of these sizes, one after the other."""
    coming = iter(players)
    return [list(islice(coming, size)) for size in sizes]


def _share(count: int) -> int:
    """The swaps that each of two searches of each round may try."""
    return min(TRIES_A_ROUND, TRIES_IN_ALL // (2 * count))


class _Rounds:
    """Rounds in the making: each found after those before, then again knowing all others."""

    def __init__(self, past: Past, chance: Chance, tries: int) -> None:
        self.past, self.chance, self.tries = past, chance, tries
        self.drawn: list[Tables] = []

    def add(self, start: Tables) -> None:
        """One more round from a first cut of its players."""
        self.drawn.append(self._searched(start))

    def improve(self, number: int) -> None:
        """Find a round again, now that all others are known."""
        for table in self.drawn[number]:
            self.past.remove_table(table)
        self.drawn[number] = self._searched(self.drawn[number])

    def exchange_byes(self) -> None:
        """Let two players exchange their byes of two rounds, wherever that evens meetings out."""
        left = EXCHANGES
        for one, other in combinations(range(len(self.drawn)), 2):
            mine, theirs = self._players(one), self._players(other)
            for player, rival in product(sorted(mine - theirs), sorted(theirs - mine)):
                left -= 1
                if left < 0:
                    return
                if player in self._players(one) and rival in self._players(other):
                    self._exchange(one, other, player, rival)

    def _exchange(self, one: int, other: int, player: int, rival: int) -> None:
        before = uneven(self.past)
        self._replace(one, player, rival)
        self._replace(other, rival, player)
        if uneven(self.past) >= before:
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
        found = Search(meeting_cost(self.past), self.tries).best(start, self.chance)
        if self.past.sides:
            found = [list(sides_of(table, self.past)) for table in found]
        for table in found:
            self.past.add_table(table)
        return found


def uneven(past: Past) -> int:
    """How unevenly people have met: squares of the counts, a partner as two opponents."""
    met = sum(times * times for times in past.met.values())
    return met + 2 * sum(times * times for times in past.partnered.values())


def _playing(order: Sequence[int], seated: int, count: int, past: Past) -> list[list[int]]:
    """Who plays in each round: the others sit out, those first who did so least.

    Of these, such as sat out least often together: who sits out together does not meet.
    """
    byes, together, rounds = past.byes.copy(), Counter[tuple[int, int]](), []
    for _ in range(count):
        out: list[int] = []
        while len(out) < len(order) - seated:
            left = [player for player in order if player not in out]
            out.append(
                min(left, key=lambda p: (byes[p], sum(together[pair(p, other)] for other in out)))
            )
        byes.update(out)
        together.update(pair(one, other) for one in out for other in out if one < other)
        rounds.append([player for player in order if player not in out])
    return rounds
