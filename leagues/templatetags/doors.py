"""The section of the site that a page belongs to."""

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
    """Return the first part of the page's path, or the section it belongs to.

    Tables and matches belong to the section of their game, if it has one.
    """
    request = context.get("request")
    first = request.path.split("/")[1] if request else ""
    game = context.get("game") or getattr(context.get("table"), "game", None)
    if first in OF_A_GAME and game is not None and game.front_page:
        return str(game.key)
    return BEHIND.get(first, first)
