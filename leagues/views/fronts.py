"""What every game's own first page and page of rules tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.http import HttpRequest

from leagues.games import Game, Profile
from leagues.queries import boards, leagues, tables
from leagues.ratings import span
from leagues.views.visiting import visitor

TOP: Final = 8
LISTED: Final = 6


def front_of(request: HttpRequest, game: Game) -> dict[str, Any]:
    """Who is strongest, leagues, tables to watch and one's own, the bots to sit down with."""
    lines = boards.site_board(game.key, TOP)
    player = visitor(request)
    return {
        "game": game,
        "lines": lines,
        "span": span([line.shown for line in lines]),
        "leagues": leagues.listed(game.key, LISTED),
        "watchable": tables.to_watch(game.key)[:LISTED],
        "yours": tables.of_player(player, game.key)[:LISTED],
        "bots": game.bots,
        "player": player,
    }


def profiles_of(game: Game) -> list[tuple[Profile, Sequence[str]]]:
    """Every profile with its rules in a few words each."""
    return [(profile, game.describe(profile.options)) for profile in game.profiles]
