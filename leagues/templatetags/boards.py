"""Template tag that renders the leaderboards on the home page."""

from __future__ import annotations

from typing import Final

from django import template

from leagues.games import games
from leagues.ratings.queries import site_leaderboard

register = template.Library()

TOP: Final = 3


@register.inclusion_tag("leagues/_boards.html#front")
def front_boards() -> dict[str, object]:
    front_games = [game for game in games.all_games() if game.front_page]
    return {"boards": [(game, site_leaderboard(game.key, TOP)) for game in front_games]}
