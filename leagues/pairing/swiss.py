"""Swiss pairing: players with equal scores meet, and repetitions are avoided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from fairness import Chance
from leagues.pairing.groups import TableSearch, meeting_cost, sides_of, split_into_tables
from leagues.pairing.rounds import (
    Bye,
    Entrant,
    Pairing,
    Past,
    Reason,
    ReasonCode,
    Round,
    check_pairable,
    pair_key,
    table_sizes,
)
from leagues.pairing.seating import cheapest_pairs, lead_reason, met_reasons, seat_order

DUEL = 2
MAX_SWAPS = 60_000
# Costs of a pair of two: past meetings, different scores, and the same seat due. Lower amounts are
# the distance from the ideal opponent with the same score.
REMATCH_COST = 10**12
SCORE_GAP_COST = 10**6
CLASH_COST = 10**3


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
    """Pair a round among the active players by standing and past meetings.

    Byes go to the lowest of those with the fewest. `fewest` is the smallest allowed table. `sides`
    means four players, seats 0+2 against 1+3. Players who share a place are ordered at random.
    Raises `PairingError`.
    """
    drawn = chance.shuffled(sorted(entrants, key=lambda entrant: entrant.player))
    order = sorted(drawn, key=lambda entrant: (entrant.place, -entrant.score))
    check_pairable(len(order), seats, fewest or seats, sides=sides)
    so_far = past.copy() if past else Past()
    so_far.sides = sides
    sizes = table_sizes(len(order), seats, fewest or seats)
    byes = _byes(order, len(order) - sum(sizes), so_far)
    out = {bye.player for bye in byes}
    field = _Field([entrant for entrant in order if entrant.player not in out], so_far)
    tables = field.duels() if seats == DUEL else field.tables(sizes, chance)
    pairings = tuple(field.pairing(table) for table in tables)
    return Round(number, pairings, byes)


def _byes(order: Sequence[Entrant], count: int, past: Past) -> tuple[Bye, ...]:
    upwards = [entrant.player for entrant in reversed(order)]
    upwards.sort(key=past.byes.__getitem__)
    byes = []
    for player in upwards[:count]:
        had = past.byes[player]
        code = ReasonCode.BYE_FEWEST if had else ReasonCode.BYE_LOWEST
        byes.append(Bye(player, (Reason(code, {"byes": had}),)))
    return tuple(byes)


class _Field:
    def __init__(self, order: Sequence[Entrant], past: Past) -> None:
        self.past = past
        self.players = [entrant.player for entrant in order]
        self.score = {entrant.player: Fraction(entrant.score) for entrant in order}
        scores = sorted(set(self.score.values()))
        self.level = {player: scores.index(score) for player, score in self.score.items()}
        self.ideal = self._ideal_distance()

    def _ideal_distance(self) -> dict[int, int]:
        """Return half the size of each score group: its upper half meets its lower half."""
        sizes: dict[int, int] = {}
        for level in self.level.values():
            sizes[level] = sizes.get(level, 0) + 1
        return {player: sizes[level] // 2 for player, level in self.level.items()}

    def duels(self) -> list[tuple[int, ...]]:
        position = {player: index for index, player in enumerate(self.players)}

        def cost(one: int, other: int) -> int:
            again, gap = self.past.met[pair_key(one, other)], self.level[one] - self.level[other]
            apart = abs(position[one] - position[other])
            ideal = 0 if gap else abs(apart - self.ideal[one])
            clash = self._led(one) + self._led(other)  # imbalance of their leads together
            return REMATCH_COST * again**2 + SCORE_GAP_COST * gap**2 + CLASH_COST * clash**2 + ideal

        pairs = cheapest_pairs(self.players, cost, REMATCH_COST)
        pairs.sort(key=lambda two: sorted(position[player] for player in two))
        in_order = [sorted(two, key=position.__getitem__) for two in pairs]
        return [seat_order(two, self.past) for two in in_order]

    def _led(self, player: int) -> int:
        return self.past.sat[player, 0] - self.past.sat[player, 1]

    def tables(self, sizes: Sequence[int], chance: Chance) -> list[tuple[int, ...]]:
        def gap(one: int, other: int) -> int:
            return (self.level[one] - self.level[other]) ** 2

        search = TableSearch(meeting_cost(self.past, gap), MAX_SWAPS)
        tables = search.best(split_into_tables(self.players, sizes), chance)
        position = {player: index for index, player in enumerate(self.players)}
        in_order = sorted(sorted(table, key=position.__getitem__) for table in tables)
        in_order.sort(key=lambda table: [position[player] for player in table])
        if self.past.sides:
            in_order = [list(sides_of(table, self.past)) for table in in_order]
        return [seat_order(table, self.past) for table in in_order]

    def pairing(self, seats: tuple[int, ...]) -> Pairing:
        met = met_reasons(seats, self.past)
        if len(seats) == DUEL and met[0].code is ReasonCode.MET_FEWEST:
            met = (Reason(ReasonCode.MET_NOBODY_LEFT, {"times": met[0].params["times"]}),)
        return Pairing(seats, (self._standing(seats), *met, lead_reason(seats, self.past)))

    def _standing(self, seats: Sequence[int]) -> Reason:
        scores = [self.score[player] for player in seats]
        low, high = _plain(min(scores)), _plain(max(scores))
        if low == high:
            return Reason(ReasonCode.SAME_SCORE, {"score": high})
        return Reason(ReasonCode.NEAR_SCORE, {"low": low, "high": high})


def _plain(score: Fraction) -> int | float:
    return int(score) if score.denominator == 1 else float(score)
