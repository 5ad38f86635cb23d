"""API resources of rounds and fixtures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import django_filters as filters
from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from api.filters import SlugFilter, StrictFilterSet
from api.types import JSONObject
from api.views import DetailView, ListView, idempotent
from core.names.serializers import CleanCharField
from leagues.api.people import Person
from leagues.api.proposals import ProposedRound, proposal_of
from leagues.api.resources import LeagueResource, op
from leagues.byes import leagues_with_rest_days, players_with_byes
from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures import operations as fixture_operations
from leagues.fixtures import queries as fixture_queries
from leagues.fixtures.by_hand import draw_by_hand
from leagues.fixtures.labels import reason_sentences
from leagues.fixtures.operations import (
    DrawnRound,
    RoundRobinPreview,
    draw_next_swiss,
    draw_round_robin,
    preview_round_robin,
    preview_swiss,
    undraw,
)
from leagues.fixtures.queries import (
    FixtureLine,
    RarePairs,
    drawn_rare_pairs,
    fixture_lines,
    with_fixtures,
)
from leagues.models import Fixture, League, Match, Player, Round
from leagues.permissions import may_organise

TAG: Final = "fixtures"


class FixtureSeatShown(serializers.Serializer[JSONObject]):
    """A player of a fixture, and the seat that the player has in it."""

    seat = serializers.IntegerField()
    side = serializers.IntegerField(help_text="Partners have the same.")
    player = Person()


class FixtureShown(serializers.Serializer[Any]):
    """Players, deadline and pairing reasons of a fixture, and its match if there is one."""

    id = serializers.IntegerField()
    round = serializers.IntegerField()
    table = serializers.IntegerField(help_text="Its number within the round.")
    state = serializers.ChoiceField(choices=Fixture.State.values)
    deadline = serializers.DateTimeField()
    note = serializers.CharField(allow_blank=True)
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why these meet.")
    seats = FixtureSeatShown(many=True)
    match = serializers.IntegerField(allow_null=True)
    match_state = serializers.ChoiceField(choices=Match.State.values, allow_null=True)

    def to_representation(self, instance: Fixture | JSONObject) -> JSONObject:
        """Return a fixture as JSON.

        Accepts a fixture with its seats loaded, or the result of `fixture_data`.
        """
        if isinstance(instance, Fixture):
            return fixture_data(fixture_queries.line_from_fixture(instance), instance.round)
        return instance


def fixture_data(line: FixtureLine, of: Round) -> JSONObject:
    row, match = line.fixture, line.match
    return {
        "id": row.pk,
        "round": of.number,
        "table": row.number,
        "state": row.state,
        "deadline": row.deadline,
        "note": row.remark,
        "reasons": reason_sentences(row.reasons),
        "seats": [
            {
                "seat": seat.number,
                "side": seat.side,
                "player": {"name": seat.player.name, "slug": seat.player.slug},
            }
            for seat in line.seats
        ],
        "match": match.pk if match else None,
        "match_state": match.state if match else None,
    }


class FixtureFilter(StrictFilterSet):
    """Filter of the list of fixtures."""

    state = filters.ChoiceFilter(choices=Fixture.State.choices)
    player = SlugFilter(method="of_player")

    def of_player(self, rows: QuerySet[Fixture], name: str, value: str) -> QuerySet[Fixture]:
        """Select fixtures of the player with this address (slug)."""
        return rows.filter(seats__player__slug=value)


@extend_schema_view(get=op("fixtures_list", TAG, FixtureShown(many=True)))
class Fixtures(LeagueResource, ListView):
    """List the fixtures of a league, the earliest deadlines first."""

    queryset = Fixture.objects.none()
    serializer_class = FixtureShown
    filterset_class = FixtureFilter
    ordering = ("deadline", "pk")

    def get_queryset(self) -> QuerySet[Fixture]:
        return fixture_queries.with_seats().filter(round__league=self.league)


class FixtureResource(LeagueResource):
    """Base resource of a fixture of a league, named in the URL."""

    serializer_class: type[serializers.Serializer[Any]] = FixtureShown

    def get_object(self) -> Fixture:
        """Return the fixture named in the URL. Raises Http404."""
        rows = fixture_queries.with_seats().filter(round__league=self.league)
        fixture = rows.filter(pk=self.kwargs["pk"]).first()
        if fixture is None:
            raise Http404
        return fixture


class Postponed(serializers.Serializer[JSONObject]):
    """A request to postpone a fixture to a later deadline."""

    deadline = serializers.DateTimeField()
    note = CleanCharField(max_length=200, allow_blank=True, required=False, default="")


class Forfeited(serializers.Serializer[JSONObject]):
    """The players who did not appear to the match of a fixture."""

    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=5), min_length=1, max_length=6
    )
    note = CleanCharField(max_length=200, allow_blank=True, required=False, default="")


class FixtureReason(serializers.Serializer[JSONObject]):
    """The organiser's reason for an action on a fixture."""

    reason = CleanCharField(max_length=200)


class FixtureViewSet(ViewSetMixin, FixtureResource):
    """A fixture and the actions of organisers, which return the changed fixture."""

    def fixture_response(self) -> Response:
        """Return the present state of the fixture as a response."""
        return Response(self.get_serializer(self.get_object()).data)

    @op("fixtures_read", TAG, FixtureShown)
    def retrieve(self, request: Request, slug: str, pk: int) -> Response:
        """Get one fixture."""
        return self.fixture_response()

    @op("fixtures_postpone", TAG, FixtureShown)
    @idempotent(Postponed)
    def postpone(self, request: Request, slug: str, pk: int) -> Response:
        """Postpone a fixture to a later deadline, for organisers."""
        given = self.read(request)
        by, at = self.acting(), timezone.now()
        fixture_operations.postpone_fixture(fixture=self.get_object(), by=by, at=at, **given)
        return self.fixture_response()

    @op("fixtures_forfeit", TAG, FixtureShown)
    @idempotent(Forfeited)
    def forfeit(self, request: Request, slug: str, pk: int) -> Response:
        """Forfeit a fixture, for organisers: players who did not appear lose, without points."""
        given = self.read(request)
        by, at = self.acting(), timezone.now()
        fixture_operations.forfeit_fixture(
            fixture=self.get_object(), seats=set(given["seats"]), by=by, at=at, note=given["note"]
        )
        return self.fixture_response()

    @op("fixtures_void", TAG, FixtureShown)
    @idempotent(FixtureReason)
    def void(self, request: Request, slug: str, pk: int) -> Response:
        """Void a fixture, for organisers: it is not played and nobody loses it."""
        reason, at = self.read(request)["reason"], timezone.now()
        fixture_operations.void_fixture(
            fixture=self.get_object(), by=self.acting(), at=at, reason=reason
        )
        return self.fixture_response()

    @op("fixtures_restore", TAG, FixtureShown)
    @idempotent()
    def restore(self, request: Request, slug: str, pk: int) -> Response:
        """Restore a void fixture, for organisers."""
        fixture, at = self.get_object(), timezone.now()
        fixture_operations.restore_fixture(fixture=fixture, by=self.acting(), at=at)
        return self.fixture_response()


ROUNDS_TAG: Final = "rounds"


class RoundBye(serializers.Serializer[JSONObject]):
    """A player with a bye, and the reason for the bye."""

    player = Person()
    reasons = serializers.ListField(child=serializers.CharField())


class RoundShown(serializers.Serializer[Round]):
    """A round with its fixtures."""

    number = serializers.IntegerField()
    drawn_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)
    fixtures = FixtureShown(many=True)
    byes = RoundBye(many=True)
    rest_days = serializers.BooleanField(
        help_text="Whether everybody sits out equally often, so that these are no byes: they bring "
        "nothing."
    )

    def to_representation(self, instance: Round) -> JSONObject:
        """Return a round as JSON, with the players of the page from the context."""
        people: Mapping[int, Player] = self.context["people"]
        return {
            "number": instance.number,
            "drawn_at": instance.drawn_at,
            "deadline": instance.deadline,
            "closed_at": instance.closed_at,
            "fixtures": [
                fixture_data(line, instance) for line in fixture_lines(instance, people).fixtures
            ],
            "byes": [_bye(bye, people) for bye in instance.byes if bye["player"] in people],
            "rest_days": self.context["rest_days"],
        }


def _bye(bye: JSONObject, people: Mapping[int, Player]) -> JSONObject:
    player = people[bye["player"]]
    named = {"name": player.name, "slug": player.slug}
    return {"player": named, "reasons": reason_sentences(bye["reasons"])}


@extend_schema_view(get=op("rounds_list", ROUNDS_TAG, RoundShown(many=True)))
class Rounds(LeagueResource, ListView):
    """List all rounds drawn so far, in order."""

    queryset = Round.objects.none()
    serializer_class = RoundShown
    ordering = ("number", "pk")

    def get_queryset(self) -> QuerySet[Round]:
        return with_fixtures(Round.objects.filter(league=self.league))

    def paginate_queryset(self, queryset: Any) -> Any:
        """Load the players with byes in all rounds of the page at once."""
        page = super().paginate_queryset(queryset)
        self.rows: Iterable[Round] = page or ()
        return page

    def get_serializer_context(self) -> dict[str, object]:
        """Add the players with byes to the context."""
        people = players_with_byes(getattr(self, "rows", ()))
        rest_days = bool(people) and bool(leagues_with_rest_days([self.league]))
        more = {"people": people, "rest_days": rest_days}
        return {**super().get_serializer_context(), **more}


class DraftPairing(serializers.Serializer[JSONObject]):
    """A proposed pairing and the reasons for it."""

    players = Person(many=True)
    reasons = serializers.ListField(child=serializers.CharField())


class RoundDraft(serializers.Serializer[JSONObject]):
    """The next round as drawn from the present standings.

    Send `edition` to draw exactly this round.
    """

    number = serializers.IntegerField()
    edition = serializers.IntegerField()
    pairings = DraftPairing(many=True)
    byes = RoundBye(many=True)


class KeptDraft(ProposedRound):
    """Request to draw the next round, with the `edition` (version of the league) of its preview.

    Without `edition`, the round is drawn from the present standings. If `pairings` or `byes` are
    given, a Swiss round is saved with these. They must then contain all players.
    """

    edition = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    hour = serializers.TimeField(
        required=False,
        help_text="When deadlines end, in the league's time zone; as late as it is now without it.",
    )
    rounds = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        help_text="For a round robin with fewer rounds than it takes until everybody has met.",
    )


class DrawnRounds(serializers.Serializer[JSONObject]):
    """Numbers of the rounds that were drawn or undone."""

    rounds = serializers.ListField(child=serializers.IntegerField())


@extend_schema_view(get=op("rounds_preview", ROUNDS_TAG, RoundDraft, 403, 409))
class Draw(LeagueResource, DetailView):
    """Preview the next Swiss round with reasons.

    A POST draws it, or all rounds of a round robin.
    """

    serializer_class = RoundDraft

    def get_object(self) -> DrawnRound:
        """Return the draft of the next round, for organisers. Raises OperationError."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        return preview_swiss(league=self.league)

    def represent(self, row: DrawnRound) -> JSONObject:
        return draft_data(row)

    @op("rounds_draw", ROUNDS_TAG, {201: DrawnRounds})
    @idempotent(KeptDraft)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Draw a round. Rejected if the league has changed since the draft."""
        given, by, at = self.read(request), self.acting(), timezone.now()
        if not may_organise(by, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        named = "pairings" in given or "byes" in given
        proposal = proposal_of(self.league, given) if named else None
        given = {name: value for name, value in given.items() if name not in ("pairings", "byes")}
        if self.league.format == League.Format.SWISS:
            if given.pop("rounds", None) is not None:
                raise OperationError(_("A Swiss league is drawn round by round."), "rounds")
            if proposal is None:
                rows = [draw_next_swiss(league=self.league, by=by, at=at, **given)]
            else:
                rows = [draw_by_hand(league=self.league, proposal=proposal, by=by, at=at, **given)]
        elif proposal is not None:
            raise OperationError(_("Pairings can only be chosen in a Swiss league."), "pairings")
        else:
            rows = draw_round_robin(league=self.league, by=by, at=at, **given)
        return Response({"rounds": [row.number for row in rows]}, status=201)


def draft_data(row: DrawnRound) -> JSONObject:
    """Return a proposed round with its reasons as JSON."""
    return {
        "number": row.number,
        "edition": row.edition,
        "pairings": [
            {
                "players": [named_player(row.players[key]) for key in pairing.seats],
                "reasons": reason_sentences(pairing.reasons),
            }
            for pairing in row.pairings
        ],
        "byes": [
            {
                "player": named_player(row.players[bye.player]),
                "reasons": reason_sentences(bye.reasons),
            }
            for bye in row.byes
        ],
    }


def named_player(player: Player) -> dict[str, str]:
    """Return name and address of a player, without following merges."""
    return {"name": player.name, "slug": player.slug}


class RarePair(serializers.Serializer[JSONObject]):
    """Two players who meet in fewer matches than planned."""

    players = Person(many=True)
    meetings = serializers.IntegerField(help_text="How often they meet: 0 for not at all.")


def _rare_pairs(groups: Iterable[RarePairs]) -> list[JSONObject]:
    return [
        {"players": [named_player(player) for player in pair], "meetings": group.meetings}
        for group in groups
        for pair in group.pairs
    ]


class RoundRobinDraft(serializers.Serializer[JSONObject]):
    """The draft of a round robin. Send `edition` and `rounds` to draw exactly this draft."""

    edition = serializers.IntegerField()
    rounds = serializers.IntegerField()
    rounds_needed = serializers.IntegerField(
        help_text="How many it takes until everybody has met as often as planned."
    )
    last_deadline = serializers.DateTimeField(help_text="If it is drawn now.")
    rare_pairs = RarePair(many=True)


class RoundRobinQuery(serializers.Serializer[JSONObject]):
    """Query parameters for the draw to preview."""

    rounds = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        help_text="Fewer than it takes until everybody has met. All of them without it.",
    )
    hour = serializers.TimeField(
        required=False,
        help_text="When deadlines end, in the league's time zone; as late as it is now without it.",
    )


@extend_schema_view(
    get=op("rounds_preview_round_robin", ROUNDS_TAG, RoundRobinDraft, 403, 409),
)
class RoundRobinDraw(LeagueResource, DetailView):
    """Preview the draw of a round robin: its rounds, last deadline, and pairs who will not meet."""

    serializer_class = RoundRobinDraft
    query_serializer_class = RoundRobinQuery

    def get_object(self) -> RoundRobinPreview:
        """Return the draft of the round robin, for organisers. Raises OperationError."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        query = self.read_query(self.request)
        return preview_round_robin(league=self.league, at=timezone.now(), **query)

    def represent(self, row: RoundRobinPreview) -> JSONObject:
        return {
            "edition": row.edition,
            "rounds": row.rounds,
            "rounds_needed": row.needed,
            "last_deadline": row.deadline,
            "rare_pairs": _rare_pairs(row.rare),
        }


class RarePairsShown(serializers.Serializer[JSONObject]):
    """Pairs of players who meet less often than planned, all equally often."""

    rare_pairs = RarePair(many=True)


@extend_schema_view(get=op("rounds_rare_pairs", ROUNDS_TAG, RarePairsShown))
class RarePairsOfLeague(LeagueResource, DetailView):
    """Players who meet less often than planned in the rounds of a round robin.

    The list is empty before the draw, and in leagues of other formats.
    """

    serializer_class = RarePairsShown

    def get_object(self) -> League:
        return self.league

    def represent(self, row: League) -> JSONObject:
        return {"rare_pairs": _rare_pairs(drawn_rare_pairs(row))}


class TakenBack(serializers.Serializer[JSONObject]):
    """Number of rounds that were removed."""

    rounds = serializers.IntegerField()


class DrawBack(LeagueResource):
    """Undo a draw: the last Swiss round, or a whole round robin."""

    @op("rounds_take_back", ROUNDS_TAG, TakenBack)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Undo the draw, provided that none of its matches has been played."""
        rounds = undraw(league=self.league, by=self.acting(), at=timezone.now())
        return Response({"rounds": rounds})
