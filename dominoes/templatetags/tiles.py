"""Template tags of dominoes: the SVG sprite, single tiles, and seats by number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from dominoes.stage import DrawnTile
from dominoes.stage.picture import MAX_DOTTED, pip_symbols
from leagues.models import MatchSeat

register = template.Library()

# Maximum number of rendered tiles cached per process. Each takes about a kilobyte.
CACHE_SIZE: Final = 8192


@register.filter
def units(number: float, more: float = 0) -> str:
    """Format a length in drawing units with a decimal point in every language.

    The number `more` is added to the length first.
    """
    return f"{number + more:g}"


@register.filter
def seat_at(seats: Sequence[MatchSeat], number: int) -> MatchSeat:
    return seats[number]


@register.simple_tag
@cache
def tile_sprite() -> SafeString:
    """Return the SVG symbols of tile bodies and dots.

    Use this tag once per page, before the first tile.
    """
    return render_to_string("dominoes/_tiles.html#sprite", {"symbols": pip_symbols(MAX_DOTTED)})


# Rendered tiles are cached, because the same tiles are drawn again and again on every page.
@register.simple_tag
@lru_cache(CACHE_SIZE)
def tile(drawn: DrawnTile) -> SafeString:
    return render_to_string("dominoes/_tiles.html#tile", {"tile": drawn})


@register.simple_tag
@lru_cache(CACHE_SIZE)
def one_tile(drawn: DrawnTile, small: bool = False) -> SafeString:
    return render_to_string("dominoes/_tiles.html#picture", {"tile": drawn, "small": small})
