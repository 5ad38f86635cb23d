"""Template tag that returns the section of the site to which a page belongs."""

from __future__ import annotations

from typing import Final

from django import template

register = template.Library()

BEHIND: Final = {
    "players": "leagues",
    "matches": "leagues",
    "tables": "leagues",
    "guests": "leagues",
}

OF_A_GAME: Final = {"tables", "matches"}


@register.simple_tag(takes_context=True)
def door(context: template.Context) -> str:
    """Return the section of the site to which the present page belongs.

    Normally this is the first part of its path. Pages of a table or match belong to the section of
    the game, if the game has one, and pages of players and guests to the section of leagues.
    """
    request = context.get("request")
    first = request.path.split("/")[1] if request else ""
    game = context.get("game") or getattr(context.get("table"), "game", None)
    if first in OF_A_GAME and game is not None and game.front_page:
        return str(game.key)
    return BEHIND.get(first, first)
