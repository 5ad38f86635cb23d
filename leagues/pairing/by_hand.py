"""A Swiss round that the organiser changes before it is saved."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from leagues.pairing.costs import PairingFacts
from leagues.pairing.rounds import Bye, PairedRound, Pairing, PairingReason, Past, ReasonCode
from leagues.pairing.seating import (
    is_even_seating,
    lead_reason,
    met_reasons,
    seat_order,
    standing_reason,
)

Seats = tuple[int, ...]
DUEL = 2
BY_HAND = PairingReason(ReasonCode.BY_HAND)


@dataclass(frozen=True)
class RoundProposal:
    """A proposed round: the tables with players by seat, and the players with a bye.

    `set_tables` are the groups of players whose table the organiser set. `set_byes` are the players
    whose bye the organiser chose. Both stay the same if the rest is drawn again.
    """

    tables: tuple[Seats, ...]
    byes: tuple[int, ...] = ()
    set_tables: frozenset[frozenset[int]] = field(default=frozenset(), compare=False)
    set_byes: frozenset[int] = field(default=frozenset(), compare=False)

    @classmethod
    def from_round(cls, drawn: PairedRound) -> RoundProposal:
        tables = tuple(pairing.seats for pairing in drawn.pairings)
        return cls(tables, tuple(bye.player for bye in drawn.byes))

    @property
    def players(self) -> list[int]:
        return [*(player for seats in self.tables for player in seats), *self.byes]

    def table_of(self, player: int) -> Seats | None:
        return next((seats for seats in self.tables if player in seats), None)

    def swap(self, one: int, other: int, past: Past) -> RoundProposal:
        """Let two players change places. One of them may have the bye.

        The seats of changed tables are assigned again. Two players at the same table exchange their
        seats.
        """
        mine = self.table_of(one)
        changed = self._replaced({one: other, other: one})
        if mine is None or other not in mine:
            changed = changed._seated_anew((one, other), past)
        touched = {frozenset(seats) for seats in changed.tables if {one, other} & {*seats}}
        return replace(
            changed,
            set_tables=self._still_set(changed) | touched,
            set_byes=(self.set_byes - {one, other}) | ({one, other} & {*changed.byes}),
        )

    def pair(self, one: int, other: int, past: Past) -> RoundProposal:
        """Pair two players with each other. All tables must have two seats.

        Their former opponents are paired with each other. If one of the two had the bye, the
        other's former opponent gets it.
        """
        if self.table_of(one) is None:
            one, other = other, one
        mine = self.table_of(one)
        if mine is None:
            return self
        changed = self
        if other not in mine:
            left = mine[1 - mine.index(one)]
            changed = self._replaced({left: other, other: left})
            changed = changed._seated_anew((one, left), past)
        return replace(
            changed,
            set_tables=self._still_set(changed) | {frozenset((one, other))},
            set_byes=self.set_byes & {*changed.byes},
        )

    def redrawn(self, draw: Callable[[Collection[int]], PairedRound]) -> RoundProposal:
        """Keep the tables and byes that the organiser set, and draw the rest.

        `draw` is called with the remaining players.
        """
        kept = tuple(seats for seats in self.tables if frozenset(seats) in self.set_tables)
        byes = tuple(player for player in self.byes if player in self.set_byes)
        fixed = {*byes, *(player for seats in kept for player in seats)}
        rest = [player for player in self.players if player not in fixed]
        if len(kept) == len(self.tables):
            return self
        drawn = RoundProposal.from_round(draw(rest))
        return replace(self, tables=(*kept, *drawn.tables), byes=(*byes, *drawn.byes))

    def _replaced(self, places: dict[int, int]) -> RoundProposal:
        tables = tuple(
            tuple(places.get(player, player) for player in seats) for seats in self.tables
        )
        return replace(
            self, tables=tables, byes=tuple(places.get(player, player) for player in self.byes)
        )

    def _seated_anew(self, players: Collection[int], past: Past) -> RoundProposal:
        tables = tuple(
            seat_order(seats, past) if {*seats} & {*players} else seats for seats in self.tables
        )
        return replace(self, tables=tables)

    def _still_set(self, changed: RoundProposal) -> frozenset[frozenset[int]]:
        return self.set_tables & {frozenset(seats) for seats in changed.tables}


def explain_proposal(
    proposal: RoundProposal, drawn: PairedRound, facts: PairingFacts
) -> PairedRound:
    """Return the proposed round with reasons. Tables of the computed draw come first.

    Tables and byes that the computed draw contains have the reasons of that draw. All others state
    only facts: that the organiser changed the draw, and which players have met before.
    """
    computed = {_sides(pairing.seats, facts.past): pairing for pairing in drawn.pairings}
    order = {sides: number for number, sides in enumerate(computed)}
    tables = sorted(
        proposal.tables, key=lambda seats: order.get(_sides(seats, facts.past), len(order))
    )
    byes = {bye.player: bye for bye in drawn.byes}
    return PairedRound(
        drawn.number,
        tuple(
            Pairing(seats, _reasons(seats, computed.get(_sides(seats, facts.past)), facts))
            for seats in tables
        ),
        tuple(byes.get(player) or bye_by_hand(player, facts.past) for player in proposal.byes),
    )


def bye_by_hand(player: int, past: Past) -> Bye:
    return Bye(player, (PairingReason(ReasonCode.BYE_BY_HAND, {"byes": past.byes[player]}),))


def reasons_by_hand(
    seats: Sequence[int], facts: PairingFacts, first: PairingReason = BY_HAND
) -> tuple[PairingReason, ...]:
    """Return the reasons for a table that the organiser set, or that changed for another reason."""
    return (
        first,
        standing_reason([facts.scores[player] for player in seats]),
        *_meeting_reasons(seats, facts),
        _first_seat_reason(seats, facts.past),
    )


def _sides(seats: Sequence[int], past: Past) -> frozenset[object]:
    """Return the players of a table, grouped by side if they play as partners."""
    if past.sides:
        return frozenset({frozenset(seats[::2]), frozenset(seats[1::2])})
    return frozenset(seats)


def _reasons(
    seats: Seats, computed: Pairing | None, facts: PairingFacts
) -> tuple[PairingReason, ...]:
    if computed is None:
        return reasons_by_hand(seats, facts)
    if computed.seats == seats:
        return computed.reasons
    # Only the order of seats was changed. The last reason of the draw explains who has the first
    # seat, so it is replaced.
    return (*computed.reasons[:-1], _first_seat_reason(seats, facts.past))


def _meeting_reasons(seats: Sequence[int], facts: PairingFacts) -> tuple[PairingReason, ...]:
    first, *partners = met_reasons(seats, facts.past)
    if first.code is ReasonCode.NOT_MET:
        return (first, *partners)
    again = facts.met_again(seats)
    number = facts.last_round(again)
    if len(seats) == DUEL:
        params = {"times": first.params["times"], "round": number}
        return (PairingReason(ReasonCode.MET_BEFORE, params),)
    params = {"pairs": len(again), "round": number}
    return (PairingReason(ReasonCode.SOME_MET_BEFORE, params), *partners)


def _first_seat_reason(seats: Sequence[int], past: Past) -> PairingReason:
    if is_even_seating(seats, past):
        return lead_reason(seats, past)
    return PairingReason(ReasonCode.SEATS_BY_HAND)
