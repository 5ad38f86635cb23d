"""API resources of players: careers, matches, and pending tasks."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.types import JSON, JSONObject
from api.views import DetailView, ListView, idempotent
from core.names.serializers import CleanCharField
from leagues import matches_read as match_queries
from leagues.api.fixtures import FixtureShown, fixture_data
from leagues.api.matches.serializers import MatchLine, match_line
from leagues.api.people import Figure, Person, person
from leagues.api.resources import VisitorResource, op
from leagues.api.standings import rating_figure
from leagues.exceptions import NotAllowed
from leagues.fixtures import queries as fixture_queries
from leagues.games import games
from leagues.members.operations import merging
from leagues.members_read.queries import Career, belongs_to, career_of, visible_leagues
from leagues.members_read.statistics import BestResult, Duel
from leagues.models import League, Match, MatchSeat, Merge, Player
from leagues.permissions import may_view_player
from leagues.players import rename_player, set_player_visibility
from leagues.ratings.queries import LeaderboardLine, site_ratings


class PlayerRival(serializers.Serializer[JSONObject]):
    """An opponent of a player, with the number of matches and who placed higher."""

    player = Person()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    margin = serializers.IntegerField()


class PlayerPartner(serializers.Serializer[JSONObject]):
    """A partner of a player."""

    player = Person()
    played = serializers.IntegerField()
    won = serializers.IntegerField()


class BestFigure(serializers.Serializer[JSONObject]):
    """A personal record, and when it was first reached."""

    value = serializers.IntegerField()
    match = serializers.IntegerField()
    when = serializers.DateTimeField()


class LongestRun(serializers.Serializer[JSONObject]):
    """The longest series of matches that the player has won."""

    length = serializers.IntegerField()
    since = serializers.DateTimeField()
    until = serializers.DateTimeField()


class CareerShown(serializers.Serializer[JSONObject]):
    """Statistics of a player at one game."""

    game = serializers.CharField()
    rating = Figure(allow_null=True, help_text="On the site.")
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    last = serializers.ListField(child=serializers.ChoiceField(choices=["W", "D", "L"]))
    opponents = PlayerRival(many=True)
    partners = PlayerPartner(many=True)
    nemesis = Person(allow_null=True)
    favourite = Person(allow_null=True)
    longest_run = LongestRun(allow_null=True)
    current_run = serializers.IntegerField()
    highest_points = BestFigure(allow_null=True)
    biggest_margin = BestFigure(allow_null=True)


def careers(player: Player, leagues: list[int]) -> list[JSONObject]:
    """Return a player's careers in these leagues and at live tables of the site.

    Takes two queries per game.
    """
    ratings = site_ratings(player)
    return [
        _career(game.key, career, ratings.get(game.key))
        for game in games.all_games()
        if (career := career_of(player, game.key, leagues)) is not None
    ]


def _career(game: str, career: Career, rated: LeaderboardLine | None) -> JSONObject:
    form, run = career.form, career.form.longest_run
    figures = {name: getattr(form, name) for name in ("played", "won", "drawn", "lost")}
    return figures | {
        "game": game,
        "rating": rating_figure(rated.rating) if rated else None,
        "last": list(form.last),
        "opponents": [_rival(player, duel) for player, duel in career.rivals],
        "partners": [
            {"player": person(player), "played": together.played, "won": together.won}
            for player, together in career.partners
        ],
        "nemesis": career.nemesis and person(career.nemesis),
        "favourite": career.favourite and person(career.favourite),
        "longest_run": run and {"length": run.length, "since": run.since, "until": run.until},
        "current_run": form.current_run,
        "highest_points": _best(form.highest_points),
        "biggest_margin": _best(form.biggest_margin),
    }


def _rival(player: Player, duel: Duel) -> JSONObject:
    figures = {name: getattr(duel, name) for name in ("played", "won", "drawn", "lost", "margin")}
    return figures | {"player": person(player)}


def _best(record: BestResult | None) -> JSONObject | None:
    if record is None:
        return None
    return {"value": record.value, "match": record.match, "when": record.when}


TAG: Final = "players"


class LeagueNamed(serializers.Serializer[Any]):
    """Name and address of a league."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    game = serializers.CharField()


class MergeShown(serializers.ModelSerializer[Merge]):
    """A guest who was merged into the player."""

    absorbed = serializers.CharField(source="absorbed.name")
    by = Person(allow_null=True)

    class Meta:
        model = Merge
        fields = ["id", "absorbed", "by", "at"]


class PlayerFull(Person):
    """A player with the leagues and careers that the user may see."""

    guest = serializers.BooleanField()
    public = serializers.BooleanField()
    own = serializers.BooleanField(help_text="Whether it is who asks.")
    leagues = LeagueNamed(many=True)
    careers = CareerShown(many=True)
    merges = MergeShown(many=True, help_text="Those that who asks may undo.")

    def to_representation(self, instance: object) -> JSON:
        """Return a player as JSON, from the dictionary that the resource made."""
        return instance


class ChangedPlayer(serializers.Serializer[JSONObject]):
    """Settings of a player to change. Omitted settings stay as they are."""

    name = CleanCharField(max_length=60, required=False)
    public = serializers.BooleanField(required=False)


class PlayerResource(VisitorResource):
    """Base resource of the player named in the URL, if the user may see the player's page."""

    @cached_property
    def viewed_player(self) -> Player:
        """Return the player, after merges. Raises Http404."""
        rows = Player.objects.select_related("merged_into", "user")
        player = rows.filter(slug=self.kwargs["slug"]).first()
        if player is None:
            raise Http404
        person = player.merged_into or player
        leagues = visible_leagues(of=person, to=self.player)
        if not may_view_player(person, self.player, in_common=bool(leagues)):
            raise Http404
        self.leagues: list[League] = leagues
        return person

    def player_data(self, player: Player) -> JSONObject:
        """Return all data of a player as the user may see them."""
        own = self.player is not None and self.player.person_id == player.pk
        merges = merging.merges_of(player, to=self.player)
        keys = [league.pk for league in self.leagues]
        return {
            "name": player.name,
            "slug": player.slug,
            "guest": player.is_guest,
            "public": player.public,
            "own": own,
            "leagues": LeagueNamed(self.leagues, many=True).data,
            "careers": careers(player, keys),
            "merges": MergeShown(merges, many=True).data,
        }


@extend_schema_view(get=op("players_read", TAG, PlayerFull))
class PlayerOne(PlayerResource, DetailView):
    """Details of a player: form, opponents, partners and records for each game."""

    serializer_class = PlayerFull

    def get_object(self) -> Player:
        return self.viewed_player

    def represent(self, row: Player) -> JSONObject:
        return self.player_data(row)

    @op("players_change", TAG, PlayerFull)
    @idempotent(ChangedPlayer)
    def patch(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Change one's own name, or whether one's page is public."""
        given, me, player = self.read(request), self.acting(), self.viewed_player
        if me.person_id != player.pk:
            raise NotAllowed(_("Players can only change this setting for themselves."))
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        self.lock_and_compare(request, lambda: self.player_data(player))
        if "name" in given:
            player = rename_player(player=player, name=given["name"])
        if "public" in given:
            set_player_visibility(player=player, public=given["public"])
            player.public = given["public"]
        return Response(self.player_data(player))


@extend_schema_view(get=op("players_me", TAG, PlayerFull))
class PlayerMe(PlayerResource, DetailView):
    """The user's own player."""

    serializer_class = PlayerFull

    def get_object(self) -> Player:
        """Return the user's player.

        Raises NotAuthenticated, and Http404 if the user has never played.
        """
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        if self.player is None:
            raise Http404
        self.leagues = visible_leagues(of=self.player, to=self.player)
        return self.player

    def represent(self, row: Player) -> JSONObject:
        return self.player_data(row)


@extend_schema_view(get=op("players_matches", TAG, MatchLine(many=True)))
class PlayerMatches(PlayerResource, ListView):
    """List matches of a player that count and that the user may see, latest first."""

    queryset = Match.objects.none()
    serializer_class = MatchLine
    ordering = ("-played_at", "-pk")

    def get_queryset(self) -> QuerySet[Match]:
        """Return matches of visible leagues and of live tables of the site."""
        seated = MatchSeat.objects.filter(belongs_to(self.viewed_player)).values("match")
        rows = Match.objects.filter(pk__in=seated, state__in=Match.COUNTED)
        known = Q(league__in=[league.pk for league in self.leagues])
        here = Q(league=None, origin=Match.Origin.HERE)
        return match_queries.with_seats(rows.filter(known | here)).defer("sheet__content", "draft")


class WaitingFixture(FixtureShown):
    """A fixture that the user has to play, with its league."""

    league = serializers.SlugField()


class WaitingBye(serializers.Serializer[JSONObject]):
    """A present round in which the user has no match."""

    league = serializers.SlugField()
    round = serializers.IntegerField()
    deadline = serializers.DateTimeField()
    rest_day = serializers.BooleanField(
        help_text="Whether everybody sits out equally often, so that it is no bye."
    )


class Waiting(serializers.Serializer[JSONObject]):
    """Pending tasks of the user: matches to confirm, proposals to answer, drafts, fixtures to play.

    `byes` are rounds without a fixture.
    """

    to_confirm = MatchLine(many=True)
    to_answer = MatchLine(many=True)
    drafts = MatchLine(many=True)
    fixtures = WaitingFixture(many=True)
    byes = WaitingBye(many=True)


@extend_schema_view(get=op("players_waiting", TAG, Waiting))
class PlayerWaiting(VisitorResource, DetailView):
    """List the user's pending tasks, as on the page of leagues."""

    serializer_class = Waiting

    def get_object(self) -> Player | None:
        """Return the user's player. Raises NotAuthenticated."""
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        return self.player

    def represent(self, row: Player | None) -> JSONObject:
        """Return all pending tasks, the most urgent first."""
        if row is None:
            return {"to_confirm": [], "to_answer": [], "drafts": [], "fixtures": [], "byes": []}
        return {
            "to_confirm": [
                match_line(item.match) for item in match_queries.matches_to_confirm(row)
            ],
            "to_answer": [match_line(item.match) for item in match_queries.matches_to_answer(row)],
            "drafts": [match_line(item.match) for item in match_queries.drafts_of_player(row)],
            "fixtures": [
                fixture_data(item, item.fixture.round) | {"league": item.fixture.round.league.slug}
                for item in fixture_queries.fixtures_of_player(row)
            ],
            "byes": [
                {
                    "league": item.round.league.slug,
                    "round": item.round.number,
                    "deadline": item.round.deadline,
                    "rest_day": item.rest_day,
                }
                for item in fixture_queries.byes_of_player(row, at=timezone.now())
            ],
        }
