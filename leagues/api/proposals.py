"""Request bodies for rounds that an organiser proposes over the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.types import JSONObject
from leagues.exceptions import OperationError
from leagues.members_read.queries import people_of
from leagues.models import League, Player
from leagues.pairing.by_hand import RoundProposal

# Maximum number of tables, and of byes, in a proposed round.
MAX_TABLES: Final = 2000


class ProposedRound(serializers.Serializer[JSONObject]):
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
    """A proposed round to preview."""

    fill = serializers.BooleanField(
        required=False, default=False, help_text="Draw everybody whom the proposal does not name."
    )


def proposal_of(league: League, given: JSONObject) -> RoundProposal:
    """Return the proposed round in a request. Raises OperationError for an unknown player."""
    people = {player.slug: player for player in people_of(league)}
    return RoundProposal(
        tuple(
            tuple(league_player(people, slug, "pairings").pk for slug in table)
            for table in given.get("pairings") or []
        ),
        tuple(league_player(people, slug, "byes").pk for slug in given.get("byes") or []),
    )


def league_player(people: Mapping[str, Player], slug: str, field: str) -> Player:
    """Return a player of the league. Raises OperationError.

    The error message does not reveal whether a player of another league exists.
    """
    if slug not in people:
        raise OperationError(_("There is no player “%s” in this league.") % slug, field)
    return people[slug]
