"""Template tags that draw the town of El Toro. Rendered drawings are cached."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from eltoro.stage.dice import DrawnDie
from eltoro.stage.picture import Backdrop
from eltoro.stage.places import DrawnCard, DrawnPlaza, DrawnSign
from leagues.members.marks import mark_of_seat

register = template.Library()

# Scale of each of the six shapes of dice, so that all shapes fill their cells equally.
BODY_SCALES: Final = ("1.08", ".98", ".96", ".97", ".98", ".98")

# Maximum number of rendered dice cached per process. Each takes about half a kilobyte.
CACHE_SIZE: Final = 4096


@register.simple_tag
@lru_cache(1)
def town_sprite() -> SafeString:
    """Return the SVG symbols of dice, houses and icons.

    Use this tag once per page, before the first map.
    """
    return render_to_string("eltoro/_town.html#sprite", {"bodies": BODY_SCALES})


@register.simple_tag
@lru_cache(128)
def backdrop(drawn: Backdrop) -> SafeString:
    return render_to_string("eltoro/_town.html#backdrop", {"map": drawn})


@register.simple_tag
def town_die(drawn: DrawnDie) -> SafeString:
    """Return the SVG of a die at its position in a drawing."""
    return _die(drawn, drawn.body)


@lru_cache(CACHE_SIZE)
def _die(drawn: DrawnDie, body: int) -> SafeString:
    return render_to_string("eltoro/_town.html#die", {"die": drawn, "body": body})


@register.simple_tag
def one_die(seat: int | None, face: int) -> SafeString:
    """Return a separate SVG of a bull, or of a seat's runner. It has no alternative text."""
    return _mini(None if seat is None else mark_of_seat(seat) + 1, face)


@lru_cache(64)
def _mini(body: int | None, face: int) -> SafeString:
    return render_to_string("eltoro/_town.html#mini", {"body": body, "face": face})


@register.simple_tag
@lru_cache(CACHE_SIZE)
def town_plaza(drawn: DrawnPlaza) -> SafeString:
    return render_to_string("eltoro/_town.html#plaza", {"plaza": drawn})


@register.simple_tag
@lru_cache(CACHE_SIZE)
def town_card(drawn: DrawnCard) -> SafeString:
    return render_to_string("eltoro/_town.html#destination", {"card": drawn})


@register.simple_tag
def town_sign(drawn: DrawnSign) -> SafeString:
    return _sign(drawn, drawn.mark)


@lru_cache(CACHE_SIZE)
def _sign(drawn: DrawnSign, mark: int) -> SafeString:
    return render_to_string("eltoro/_town.html#sign", {"sign": drawn, "mark": mark})
