"""API resources with which an organiser changes a draw: proposals, opponents and vacancies."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.types import JSONObject
from api.views import DetailView, idempotent
from leagues.api.fixtures import (
    ROUNDS_TAG,
    TAG,
    DraftPairing,
    FixtureResource,
    FixtureShown,
    RoundBye,
    draft_data,
    named_player,
)
from leagues.api.people import Person
from leagues.api.proposals import ProposalQuestion, league_player, proposal_of
from leagues.api.resources import LeagueResource, op
from leagues.exceptions import NotAllowed
from leagues.fixtures.by_hand import HandDraw, preview_proposal
from leagues.fixtures.labels import cost_sentences, reason_sentences
from leagues.fixtures.opponents import SwapPreview, preview_swap, swap_players
from leagues.fixtures.queries import with_seats
from leagues.fixtures.vacancies import Replacement, Vacancy, fill_vacancy, offered_vacancy
from leagues.members_read.queries import people_of
from leagues.models import Fixture, Player
from leagues.pairing.costs import DrawCosts
from leagues.permissions import may_organise


class ProposedPairing(DraftPairing):
    """A pairing with its costs. A cost is something that a draw avoids, such as a second match."""

    costs = serializers.ListField(
        child=serializers.CharField(), help_text="What a draw avoids, such as a second match."
    )
    changed = serializers.BooleanField(help_text="Whether the computed draw has it otherwise.")


class ProposedBye(RoundBye):
    """A bye with its costs. A cost is something that a draw avoids, such as a second bye."""

    costs = serializers.ListField(child=serializers.CharField())
    changed = serializers.BooleanField(help_text="Whether the computed draw has it otherwise.")


class RoundCosts(serializers.Serializer[JSONObject]):
    """Costs of a whole round: numbers of things that a draw avoids, such as second matches."""

    rematches = serializers.IntegerField(help_text="Pairs of opponents who have met.")
    distance = serializers.FloatField(help_text="Differences in score at the tables, added up.")
    third_seats = serializers.IntegerField(
        help_text="Players who have a seat for the third time running or more."
    )
    byes = serializers.IntegerField(help_text="Byes for players who have had a free round.")


class RoundProposal(serializers.Serializer[JSONObject]):
    """A proposed round with its costs. Send `pairings`, `byes` and `edition` to draw it."""

    number = serializers.IntegerField()
    edition = serializers.IntegerField()
    pairings = ProposedPairing(many=True)
    byes = ProposedBye(many=True)
    costs = RoundCosts()
    computed_costs = RoundCosts(help_text="Those of the computed draw.")


def _costs_data(costs: DrawCosts) -> dict[str, float]:
    return {
        "rematches": costs.rematches,
        "distance": float(costs.distance),
        "third_seats": costs.third_seats,
        "byes": costs.byes,
    }


class DrawProposal(LeagueResource):
    """Preview a Swiss round as the organiser wants it, with its costs. Nothing is saved."""

    @op("rounds_preview_proposal", ROUNDS_TAG, RoundProposal)
    @idempotent(ProposalQuestion)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Check and preview a proposed round, for organisers."""
        given = self.read(request)
        if not may_organise(self.acting(), self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        drawn = preview_proposal(
            league=self.league, proposal=proposal_of(self.league, given), fill=given["fill"]
        )
        return Response(_proposal_data(drawn))


def _proposal_data(drawn: HandDraw) -> JSONObject:
    data = draft_data(drawn)
    pairings = zip(data["pairings"], drawn.pairings, drawn.table_costs, strict=True)
    byes = zip(data["byes"], drawn.byes, drawn.bye_costs, strict=True)
    return data | {
        "pairings": [
            said
            | {
                "costs": cost_sentences(costs, drawn.players),
                "changed": not drawn.changed.isdisjoint(pairing.seats),
            }
            for said, pairing, costs in pairings
        ],
        "byes": [
            said
            | {
                "costs": cost_sentences(costs, drawn.players),
                "changed": bye.player in drawn.changed,
            }
            for said, bye, costs in byes
        ],
        "costs": _costs_data(drawn.costs),
        "computed_costs": _costs_data(drawn.computed_costs),
    }


class Swap(serializers.Serializer[JSONObject]):
    """Two players of a round who change places, by the addresses (slugs) of their pages."""

    player = serializers.SlugField(max_length=80, help_text="A player of this fixture.")
    other = serializers.SlugField(
        max_length=80, help_text="A player of another open fixture of the round, or with the bye."
    )


class SwapRequest(Swap):
    """Request to swap two players of a round.

    With `edition`, the swap is rejected if the league has changed since that edition.
    """

    edition = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


class SwappedPairing(DraftPairing):
    """A fixture as it would be after the swap, with its costs."""

    fixture = serializers.IntegerField()
    costs = serializers.ListField(child=serializers.CharField())


class SwapDraft(serializers.Serializer[JSONObject]):
    """Fixtures of the round after a swap. Nothing is saved yet."""

    edition = serializers.IntegerField()
    pairings = SwappedPairing(many=True)
    bye = Person(allow_null=True, help_text="Who would have the bye instead.")
    bye_costs = serializers.ListField(child=serializers.CharField())
    costs = RoundCosts()
    present_costs = RoundCosts(help_text="Those of the same fixtures now.")
    drafts = serializers.IntegerField(help_text="Begun scoresheets that would be void.")


class SwappedFixtures(serializers.Serializer[JSONObject]):
    """The fixtures whose players have changed."""

    fixtures = FixtureShown(many=True)


@extend_schema_view(get=op("fixtures_preview_opponent", TAG, SwapDraft, 403, 409))
class FixtureOpponent(FixtureResource, DetailView):
    """Preview another opponent for a fixture without a result. A POST swaps the players."""

    serializer_class = SwapDraft
    query_serializer_class = Swap

    def represent(self, row: Fixture) -> JSONObject:
        """Return the fixtures after the swap, for organisers. Raises OperationError."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        player, other = self._players(self.read_query(self.request))
        return _swap_data(preview_swap(fixture=row, player=player, other=other))

    @op("fixtures_change_opponent", TAG, SwappedFixtures)
    @idempotent(SwapRequest)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Let two players change places, for organisers. Players are notified as after a draw."""
        given, by = self.read(request), self.acting()
        if not may_organise(by, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        player, other = self._players(given)
        changed = swap_players(
            fixture=self.get_object(),
            player=player,
            other=other,
            by=by,
            at=timezone.now(),
            edition=given.get("edition"),
        )
        rows = with_seats().filter(pk__in=[fixture.pk for fixture in changed]).order_by("number")
        return Response({"fixtures": FixtureShown(rows, many=True).data})

    def _players(self, given: JSONObject) -> tuple[Player, Player]:
        people = {player.slug: player for player in people_of(self.league)}
        one, other = (league_player(people, given[name], name) for name in ("player", "other"))
        return one, other


def _swap_data(swap: SwapPreview) -> JSONObject:
    names = swap.players
    rows = zip(swap.fixtures, swap.pairings, swap.table_costs, strict=True)
    return {
        "edition": swap.edition,
        "pairings": [
            {
                "fixture": fixture.pk,
                "players": [named_player(names[key]) for key in pairing.seats],
                "reasons": reason_sentences(pairing.reasons),
                "costs": cost_sentences(costs, names),
            }
            for fixture, pairing, costs in rows
        ],
        "bye": named_player(names[swap.bye]) if swap.bye is not None else None,
        "bye_costs": cost_sentences(swap.bye_costs, names),
        "costs": _costs_data(swap.costs),
        "present_costs": _costs_data(swap.present_costs),
        "drafts": swap.drafts,
    }


class VacancyShown(serializers.Serializer[JSONObject]):
    """The organiser's possible choices for the opponents of players who left the league."""

    gone = Person(many=True)
    stand_in = Person(allow_null=True, help_text="The player with a bye who would play instead.")
    handlings = serializers.ListField(child=serializers.ChoiceField(choices=list(Replacement)))


class VacancyFilled(serializers.Serializer[JSONObject]):
    """The organiser's choice for the opponents of players who left the league."""

    handling = serializers.ChoiceField(
        choices=list(Replacement),
        help_text="`match`: the player with the bye plays. `bye`: the opponent sits out.",
    )
    edition = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


@extend_schema_view(get=op("fixtures_vacancy", TAG, VacancyShown, 403))
class FixtureVacancy(FixtureResource, DetailView):
    """A fixture of a player who has left the league. A POST gives the opponent a match or a bye."""

    serializer_class = VacancyShown

    def represent(self, row: Fixture) -> JSONObject:
        """Return the possible choices, for organisers."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        vacancy = offered_vacancy(row) or Vacancy(gone=(), stand_in=None, may_be_bye=False)
        stand_in = vacancy.stand_in
        return {
            "gone": [named_player(player) for player in vacancy.gone],
            "stand_in": named_player(stand_in) if stand_in is not None else None,
            "handlings": [replacement.value for replacement in vacancy.replacements],
        }

    @op("fixtures_fill_vacancy", TAG, FixtureShown)
    @idempotent(VacancyFilled)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Give the opponent of a player who left a match or a bye, for organisers.

        A forfeit is voided.
        """
        given = self.read(request)
        fill_vacancy(
            fixture=self.get_object(),
            replacement=Replacement(given["handling"]),
            by=self.acting(),
            at=timezone.now(),
            edition=given.get("edition"),
        )
        return Response(FixtureShown(self.get_object()).data)
