"""Who leads at the tables, for the site's first page."""

from __future__ import annotations

from typing import Any, Final

from django import template

from leagues.games import games
from leagues.ratings.queries import site_leaderboard

register = template.Library()

TOP: Final = 3


@register.inclusion_tag("leagues/_front.html")
def front_boards() -> dict[str, Any]:
    """The first three of every game's leaderboard; one query a game."""
    shown = [game for game in games.all() if game.front_page]
    return {"boards": [(game, site_leaderboard(game.key, TOP)) for game in shown]}
