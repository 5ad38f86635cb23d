"""Rounds by Swiss pairing: equals meet, nobody meets twice while it can be helped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from fairness import Chance
from leagues.pairing.grouping import Search, meeting_cost, sides_of
from leagues.pairing.matching import cheapest_pairs
from leagues.pairing.past import Past, pair
from leagues.pairing.rounds import (
    Because,
    Bye,
    Entrant,
    Pairing,
    Reason,
    Round,
    check,
    table_sizes,
)
from leagues.pairing.seating import lead_reason, met_reasons, seated
from leagues.pairing.tables import cut

DUEL = 2
TRIES = 60_000
AGAIN = 10**12
GAP = 10**6
CLASH = 10**3
"""Prices of a pair of two: having met, being levels apart in the standing, wanting the same
seat. What is below is the distance from the ideal opponent of the same level."""


def swiss_round(
    entrants: Iterable[Entrant],
    *,
    number: int,
    chance: Chance,
    seats: int = DUEL,
    fewest: int | None = None,
    sides: bool = False,
    past: Past | None = None,
) -> Round:
    """One round among those who are still in it, by their standing and their past.

    Byes go to the lowest of those who had fewest. `fewest`: the smallest table, where more can
    play so. `sides`: four at a table, seats 0+2 against 1+3. Chance puts in order who shares a
    place. Raises `PairingError`.
    """
    order = _by_standing(entrants, chance)
    check(len(order), seats, fewest or seats, sides=sides)
    so_far = past.copy() if past else Past()
    so_far.sides = sides
    sizes = table_sizes(len(order), seats, fewest or seats)
    byes = _byes(order, len(order) - sum(sizes), so_far)
    out = {bye.player for bye in byes}
    field = _Field([entrant for entrant in order if entrant.player not in out], so_far)
    tables = field.duels() if seats == DUEL else field.tables(sizes, chance)
    pairings = tuple(field.pairing(table) for table in tables)
    return Round(number, pairings, byes)


def _by_standing(entrants: Iterable[Entrant], chance: Chance) -> list[Entrant]:
    """Best first; who shares a place, by lot."""
    drawn = chance.shuffled(sorted(entrants, key=lambda entrant: entrant.player))
    return sorted(drawn, key=lambda entrant: (entrant.place, -entrant.score))


def _byes(order: Sequence[Entrant], count: int, past: Past) -> tuple[Bye, ...]:
    upwards = list(reversed([entrant.player for entrant in order]))
    upwards.sort(key=past.byes.__getitem__)
    return tuple(_bye(player, past.byes[player]) for player in upwards[:count])


def _bye(player: int, had: int) -> Bye:
    code = Because.BYE_FEWEST if had else Because.BYE_LOWEST
    return Bye(player, (Reason(code, {"byes": had}),))


class _Field:
    """Those who play in a round, best first, with what they have behind them."""

    def __init__(self, order: Sequence[Entrant], past: Past) -> None:
        self.past = past
        self.players = [entrant.player for entrant in order]
        self.score = {entrant.player: Fraction(entrant.score) for entrant in order}
        scores = sorted(set(self.score.values()))
        self.level = {player: scores.index(score) for player, score in self.score.items()}
        self.ideal = self._ideal_distance()

    def _ideal_distance(self) -> dict[int, int]:
        """Half the size of each one's level: its upper half meets its lower half."""
        sizes: dict[int, int] = {}
        for level in self.level.values():
            sizes[level] = sizes.get(level, 0) + 1
        return {player: sizes[level] // 2 for player, level in self.level.items()}

    def duels(self) -> list[tuple[int, ...]]:
        """Matches of two at the least cost in all, the best first."""
        position = {player: index for index, player in enumerate(self.players)}

        def cost(one: int, other: int) -> int:
            again, gap = self.past.met[pair(one, other)], self.level[one] - self.level[other]
            apart = abs(position[one] - position[other])
            ideal = 0 if gap else abs(apart - self.ideal[one])
            return AGAIN * again**2 + GAP * gap**2 + CLASH * self._clash(one, other) + ideal

        found = cheapest_pairs(self.players, cost, AGAIN)
        found.sort(key=lambda two: sorted(position[player] for player in two))
        in_order = [sorted(two, key=position.__getitem__) for two in found]
        return [seated(two, self.past) for two in in_order]

    def _clash(self, one: int, other: int) -> int:
        """Squared, how far two players together have led more than followed, or less."""
        return (self._led(one) + self._led(other)) ** 2

    def _led(self, player: int) -> int:
        return self.past.sat[player, 0] - self.past.sat[player, 1]

    def tables(self, sizes: Sequence[int], chance: Chance) -> list[tuple[int, ...]]:
        """Larger matches, as cheap as the search finds, in the order of the standing."""

        def gap(one: int, other: int) -> int:
            return (self.level[one] - self.level[other]) ** 2

        search = Search(meeting_cost(self.past, gap), TRIES)
        found = search.best(cut(self.players, sizes), chance)
        position = {player: index for index, player in enumerate(self.players)}
        in_order = sorted(sorted(table, key=position.__getitem__) for table in found)
        in_order.sort(key=lambda table: [position[player] for player in table])
        if self.past.sides:
            in_order = [list(sides_of(table, self.past)) for table in in_order]
        return [seated(table, self.past) for table in in_order]

    def pairing(self, seats: tuple[int, ...]) -> Pairing:
        """The match with its reasons: standing, meetings, lead."""
        met = met_reasons(seats, self.past)
        if len(seats) == DUEL and met[0].code is Because.MET_FEWEST:
            met = (Reason(Because.MET_NOBODY_LEFT, {"times": met[0].params["times"]}),)
        return Pairing(seats, (self._standing(seats), *met, lead_reason(seats, self.past)))

    def _standing(self, seats: Sequence[int]) -> Reason:
        scores = [self.score[player] for player in seats]
        low, high = _plain(min(scores)), _plain(max(scores))
        if low == high:
            return Reason(Because.SAME_SCORE, {"score": high})
        return Reason(Because.NEAR_SCORE, {"low": low, "high": high})


def _plain(score: Fraction) -> int | float:
    return int(score) if score.denominator == 1 else float(score)
