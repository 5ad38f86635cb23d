"""Costs of the tables and byes of a round: what a draw avoids if it can."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from leagues.pairing.rounds import Past, pair_key
from leagues.pairing.seating import plain

# The earlier rounds in which two people met or were partners, by `pair_key`.
Meetings = Mapping[tuple[int, int], Sequence[int]]


class CostCode(StrEnum):
    """Something that a draw avoids, with its parameters in brackets.

    `met`: two people met `times` before, the last time in `round`. `some_met`: `pairs` of a larger
    table did. `partners`: two on one side were partners `times` before. `distance`: the scores at
    the table differ by up to `points`. `third_seat`: `player` has the same seat, `seat` from 1, at
    least three times running. `bye_again`: had `byes` before. `free_before`: had no bye, but won
    `rounds` without a match.
    """

    MET = "met"
    SOME_MET = "some_met"
    PARTNERS = "partners"
    DISTANCE = "distance"
    THIRD_SEAT = "third_seat"
    BYE_AGAIN = "bye_again"
    FREE_BEFORE = "free_before"


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost as data, which `leagues.fixtures.labels` puts into words."""

    code: CostCode
    params: Mapping[str, int | float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, kw_only=True)
class DrawCosts:
    """The costs of a whole round.

    `rematches` counts pairs that meet again, `distance` adds up the differences in score at each
    table, `third_seats` counts players who have a seat for the third time running or more, `byes`
    those who sit out although they have had a free round.
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
class Facts:
    """All that the costs of a round are checked against."""

    past: Past
    scores: Mapping[int, Fraction]
    meetings: Meetings

    def of_table(self, seats: Sequence[int]) -> tuple[Cost, ...]:
        return (*self._rematches(seats), *self._distance(seats), *self._third_seats(seats))

    def of_bye(self, player: int) -> tuple[Cost, ...]:
        byes, free = self.past.byes[player], self.past.sat_out(player)
        if byes:
            return (Cost(CostCode.BYE_AGAIN, {"byes": byes}),)
        return (Cost(CostCode.FREE_BEFORE, {"rounds": free}),) if free else ()

    def of_round(self, tables: Iterable[Sequence[int]], byes: Iterable[int]) -> DrawCosts:
        seated = (
            DrawCosts(
                rematches=len(self.met_again(seats)),
                distance=self.gap(seats),
                third_seats=len(self._third_seats(seats)),
            )
            for seats in tables
        )
        again = sum(self.past.sat_out(player) > 0 for player in byes)
        return sum(seated, DrawCosts(byes=again))

    def met_again(self, seats: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of opponents at a table that have met before."""
        return [
            pair
            for pair, partners in self.past.pairs(seats)
            if not partners and self.past.met[pair]
        ]

    def gap(self, seats: Sequence[int]) -> Fraction:
        scores = [self.scores[player] for player in seats]
        return max(scores) - min(scores)

    def last_round(self, pairs: Iterable[tuple[int, int]]) -> int:
        """Return the last round in which one of these pairs was at a table, 0 without any."""
        return max((max(self.meetings.get(pair, (0,))) for pair in pairs), default=0)

    def _rematches(self, seats: Sequence[int]) -> list[Cost]:
        again, costs = self.met_again(seats), list[Cost]()
        if again and len(seats) == 2:
            times = self.past.met[pair_key(seats[0], seats[1])]
            params = {"times": times, "round": self.last_round(again)}
            costs.append(Cost(CostCode.MET, params))
        elif again:
            params = {"pairs": len(again), "round": self.last_round(again)}
            costs.append(Cost(CostCode.SOME_MET, params))
        together = [
            self.past.partnered[pair] for pair, partners in self.past.pairs(seats) if partners
        ]
        if any(together):
            costs.append(Cost(CostCode.PARTNERS, {"times": max(together)}))
        return costs

    def _distance(self, seats: Sequence[int]) -> list[Cost]:
        gap = self.gap(seats)
        return [Cost(CostCode.DISTANCE, {"points": plain(gap)})] if gap else []

    def _third_seats(self, seats: Sequence[int]) -> list[Cost]:
        return [
            Cost(CostCode.THIRD_SEAT, {"player": player, "seat": seat + 1})
            for seat, player in enumerate(seats)
            if self.past.tired_seat(player) == seat
        ]
