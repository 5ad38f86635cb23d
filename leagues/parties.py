"""Parties to a match: its players, and organisers who entered its result.

Parties cannot settle a dispute about the match alone, nor correct or void a result that counts.
They can make a proposal, to which the other side must agree. If there is no other organiser and
nobody agrees in time, they may void the match.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models.functions import Coalesce

from leagues.models import Dispute, League, Match, MatchSeat, Member, Player, Proposal, Sheet

# Hours after confirmation in which the result of a match among friends may be disputed.
HOURS_TO_OBJECT = 72


def hours_to_object(league: League | None) -> dt.timedelta:
    return dt.timedelta(hours=league.hours_to_object if league else HOURS_TO_OBJECT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """The players of a match with their sides.

    `sides` maps the primary key of each player, after merges, to the side. `left` are the players
    whose account was deleted.
    """

    sides: Mapping[int, int]
    left: frozenset[int] = frozenset()

    def side(self, player: Player | None) -> int | None:
        return self.sides.get(player.person_id) if player is not None else None

    def can_answer(self, sides: frozenset[int]) -> bool:
        """Return whether one of these sides has a player whose account has not been deleted."""
        return any(side in sides for person, side in self.sides.items() if person not in self.left)

    def partners(self, one: Player | None, other: Player | None) -> bool:
        """Return whether two players are on the same side.

        A player is also on the same side as themselves.
        """
        return self.side(one) is not None and self.side(one) == self.side(other)


def seating_of(match: Match) -> Seating:
    """Return the sides of a match's players, with one query."""
    rows = MatchSeat.objects.filter(match=match).order_by("number")
    persons = rows.annotate(
        person=Coalesce("player__merged_into", "player"),
        gone=Coalesce("player__merged_into__left_at", "player__left_at"),
    ).values_list("person", "side", "gone")
    seats = list(persons)
    return Seating(
        sides={person: side for person, side, _gone in seats},
        left=frozenset(person for person, _side, gone in seats if gone is not None),
    )


def authors_of(match: Match) -> set[int]:
    """Return the primary keys of the players who entered the result of a match.

    Decisions of organisers do not count as entering. These are forfeits, and versions of the
    scoresheet with a reason, which correct or restore a result.
    """
    rows = Sheet.objects.filter(match=match, reason="").exclude(by=None)
    rows = rows.exclude(content__has_key="forfeit")
    persons = rows.annotate(person=Coalesce("by__merged_into", "by")).order_by()
    return set(persons.values_list("person", flat=True))


def is_first_entry(match: Match, by: Player) -> bool:
    """Return whether a pending result is so far only the claim of the player `by` who entered it.

    This is the case if the result never counted, nobody disputed it, and nobody else entered a
    version. The player may then withdraw the result.
    """
    corrected = match.sheets.exclude(reason="").exists()
    return not (corrected or match.disputes.exists() or authors_of(match) - {by.person_id})


def impartial_organisers(match: Match, seating: Seating) -> set[int]:
    """Return the league's organisers who neither played the match nor entered its result."""
    if match.league_id is None:
        return set()
    members = Member.objects.filter(league=match.league_id, role=Member.Role.ORGANISER)
    present = members.filter(player__left_at=None, player__merged_into__left_at=None)
    persons = present.annotate(person=Coalesce("player__merged_into", "player"))
    return set(persons.values_list("person", flat=True)) - {*seating.sides} - authors_of(match)


def open_dispute(match: Match) -> Dispute | None:
    rows = match.disputes.filter(settled_at=None).select_related("by__merged_into")
    return rows.first()


def open_proposal(match: Match) -> Proposal | None:
    rows = match.proposals.filter(answered_at=None).select_related("by__merged_into")
    return rows.first()


def sides_to_answer(
    seating: Seating, *, by: Player | None, raised_by: Player | None
) -> frozenset[int]:
    """Return the sides that can agree to a proposal made by the player `by`.

    The agreement of one player is enough. If a player of another side disputes the result, only
    that side can agree. Otherwise, all sides can agree except the side of `by`.
    """
    own, raised = seating.side(by), seating.side(raised_by)
    if raised is not None and raised != own:
        return frozenset({raised})
    return frozenset(seating.sides.values()) - {own}


def people_to_answer(match: Match) -> set[int]:
    """Return the primary keys of the players who can answer the open proposal about a match."""
    proposal, dispute = open_proposal(match), open_dispute(match)
    if proposal is None:
        return set()
    seating = seating_of(match)
    sides = sides_to_answer(seating, by=proposal.by, raised_by=dispute.by if dispute else None)
    return {person for person, side in seating.sides.items() if side in sides}


def agreement_ends(
    match: Match, *, dispute: Dispute | None, proposal: Proposal | None
) -> dt.datetime | None:
    """Return the end of the time in which the other side can agree to a proposal.

    Afterwards a party may void the match. Returns None for a result that counts, is not disputed
    and has no open proposal, because such a result stays as it is.
    """
    begun: list[dt.datetime | None] = [proposal.at if proposal else None]
    if match.state == Match.State.DISPUTED:
        begun.append(dispute.at if dispute else match.handed_in_at)
    elif match.state == Match.State.HANDED_IN:
        begun.append(match.handed_in_at)
    times = [at for at in begun if at is not None]
    return max(times) + hours_to_object(match.league) if times else None
