"""Rounds that an organiser proposes over the API: bodies of requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from leagues.exceptions import OperationError
from leagues.members_read.queries import people_of
from leagues.models import League, Player
from leagues.pairing.by_hand import Proposal

# Tables and byes of a proposed round. A field of players has at most this many.
MAX_TABLES: Final = 2000


class ProposedRound(serializers.Serializer[Any]):
    """A Swiss round as the organiser wants it, instead of the computed draw."""

    pairings = serializers.ListField(
        child=serializers.ListField(
            child=serializers.SlugField(max_length=80), min_length=1, max_length=6
        ),
        max_length=MAX_TABLES,
        required=False,
        help_text="The addresses of the players of each match, by seat.",
    )
    byes = serializers.ListField(
        child=serializers.SlugField(max_length=80),
        max_length=MAX_TABLES,
        required=False,
        help_text="The addresses of the players who sit out.",
    )


class ProposalQuestion(ProposedRound):
    """A round to preview."""

    fill = serializers.BooleanField(
        required=False, default=False, help_text="Draw everybody whom the proposal does not name."
    )


def proposal_of(league: League, given: Mapping[str, Any]) -> Proposal:
    """Return the proposal of a request. Raises OperationError for an unknown player."""
    people = {player.slug: player for player in people_of(league)}
    return Proposal(
        tuple(
            tuple(league_player(people, slug, "pairings").pk for slug in table)
            for table in given.get("pairings") or []
        ),
        tuple(league_player(people, slug, "byes").pk for slug in given.get("byes") or []),
    )


def league_player(people: Mapping[str, Player], slug: str, field: str) -> Player:
    """Return somebody of a league. Raises OperationError, which names nobody else."""
    if slug not in people:
        raise OperationError(_("There is no player “%s” in this league.") % slug, field)
    return people[slug]
