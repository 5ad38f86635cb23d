"""Dominoes drawn: the sprite once a page, a tile wherever one lies."""

from __future__ import annotations

from typing import Any

from django import template

from dominoes.engine import Rules, domino_set
from dominoes.stage import Drawn, one
from dominoes.stage.pips import DOTTED, symbols

register = template.Library()


@register.filter
def units(number: float, more: float = 0) -> str:
    """A length in the drawing's units, with a point in every language; `more` is added."""
    return f"{number + more:g}"


@register.inclusion_tag("dominoes/_sprite.html")
def tile_sprite() -> dict[str, Any]:
    """Bodies and dots, to be put into a page once, before the first tile."""
    return {"symbols": symbols(DOTTED)}


@register.inclusion_tag("dominoes/_tile.html")
def tile(drawn: Drawn) -> dict[str, Any]:
    """A tile where it lies, inside a drawing."""
    return {"tile": drawn}


@register.inclusion_tag("dominoes/_one.html")
def one_tile(drawn: Drawn, small: bool = False) -> dict[str, Any]:
    """A tile as a picture of its own; what it is stands in words beside it."""
    return {"tile": drawn, "small": small}


@register.inclusion_tag("dominoes/_tile.html")
def matador_tile(first: int, second: int) -> dict[str, Any]:
    """A matador of the double-six set, upright, for emblems."""
    return {"tile": one(Rules(), domino_set(Rules().highest).index(first, second))}
