"""API resources of matches: list, opening, drafts, entering results, confirmation and disputes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, Final

import django_filters as filters
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from api.filters import BooleanFilter, SlugFilter, StrictFilterSet
from api.types import JSON, JSONObject
from api.views import DetailView, ListView, idempotent
from core.names.serializers import CleanCharField
from leagues import matches_read as match_queries
from leagues.api.fixtures import FixtureResource
from leagues.api.matches.serializers import (
    MatchFull,
    MatchLine,
    SheetDocument,
    check_sheet_form,
    full_match,
)
from leagues.api.resources import (
    LeagueResource,
    MatchResource,
    VisitorResource,
    objection_problem,
    op,
)
from leagues.exceptions import OperationError
from leagues.games import Judgement, games
from leagues.matches.operations import corrections, matches
from leagues.matches.operations.locking import check_permitted
from leagues.matches.operations.matches import open_among_friends, open_match, open_rematch
from leagues.matches_read import names_by_seat
from leagues.members_read.queries import belongs_to, members_of
from leagues.models import Match, MatchSeat, Player, Sheet
from leagues.permissions import Action, match_relation

TAG: Final = "matches"


class MatchFilter(StrictFilterSet):
    """Filter of the list of matches."""

    game = SlugFilter()
    league = SlugFilter(field_name="league__slug")
    state = filters.ChoiceFilter(choices=Match.State.choices)
    player = SlugFilter(method="of_player")
    mine = BooleanFilter(method="only_mine")

    def of_player(self, rows: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        """Select matches of the player with this address (slug)."""
        return rows.filter(pk__in=_match_ids_of(Player.objects.filter(slug=value).first()))

    def only_mine(self, rows: QuerySet[Match], name: str, value: bool) -> QuerySet[Match]:
        """Select matches that the user played, or did not play."""
        mine = _match_ids_of(self.request.parser_context["view"].player)
        return rows.filter(pk__in=mine) if value else rows.exclude(pk__in=mine)


def _match_ids_of(player: Player | None) -> QuerySet[MatchSeat, Any]:
    if player is None:
        return MatchSeat.objects.none().values("match")
    return MatchSeat.objects.filter(belongs_to(player)).values("match")


class AmongFriends(serializers.Serializer[JSONObject]):
    """Names of the players of a match among friends, in seating order.

    An empty name is the user.
    """

    game = serializers.CharField(max_length=20)
    profile = serializers.CharField(max_length=30)
    names = serializers.ListField(
        child=CleanCharField(max_length=60, allow_blank=True), min_length=2, max_length=6
    )


@extend_schema_view(get=op("matches_list", TAG, MatchLine(many=True)))
class Matches(VisitorResource, ListView):
    """List matches of public leagues, of the user's leagues and of the user, latest first.

    A POST opens a match among friends.
    """

    queryset = Match.objects.none()
    serializer_class = MatchLine
    filterset_class = MatchFilter
    ordering = ("-played_at", "-pk")

    def get_queryset(self) -> QuerySet[Match]:
        return match_queries.with_seats(match_queries.matches_visible_to(self.player)).defer(
            "sheet__content", "draft"
        )

    @op("matches_open_among_friends", TAG, {201: MatchFull})
    @idempotent(AmongFriends)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Open a match among friends. A guest is created for each new name."""
        given, me = self.read(request), self.acting()
        return opened_response(open_among_friends(by=me, at=timezone.now(), **given), me)


def opened_response(match: Match, by: Player) -> Response:
    at = reverse("api_match", args=[match.pk])
    return Response(full_match(match.pk, by), status=201, headers={"Location": at})


class InTheLeague(serializers.Serializer[JSONObject]):
    """Players of a match in a league, in seating order."""

    players = serializers.ListField(
        child=serializers.SlugField(max_length=80), min_length=2, max_length=6
    )
    played_at = serializers.DateTimeField(required=False)


@extend_schema_view(get=op("leagues_matches", TAG, MatchLine(many=True)))
class LeagueMatches(LeagueResource, ListView):
    """List confirmed and pending matches of a league, latest first.

    A POST opens a match in a ladder.
    """

    queryset = Match.objects.none()
    serializer_class = MatchLine
    filterset_class = MatchFilter
    ordering = ("-played_at", "-pk")

    def get_queryset(self) -> QuerySet[Match]:
        rows = Match.objects.filter(league=self.league, state__in=match_queries.LISTED_STATES)
        return match_queries.with_seats(rows).defer("sheet__content", "draft")

    @op("leagues_open_match", TAG, {201: MatchFull})
    @idempotent(InTheLeague)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Open a match in a ladder, for its players and scorers."""
        given, me = self.read(request), self.acting()
        players = self._players(given["players"])
        played_at: dt.datetime | None = given.get("played_at")
        match = open_match(
            by=me, at=timezone.now(), players=players, league=self.league, played_at=played_at
        )
        return opened_response(match, me)

    def _players(self, slugs: list[str]) -> list[Player]:
        """Return the members with these addresses (slugs). Raises OperationError."""
        members = {member.player.slug: member.player for member in members_of(self.league)}
        if any(slug not in members for slug in slugs):
            raise OperationError(_("Choose a member of the league for each seat."), "players")
        return [members[slug] for slug in slugs]


class FixtureMatch(FixtureResource):
    """Open the match of a fixture, or return it if it exists."""

    @op("fixtures_open_match", TAG, {201: MatchFull})
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Open the match of a fixture, for its players and scorers."""
        me = self.acting()
        return opened_response(open_match(by=me, at=timezone.now(), fixture=self.get_object()), me)


# Query parameters that identify a match, also for actions.
MATCH_PARAMETERS: Final = {"parameters": [MatchResource.query_serializer_class]}


class MatchVersion(serializers.Serializer[JSONObject]):
    """Version of the match that the client has read.

    If there is a later version, the answer is 409.
    """

    version = serializers.IntegerField(min_value=0, max_value=2**31 - 1)


class MatchReason(MatchVersion):
    """The user's reason for an action on a match."""

    reason = CleanCharField(max_length=300)


class SheetContent(serializers.Serializer[JSONObject]):
    """Content of a complete scoresheet in the game's format (`sheet_schema` of the game)."""

    content = SheetDocument()


class NewSheet(MatchVersion, SheetContent):
    """A complete scoresheet to enter."""

    played_at = serializers.DateTimeField(required=False)
    before_draw = serializers.BooleanField(
        default=False,
        help_text="Confirms a `played_at` on a day before the round was drawn.",
    )


class Settlement(MatchVersion):
    """Outcome of a dispute about a match. Organisers must give a reason."""

    verdict = serializers.ChoiceField(choices=list(corrections.DisputeVerdict))
    settlement = CleanCharField(max_length=300, allow_blank=True, required=False, default="")


class ProposalAsked(MatchReason):
    """A proposal to settle a match: the result is upheld, or the match is void.

    Only a disputed result can be upheld.
    """

    verdict = serializers.ChoiceField(choices=list(corrections.DisputeVerdict))


class ProposalAnswer(MatchVersion):
    """Whether the other side agrees to the proposal."""

    accept = serializers.BooleanField()


class RefereeFault(serializers.Serializer[JSONObject]):
    """An error that the referee found in a scoresheet: location, sentence and ruling."""

    pointer = serializers.CharField()
    detail = serializers.CharField()
    ruling = serializers.CharField(required=False)


class JudgementShown(serializers.Serializer[JSONObject]):
    """Result of a scoresheet according to the rules. A scoresheet with objections has no result."""

    points = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    over = serializers.BooleanField()
    evidence = serializers.ChoiceField(choices=Sheet.Evidence.values)
    objections = RefereeFault(many=True)
    lines = serializers.ListField(child=serializers.CharField())


def judgement_data(judgement: Judgement) -> JSONObject:
    return {
        "points": list(judgement.points),
        "places": list(judgement.places),
        "over": judgement.over,
        "evidence": judgement.evidence,
        "objections": [objection_problem(objection) for objection in judgement.objections],
        "lines": [str(said) for said in judgement.lines],
    }


class MatchActionResource(MatchResource):
    """Base resource of actions on a match, which return the match.

    `If-Match` is compared with the match that the client has read.
    """

    def perform(self, operation: Callable[..., Match], request: Request, **more: JSON) -> Response:
        """Perform the operation with the data of the request and return the match."""
        given, me = self.read(request), self.acting()
        self.lock_and_compare(request, lambda: full_match(self.match.pk, me))
        row = operation(match=self.match, by=me, at=timezone.now(), **given, **more)
        return Response(full_match(row.pk, me))


class MatchViewSet(ViewSetMixin, MatchActionResource):
    """A match and the actions on it."""

    @op("matches_read", TAG, MatchFull)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Get a match with its rules, disputes and the actions that the user may perform."""
        return Response(full_match(self.match.pk, self.player))

    @op("matches_judge", TAG, JudgementShown, **MATCH_PARAMETERS)
    @idempotent(SheetContent)
    def judge(self, request: Request, pk: int) -> Response:
        """Check a scoresheet against the rules. Nothing is saved."""
        content, match = self.read(request)["content"], self.match
        names = names_by_seat(match)
        judgement = games[match.game].referee.judge(
            rules=match.rules, seats=len(names), sheet=content, names=names
        )
        return Response(judgement_data(judgement))

    @op("matches_hand_in", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(NewSheet)
    def hand_in(self, request: Request, pk: int) -> Response:
        """Enter a complete scoresheet, for players of the match and scorers.

        It then awaits confirmation. The answer 422 lists every objection.
        """
        return self.perform(matches.hand_in, request)

    @op("matches_confirm", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(MatchVersion)
    def confirm(self, request: Request, pk: int) -> Response:
        """Confirm that the scoresheet is right, for a second player or an organiser who did not
        enter it. The result counts from now on.
        """
        return self.perform(matches.confirm, request)

    @op("matches_dispute", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(MatchReason)
    def dispute(self, request: Request, pk: int) -> Response:
        """Dispute a result, for players of the match and organisers.

        It does not count until the dispute is settled.
        """
        return self.perform(corrections.dispute_match, request)

    @op("matches_settle", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(Settlement)
    def settle(self, request: Request, pk: int) -> Response:
        """Settle a dispute, for organisers who neither played nor entered the match.

        The player who raised it may withdraw it.
        """
        return self.perform(_settle_dispute, request)

    @op("matches_propose", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(ProposalAsked)
    def propose(self, request: Request, pk: int) -> Response:
        """Propose a settlement to the other side, for organisers who played or entered the
        match.
        """
        return self.perform(_propose, request)

    @op("matches_answer", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(ProposalAnswer)
    def answer(self, request: Request, pk: int) -> Response:
        """Accept or reject the open proposal, for players of the other side.

        An accepted proposal takes effect at once.
        """
        return self.perform(corrections.answer_proposal, request)

    @op("matches_void", TAG, MatchFull, **MATCH_PARAMETERS)
    @idempotent(MatchReason)
    def void(self, request: Request, pk: int) -> Response:
        """Void a match, for organisers who neither played nor entered it, and for the player who
        entered it until it is confirmed. Other organisers may void it if the league has no such
        organiser and nobody has agreed to a proposal in time. A void match does not count, and its
        fixture is open again.
        """
        return self.perform(corrections.void_match, request)

    @op("matches_rematch", TAG, {201: MatchFull}, **MATCH_PARAMETERS)
    @idempotent()
    def rematch(self, request: Request, pk: int) -> Response:
        """Open a new match with the same players and rules, for one of the players.

        If another player has opened it already, that match is returned until its result is entered.
        """
        me = self.acting()
        return opened_response(open_rematch(match=self.match, by=me, at=timezone.now()), me)


def _settle_dispute(*, verdict: str, **given: JSON) -> Match:
    return corrections.settle_dispute(verdict=corrections.DisputeVerdict(verdict), **given)


def _propose(*, verdict: str, **given: JSON) -> Match:
    return corrections.propose(verdict=corrections.DisputeVerdict(verdict), **given)


class DraftShown(serializers.Serializer[JSONObject]):
    """The unfinished draft of a scoresheet, or null if nothing has been entered."""

    version = serializers.IntegerField(help_text="Of the match: who writes names the one they saw.")
    content = SheetDocument(allow_null=True)


class DraftAsked(MatchVersion):
    """A draft of a scoresheet that replaces the previous draft.

    The referee does not check it yet.
    """

    content = SheetDocument()


@extend_schema_view(get=op("matches_draft", TAG, DraftShown, 403, 409))
class MatchDraft(MatchResource, DetailView):
    """The unfinished draft of a scoresheet, shared with the pages.

    Entering the scoresheet deletes it.
    """

    serializer_class = DraftShown

    def get_object(self) -> Match:
        """Return a match with an editable draft, for users who may enter its result.

        Raises OperationError.
        """
        check_permitted(match_relation(self.player, self.match), Action.WRITE, self.match)
        return self.match

    def represent(self, row: Match) -> JSONObject:
        return {"version": row.version, "content": row.draft}

    @op("matches_discard_draft", TAG, {204: None}, **MATCH_PARAMETERS)
    @idempotent()
    def delete(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Delete the draft, for players of the match and scorers."""
        row, me = self.match_and_writer(request)
        matches.save_draft(match=row, version=row.version, content=None, by=me)
        return Response(status=204)

    @op("matches_write_draft", TAG, DraftShown, **MATCH_PARAMETERS)
    @idempotent(DraftAsked)
    def put(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Replace the draft, for players of the match and scorers."""
        row, me = self.match_and_writer(request)
        given = self.read(request)
        check_sheet_form(row.game, given["content"])
        return Response(self.represent(matches.save_draft(match=row, by=me, **given)))

    def match_and_writer(self, request: Request) -> tuple[Match, Player]:
        """Return the match, after comparing it with `If-Match`, and the player who may enter its
        result.
        """
        me = self.acting()
        check_permitted(match_relation(me, self.match), Action.WRITE, self.match)
        self.lock_and_compare(request, lambda: self.represent(self.match))
        return self.match, me
