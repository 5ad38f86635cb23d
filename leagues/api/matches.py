"""Matches: those one may see, one in full, and opening one."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

import django_filters as filters
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import Filters, Word, YesNo
from api.views import Act, Detail, Listing
from leagues.api.asking import ByPlayer, InLeague, OfMatch, op
from leagues.api.fixtures import OfFixture
from leagues.api.shown import MatchFull, MatchLine, full
from leagues.models import Match, MatchSeat, Player
from leagues.operations.errors import OperationError
from leagues.operations.friends import open_among_friends
from leagues.operations.matches import open_match
from leagues.queries import results
from leagues.queries.people import belongs_to, members_of

TAG: Final = "matches"


class MatchFilter(Filters):
    """Which matches."""

    game = Word()
    league = Word(field_name="league__slug")
    state = filters.ChoiceFilter(choices=Match.State.choices)
    player = Word(method="of_player")
    mine = YesNo(method="only_mine")

    def of_player(self, rows: Any, name: str, value: str) -> Any:
        """At which the player of this address sat."""
        return rows.filter(pk__in=_sat(Player.objects.filter(slug=value).first()))

    def only_mine(self, rows: Any, name: str, value: bool) -> Any:
        """At which who asks sat, or the others."""
        mine = _sat(self.request.parser_context["view"].player)
        return rows.filter(pk__in=mine) if value else rows.exclude(pk__in=mine)


def _sat(player: Player | None) -> Any:
    """The numbers of the matches at which a person sat."""
    if player is None:
        return MatchSeat.objects.none().values("match")
    return MatchSeat.objects.filter(belongs_to(player)).values("match")


class AmongFriends(serializers.Serializer[Any]):
    """Who sat down by name, in order; one empty name is who opens it."""

    game = serializers.CharField(max_length=20)
    profile = serializers.CharField(max_length=30)
    names = serializers.ListField(
        child=serializers.CharField(max_length=60, allow_blank=True), min_length=2, max_length=6
    )


@extend_schema_view(
    get=op("matches_list", TAG, MatchLine(many=True)),
    post=op("matches_open_among_friends", TAG, {201: MatchFull}),
)
class Matches(ByPlayer, Act, Listing):
    """Matches of public leagues, of one's own, and those one sat at, the latest first; a POST
    opens one among friends.
    """

    queryset = Match.objects.none()
    serializer_class = MatchLine
    asks_for = AmongFriends
    filterset_class = MatchFilter
    ordering = ("-played_at", "-pk")

    def get_queryset(self) -> Any:
        """Those that who asks may come across."""
        return results.with_seats(results.seen_by(self.player)).defer("sheet__content", "draft")

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Who is new becomes a guest."""
        given, me = self.read(request), self.acting()
        return opened(open_among_friends(by=me, at=timezone.now(), **given), me)


def opened(match: Match, by: Player) -> Response:
    """The answer to a match that was opened, or was there already."""
    at = reverse("api_match", args=[match.pk])
    return Response(full(match.pk, by), status=201, headers={"Location": at})


class InTheLeague(serializers.Serializer[Any]):
    """Who of the league sat down, in order."""

    players = serializers.ListField(
        child=serializers.SlugField(max_length=80), min_length=2, max_length=6
    )
    played_at = serializers.DateTimeField(required=False)


@extend_schema_view(
    get=op("leagues_matches", TAG, MatchLine(many=True)),
    post=op("leagues_open_match", TAG, {201: MatchFull}),
)
class LeagueMatches(InLeague, Act, Listing):
    """Matches of a league that count or wait, the latest first; a POST opens one in a ladder."""

    queryset = Match.objects.none()
    serializer_class = MatchLine
    asks_for = InTheLeague
    filterset_class = MatchFilter
    ordering = ("-played_at", "-pk")

    def get_queryset(self) -> Any:
        """Those of the league."""
        rows = Match.objects.filter(league=self.league, state__in=results.SHOWN)
        return results.with_seats(rows).defer("sheet__content", "draft")

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who plays it, or a scorer."""
        given, me = self.read(request), self.acting()
        players = self._players(given["players"])
        played_at: dt.datetime | None = given.get("played_at")
        match = open_match(
            by=me, at=timezone.now(), players=players, league=self.league, played_at=played_at
        )
        return opened(match, me)

    def _players(self, slugs: list[str]) -> list[Player]:
        """The members of these addresses. Raises OperationError."""
        members = {member.player.slug: member.player for member in members_of(self.league)}
        if any(slug not in members for slug in slugs):
            raise OperationError(_("Choose a member of the league for each seat."), "players")
        return [members[slug] for slug in slugs]


@extend_schema_view(post=op("fixtures_open_match", TAG, {201: MatchFull}))
class FixtureMatch(OfFixture, Act):
    """The match of a fixture, opened where there is none yet."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who plays it, or a scorer."""
        me = self.acting()
        return opened(open_match(by=me, at=timezone.now(), fixture=self.get_object()), me)


@extend_schema_view(get=op("matches_read", TAG, MatchFull))
class MatchOne(OfMatch, Detail):
    """A match with its rules, disputes, and what one may do with it."""

    serializer_class = MatchFull

    def get_object(self) -> Match:
        """The match of the address."""
        return self.match

    def represent(self, row: Match) -> dict[str, Any]:
        """In full."""
        return full(row.pk, self.player)
