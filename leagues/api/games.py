"""API resources of games: rules, bots, formats of scoresheets and leaderboards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.types import JSONObject
from api.views import DetailView, ResourceView
from leagues.api.people import Figure, Person
from leagues.api.resources import op
from leagues.games import Game, Profile, RuleOption, games
from leagues.games import schema as game_schema
from leagues.ratings.queries import LeaderboardLine, site_leaderboard

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

TAG: Final = "games"


class Labelled(serializers.Serializer[JSONObject]):
    """A key and its label, such as the key and the name of a bot."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class GameLine(serializers.Serializer[JSONObject]):
    """Summary of a game."""

    key = serializers.CharField(help_text="Names the game in addresses and requests.")
    name = serializers.CharField()
    played_here = serializers.BooleanField(help_text="Whether a table can be laid for it.")
    round_name = serializers.CharField()
    bots = Labelled(many=True, help_text="Weakest first.")


class GameList(serializers.Serializer[JSONObject]):
    """All games."""

    results = GameLine(many=True)


class ShownProfile(serializers.Serializer[JSONObject]):
    """A named rule set of a game with all its options."""

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    options = serializers.JSONField()
    digest = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField())
    description = serializers.ListField(child=serializers.CharField())


class ShownOption(serializers.Serializer[JSONObject]):
    """A rule option that a club can set: one of `choices`, `low` to `high`, or a boolean."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    help = serializers.CharField(allow_blank=True)
    choices = Labelled(many=True)
    low = serializers.IntegerField(allow_null=True)
    high = serializers.IntegerField(allow_null=True)
    default = serializers.JSONField()


class GameFull(GameLine):
    """A game with its rule profiles, options and scoresheet format."""

    stand_in = serializers.CharField(
        allow_blank=True, help_text="The bot that replaces absent players."
    )
    profiles = ShownProfile(many=True)
    options = ShownOption(many=True)
    rules_page = serializers.CharField(allow_blank=True, help_text="Its rules, for people.")
    sheet_schema = serializers.JSONField(help_text="JSON schema of the content of a sheet.")
    move_notation = serializers.CharField(allow_blank=True, help_text="How a move is written.")


class RankedPlayer(serializers.Serializer[JSONObject]):
    """A player's line in a leaderboard. Places count from 1."""

    place = serializers.IntegerField()
    player = Person()
    rating = Figure()
    matches = serializers.IntegerField()


class Leaderboard(serializers.Serializer[JSONObject]):
    """Leaderboard of the site for a game, limited to a hundred players."""

    game = serializers.CharField()
    lines = RankedPlayer(many=True)


class GamesAll(ResourceView):
    """List the games that can be played in a league or at a table."""

    serializer_class = GameList

    @op("games_list", TAG, GameList)
    def get(self, request: Request) -> Response:
        """List all games on one page."""
        return Response({"results": [_line(game) for game in games.all_games()]})


class GameResource(DetailView):
    """Base resource of a game, whose key is in the URL."""

    def get_object(self) -> Game:
        """Return the game named in the URL. Raises Http404."""
        game = games.find_game(self.kwargs["key"])
        if game is None:
            raise Http404
        return game


@extend_schema_view(get=op("games_read", TAG, GameFull))
class GameOne(GameResource):
    """Details of a game: rule profiles with options and digest, option bounds, bots, and sheet
    format.
    """

    serializer_class = GameFull

    def represent(self, row: Game) -> JSONObject:
        schema = game_schema.schema_of(row)
        return _line(row) | {
            "stand_in": row.stand_in,
            "profiles": [_profile(row, item) for item in row.profiles],
            "options": [_option(item) for item in row.options],
            "rules_page": reverse(row.rules_page) if row.rules_page else "",
            "sheet_schema": dict(schema.sheet()),
            "move_notation": schema.move,
        }


@extend_schema_view(get=op("games_leaderboard", TAG, Leaderboard))
class GameLeaderboard(GameResource):
    """The strongest players of a game on the site."""

    serializer_class = Leaderboard

    def represent(self, row: Game) -> JSONObject:
        return {
            "game": row.key,
            "lines": [leaderboard_line(line) for line in site_leaderboard(row.key)],
        }


def leaderboard_line(line: LeaderboardLine) -> JSONObject:
    return {
        "place": line.place,
        "player": {"name": line.player.name, "slug": line.player.slug},
        "rating": {"rating": line.rating.rating, "half_width": line.rating.half_width},
        "matches": line.matches,
    }


def _line(game: Game) -> JSONObject:
    return {
        "key": game.key,
        "name": str(game.name),
        "played_here": game.played_here,
        "round_name": str(game.round_name),
        "bots": _labelled(game.bots),
    }


def _labelled(pairs: Iterable[tuple[str, StrOrPromise]]) -> list[dict[str, str]]:
    return [{"key": str(key), "label": str(label)} for key, label in pairs]


def _profile(game: Game, profile: Profile) -> JSONObject:
    options = game.normalise(profile.options)
    return {
        "key": profile.key,
        "name": str(profile.name),
        "summary": str(profile.summary),
        "options": options,
        "digest": game.digest(options),
        "seats": list(game.seat_counts(options)),
        "description": [str(said) for said in game.describe(options)],
    }


def _option(option: RuleOption) -> JSONObject:
    return {
        "key": option.key,
        "label": str(option.label),
        "help": str(option.help),
        "choices": _labelled(option.choices or ()),
        "low": option.low,
        "high": option.high,
        "default": option.default,
    }
