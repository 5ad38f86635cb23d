"""The town drawn: what lies the same from moment to moment is rendered once."""

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

BODY_SCALES: Final = ("1.08", ".98", ".96", ".97", ".98", ".98")
"""By how much each of the six marks is enlarged, so that all dice fill their cells alike."""

CACHE_SIZE: Final = 4096
"""Drawings of dice, plazas, cards and signs kept in a process; one is half a kilobyte."""


@register.simple_tag
@lru_cache(1)
def town_sprite() -> SafeString:
    """Dice, houses and icons, to be put into a page once, before the first map."""
    return render_to_string("eltoro/_town_sprite.html", {"bodies": BODY_SCALES})


@register.simple_tag
@lru_cache(128)
def backdrop(drawn: Backdrop) -> SafeString:
    """The country, the streets and the houses."""
    return render_to_string("eltoro/_backdrop.html", {"map": drawn})


@register.simple_tag
def town_die(drawn: DrawnDie) -> SafeString:
    """A die where it lies, inside a drawing."""
    return _die(drawn, drawn.body)


@lru_cache(CACHE_SIZE)
def _die(drawn: DrawnDie, body: int) -> SafeString:
    return render_to_string("eltoro/_die.html", {"die": drawn, "body": body})


@register.simple_tag
def one_die(seat: int | None, face: int) -> SafeString:
    """A die as a picture of its own: a bull, or a runner of a seat; words stand beside it."""
    return _mini(None if seat is None else mark_of_seat(seat) + 1, face)


@lru_cache(64)
def _mini(body: int | None, face: int) -> SafeString:
    return render_to_string("eltoro/_mini.html", {"body": body, "face": face})


@register.simple_tag
@lru_cache(CACHE_SIZE)
def town_plaza(drawn: DrawnPlaza) -> SafeString:
    """A roundabout or a plaza."""
    return render_to_string("eltoro/_plaza.html", {"plaza": drawn})


@register.simple_tag
@lru_cache(CACHE_SIZE)
def town_card(drawn: DrawnCard) -> SafeString:
    """A destination."""
    return render_to_string("eltoro/_destination.html", {"card": drawn})


@register.simple_tag
def town_sign(drawn: DrawnSign) -> SafeString:
    """A path sign with its token."""
    return _sign(drawn, drawn.mark)


@lru_cache(CACHE_SIZE)
def _sign(drawn: DrawnSign, mark: int) -> SafeString:
    return render_to_string("eltoro/_sign.html", {"sign": drawn, "mark": mark})
