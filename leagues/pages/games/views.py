"""Template contexts shared by the home pages and rules pages of all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

from django.http import HttpRequest

from leagues.games import Game, Profile
from leagues.league import queries as league_queries
from leagues.models import League, Player
from leagues.pages.access import visitor
from leagues.ratings.calculation import rating_span
from leagues.ratings.queries import LeaderboardLine, site_leaderboard
from leagues.tables import queries as table_queries
from leagues.tables.queries import ListedTable

LEADERBOARD_LENGTH: Final = 8
MAX_LISTED: Final = 6


class GameHomeContext(TypedDict):
    """Template context of a game's home page.

    `lines` is the leaderboard, and `span` is the pair of ends of its chart axis.
    """

    game: Game
    lines: list[LeaderboardLine]
    span: tuple[int, int]
    leagues: list[League]
    watchable: list[ListedTable]
    yours: list[ListedTable]
    bots: Sequence[tuple[str, str]]
    player: Player | None


def game_home_context(request: HttpRequest, game: Game) -> GameHomeContext:
    lines = site_leaderboard(game.key, LEADERBOARD_LENGTH)
    player = visitor(request)
    return {
        "game": game,
        "lines": lines,
        "span": rating_span([line.rating for line in lines]),
        "leagues": league_queries.public_leagues(game.key, MAX_LISTED),
        "watchable": table_queries.tables_to_watch(game.key)[:MAX_LISTED],
        "yours": table_queries.tables_of_player(player, game.key)[:MAX_LISTED],
        "bots": game.bots,
        "player": player,
    }


def described_profiles(game: Game) -> list[tuple[Profile, Sequence[str]]]:
    return [(profile, game.describe(profile.options)) for profile in game.profiles]
