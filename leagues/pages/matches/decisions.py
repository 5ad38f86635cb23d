"""Facts about disputes for the page of a match: who can decide, open proposals, and past
decisions.
"""

from __future__ import annotations

import datetime as dt
from typing import TypedDict

from django.utils.translation import gettext as _

from leagues.matches.operations.locking import not_alone
from leagues.members_read.queries import players_by_id
from leagues.models import Dispute, Match, Player, Proposal
from leagues.parties import (
    Seating,
    agreement_ends,
    impartial_organisers,
    open_dispute,
    open_proposal,
    seating_of,
)
from leagues.permissions import MatchRelation


class DecisionContext(TypedDict):
    """Template context about decisions: disputes, corrections and voiding of a match.

    - `impartial`: the visitor can decide alone
    - `not_alone`: why the visitor, an organiser, cannot decide alone
    - `deciders`: the organisers who can decide
    - `agree_until`: end of the time in which the other side can agree to a proposal
    - `history`: a sentence for each decision so far
    """

    dispute: Dispute | None
    proposal: Proposal | None
    impartial: bool
    not_alone: str
    deciders: list[Player]
    agree_until: dt.datetime | None
    history: list[str]


def decision_context(match: Match, who: MatchRelation) -> DecisionContext:
    dispute, proposal, seating = open_dispute(match), open_proposal(match), seating_of(match)
    deciders: list[Player] = []
    if who.proposes:
        people = players_by_id(impartial_organisers(match, seating))
        deciders = sorted(people.values(), key=lambda player: player.name_key)
    return {
        "dispute": dispute,
        "proposal": proposal,
        "impartial": who.impartial,
        "not_alone": not_alone(who) if who.proposes and who.organises else "",
        "deciders": deciders,
        "agree_until": agreement_ends(match, dispute=dispute, proposal=proposal),
        "history": _history(match, seating),
    }


def _history(match: Match, seating: Seating) -> list[str]:
    """Return a sentence for each dispute, proposal and decision about a match, oldest first."""
    lines: list[tuple[dt.datetime, str]] = []
    proposals = list(match.proposals.select_related("by__merged_into", "answered_by__merged_into"))
    agreed = {proposal.answered_at for proposal in proposals if proposal.accepted}
    rows = match.disputes.exclude(settled_at=None)
    for dispute in rows.select_related("by__merged_into", "settled_by__merged_into"):
        said = {"name": _player_name(dispute.by, seating), "reason": dispute.reason}
        lines.append((dispute.at, _("%(name)s disputed the result: “%(reason)s”.") % said))
        if dispute.settled_at is not None and dispute.settled_at not in agreed:
            lines.append((dispute.settled_at, _settled(dispute, seating)))
    for proposal in proposals:
        lines += _of_proposal(proposal, seating)
    lines.sort(key=lambda line: line[0])
    sentences = [sentence for _at, sentence in lines]
    if match.state == Match.State.VOID and match.voided_by is not None:
        sentences.append(
            _("%(name)s voided the match.") % {"name": _player_name(match.voided_by, seating)}
        )
    return sentences


def _player_name(player: Player, seating: Seating) -> str:
    """Return a player's name, with a note that says whether the player played in the match."""
    said = {"name": (player.merged_into or player).name}
    if seating.side(player) is not None:
        return _("%(name)s (played in this match)") % said
    return _("%(name)s (did not play in this match)") % said


def _settled(dispute: Dispute, seating: Seating) -> str:
    if dispute.settled_by is None:
        return dispute.settlement
    said = {"name": _player_name(dispute.settled_by, seating), "settlement": dispute.settlement}
    return _("%(name)s settled the dispute: “%(settlement)s”.") % said


def _of_proposal(proposal: Proposal, seating: Seating) -> list[tuple[dt.datetime, str]]:
    said = {
        "name": _player_name(proposal.by, seating),
        "outcome": proposal.get_outcome_display(),
        "reason": proposal.reason,
    }
    lines = [(proposal.at, _("%(name)s proposed: %(outcome)s. Reason: “%(reason)s”.") % said)]
    if proposal.answered_at is not None and proposal.answered_by is not None:
        answer = (
            _("%(name)s agreed.")
            if proposal.accepted
            else _("%(name)s did not agree to the proposal.")
        )
        by = _player_name(proposal.answered_by, seating)
        lines.append((proposal.answered_at, answer % {"name": by}))
    return lines
