"""A Swiss round that the organiser changes before it is saved."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from leagues.pairing.costs import Facts
from leagues.pairing.rounds import Bye, Pairing, Past, Reason, ReasonCode, Round
from leagues.pairing.seating import (
    is_even_seating,
    lead_reason,
    met_reasons,
    seat_order,
    standing_reason,
)

Seats = tuple[int, ...]
DUEL = 2
BY_HAND = Reason(ReasonCode.BY_HAND)


@dataclass(frozen=True)
class Proposal:
    """The tables of a round, players by seat, and who sits out.

    `set_tables` are the players of tables that the organiser set, `set_byes` those whose bye the
    organiser chose. A draw of the rest keeps them.
    """

    tables: tuple[Seats, ...]
    byes: tuple[int, ...] = ()
    set_tables: frozenset[frozenset[int]] = field(default=frozenset(), compare=False)
    set_byes: frozenset[int] = field(default=frozenset(), compare=False)

    @classmethod
    def of(cls, drawn: Round) -> Proposal:
        tables = tuple(pairing.seats for pairing in drawn.pairings)
        return cls(tables, tuple(bye.player for bye in drawn.byes))

    @property
    def players(self) -> list[int]:
        return [*(player for seats in self.tables for player in seats), *self.byes]

    def table_of(self, player: int) -> Seats | None:
        return next((seats for seats in self.tables if player in seats), None)

    def swap(self, one: int, other: int, past: Past) -> Proposal:
        """Let two people change places, one of whom may sit out.

        Tables with other players than before are seated anew. Two people at one table exchange
        their seats.
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

    def pair(self, one: int, other: int, past: Past) -> Proposal:
        """Let two people meet, where tables have two seats.

        Their former opponents meet each other, or one of them sits out instead.
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

    def redrawn(self, draw: Callable[[Collection[int]], Round]) -> Proposal:
        """Keep what the organiser set and draw the rest, with `draw` for the players of it."""
        kept = tuple(seats for seats in self.tables if frozenset(seats) in self.set_tables)
        byes = tuple(player for player in self.byes if player in self.set_byes)
        fixed = {*byes, *(player for seats in kept for player in seats)}
        rest = [player for player in self.players if player not in fixed]
        if len(kept) == len(self.tables):
            return self
        drawn = Proposal.of(draw(rest))
        return replace(self, tables=(*kept, *drawn.tables), byes=(*byes, *drawn.byes))

    def _replaced(self, places: dict[int, int]) -> Proposal:
        tables = tuple(
            tuple(places.get(player, player) for player in seats) for seats in self.tables
        )
        return replace(
            self, tables=tables, byes=tuple(places.get(player, player) for player in self.byes)
        )

    def _seated_anew(self, players: Collection[int], past: Past) -> Proposal:
        tables = tuple(
            seat_order(seats, past) if {*seats} & {*players} else seats for seats in self.tables
        )
        return replace(self, tables=tables)

    def _still_set(self, changed: Proposal) -> frozenset[frozenset[int]]:
        return self.set_tables & {frozenset(seats) for seats in changed.tables}


def explain(proposal: Proposal, drawn: Round, facts: Facts) -> Round:
    """Return the proposed round with reasons, and the tables of the draw before the others.

    Tables and byes that the draw has too keep its reasons. All others have only reasons that are
    facts: they say that the organiser changed the draw, and who has met before.
    """
    computed = {_sides(pairing.seats, facts.past): pairing for pairing in drawn.pairings}
    order = {sides: number for number, sides in enumerate(computed)}
    tables = sorted(
        proposal.tables, key=lambda seats: order.get(_sides(seats, facts.past), len(order))
    )
    byes = {bye.player: bye for bye in drawn.byes}
    return Round(
        drawn.number,
        tuple(
            Pairing(seats, _reasons(seats, computed.get(_sides(seats, facts.past)), facts))
            for seats in tables
        ),
        tuple(byes.get(player) or bye_by_hand(player, facts.past) for player in proposal.byes),
    )


def bye_by_hand(player: int, past: Past) -> Bye:
    return Bye(player, (Reason(ReasonCode.BYE_BY_HAND, {"byes": past.byes[player]}),))


def reasons_by_hand(
    seats: Sequence[int], facts: Facts, first: Reason = BY_HAND
) -> tuple[Reason, ...]:
    """Return the reasons of a table that the organiser set, or that changed for another reason."""
    return (
        first,
        standing_reason([facts.scores[player] for player in seats]),
        *_met(seats, facts),
        _lead(seats, facts.past),
    )


def _sides(seats: Sequence[int], past: Past) -> frozenset[object]:
    """Return who plays at a table, and with partners who is on which side."""
    if past.sides:
        return frozenset({frozenset(seats[::2]), frozenset(seats[1::2])})
    return frozenset(seats)


def _reasons(seats: Seats, computed: Pairing | None, facts: Facts) -> tuple[Reason, ...]:
    if computed is None:
        return reasons_by_hand(seats, facts)
    if computed.seats == seats:
        return computed.reasons
    # Only the seats were changed. The last reason of the draw is that of who leads.
    return (*computed.reasons[:-1], _lead(seats, facts.past))


def _met(seats: Sequence[int], facts: Facts) -> tuple[Reason, ...]:
    first, *partners = met_reasons(seats, facts.past)
    if first.code is ReasonCode.NOT_MET:
        return (first, *partners)
    again = facts.met_again(seats)
    number = facts.last_round(again)
    if len(seats) == DUEL:
        params = {"times": first.params["times"], "round": number}
        return (Reason(ReasonCode.MET_BEFORE, params),)
    params = {"pairs": len(again), "round": number}
    return (Reason(ReasonCode.SOME_MET_BEFORE, params), *partners)


def _lead(seats: Sequence[int], past: Past) -> Reason:
    if is_even_seating(seats, past):
        return lead_reason(seats, past)
    return Reason(ReasonCode.SEATS_BY_HAND)
