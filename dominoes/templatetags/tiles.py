"""Dominoes drawn: the sprite once a page, a tile wherever one lies."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from dominoes.stage import DrawnTile
from dominoes.stage.picture import MAX_DOTTED, pip_symbols

register = template.Library()

CACHE_SIZE: Final = 8192
"""Drawings of tiles kept in a process; one is a kilobyte."""


@register.filter
def units(number: float, more: float = 0) -> str:
    """A length in the drawing's units, with a point in every language; `more` is added."""
    return f"{number + more:g}"


@register.simple_tag
@cache
def tile_sprite() -> SafeString:
    """Bodies and dots, to be put into a page once, before the first tile."""
    return render_to_string("dominoes/_sprite.html", {"symbols": pip_symbols(MAX_DOTTED)})


# There are few ways in which a tile can lie, and every moment of a table draws a dozen.
@register.simple_tag
@lru_cache(CACHE_SIZE)
def tile(drawn: DrawnTile) -> SafeString:
    """A tile where it lies, inside a drawing."""
    return render_to_string("dominoes/_tile.html", {"tile": drawn})


@register.simple_tag
@lru_cache(CACHE_SIZE)
def one_tile(drawn: DrawnTile, small: bool = False) -> SafeString:
    """A tile as a picture of its own; what it is stands in words beside it."""
    return render_to_string("dominoes/_one.html", {"tile": drawn, "small": small})
