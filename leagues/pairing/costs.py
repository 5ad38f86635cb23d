"""Costs of the tables and byes of a round. A cost is something that a draw avoids if it can."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from leagues.pairing.rounds import Past, pair_key
from leagues.pairing.seating import plain_number

# Maps a pair of players (`pair_key`) to the earlier rounds in which they were opponents or
# partners.
Meetings = Mapping[tuple[int, int], Sequence[int]]


class CostCode(StrEnum):
    """Something that a draw avoids if it can. Parameters are in brackets.

    - `met`: the two players have met before (`times`, last in `round`)
    - `some_met`: some pairs of players at a larger table have met before (`pairs`, last in `round`)
    - `partners`: two players on the same side were partners before (`times`)
    - `distance`: the highest and lowest score at the table differ (`points`)
    - `third_seat`: a player has the same seat for at least the third time running (`player`, and
      `seat` from 1)
    - `bye_again`: the player has had a bye before (`byes`)
    - `free_before`: the player has had no bye, but scored in rounds without a match (`rounds`)
    """

    MET = "met"
    SOME_MET = "some_met"
    PARTNERS = "partners"
    DISTANCE = "distance"
    THIRD_SEAT = "third_seat"
    BYE_AGAIN = "bye_again"
    FREE_BEFORE = "free_before"


@dataclass(frozen=True, slots=True)
class PairingCost:
    """A cost as data. `leagues.fixtures.labels` turns it into a sentence."""

    code: CostCode
    params: Mapping[str, int | float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, kw_only=True)
class DrawCosts:
    """The costs of a whole round.

    `rematches` is the number of pairs of players who meet again. `distance` is the sum over all
    tables of the difference between the highest and lowest score. `third_seats` is the number of
    players with the same seat for at least the third time running. `byes` is the number of byes of
    players who have already had a round without a match.
    """

    rematches: int = 0
    distance: Fraction = Fraction(0)
    third_seats: int = 0
    byes: int = 0

    def __add__(self, other: DrawCosts) -> DrawCosts:
        return DrawCosts(
            rematches=self.rematches + other.rematches,
            distance=self.distance + other.distance,
            third_seats=self.third_seats + other.third_seats,
            byes=self.byes + other.byes,
        )


@dataclass(frozen=True, kw_only=True)
class PairingFacts:
    """The data from which the costs of a round are calculated: past meetings, scores and seats."""

    past: Past
    scores: Mapping[int, Fraction]
    meetings: Meetings

    def of_table(self, seats: Sequence[int]) -> tuple[PairingCost, ...]:
        return (*self._rematches(seats), *self._distance(seats), *self._third_seats(seats))

    def of_bye(self, player: int) -> tuple[PairingCost, ...]:
        byes, free = self.past.byes[player], self.past.sat_out(player)
        if byes:
            return (PairingCost(CostCode.BYE_AGAIN, {"byes": byes}),)
        return (PairingCost(CostCode.FREE_BEFORE, {"rounds": free}),) if free else ()

    def of_round(self, tables: Iterable[Sequence[int]], byes: Iterable[int]) -> DrawCosts:
        seated = (
            DrawCosts(
                rematches=len(self.met_again(seats)),
                distance=self.score_gap(seats),
                third_seats=len(self._third_seats(seats)),
            )
            for seats in tables
        )
        again = sum(self.past.sat_out(player) > 0 for player in byes)
        return sum(seated, DrawCosts(byes=again))

    def met_again(self, seats: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of opponents at a table who have met before."""
        return [
            pair
            for pair, partners in self.past.pairs(seats)
            if not partners and self.past.met[pair]
        ]

    def score_gap(self, seats: Sequence[int]) -> Fraction:
        scores = [self.scores[player] for player in seats]
        return max(scores) - min(scores)

    def last_round(self, pairs: Iterable[tuple[int, int]]) -> int:
        """Return the last round in which one of these pairs sat at the same table, or 0."""
        return max((max(self.meetings.get(pair, (0,))) for pair in pairs), default=0)

    def _rematches(self, seats: Sequence[int]) -> list[PairingCost]:
        again, costs = self.met_again(seats), list[PairingCost]()
        if again and len(seats) == 2:
            times = self.past.met[pair_key(seats[0], seats[1])]
            params = {"times": times, "round": self.last_round(again)}
            costs.append(PairingCost(CostCode.MET, params))
        elif again:
            params = {"pairs": len(again), "round": self.last_round(again)}
            costs.append(PairingCost(CostCode.SOME_MET, params))
        together = [
            self.past.partnered[pair] for pair, partners in self.past.pairs(seats) if partners
        ]
        if any(together):
            costs.append(PairingCost(CostCode.PARTNERS, {"times": max(together)}))
        return costs

    def _distance(self, seats: Sequence[int]) -> list[PairingCost]:
        gap = self.score_gap(seats)
        return [PairingCost(CostCode.DISTANCE, {"points": plain_number(gap)})] if gap else []

    def _third_seats(self, seats: Sequence[int]) -> list[PairingCost]:
        return [
            PairingCost(CostCode.THIRD_SEAT, {"player": player, "seat": seat + 1})
            for seat, player in enumerate(seats)
            if self.past.tired_seat(player) == seat
        ]
