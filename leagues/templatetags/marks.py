"""A player's mark: shape, colour and letter, so that nobody is told by colour alone."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

register = template.Library()

MARKS: Final = 6
"""Six shapes and colours; past six players the letter decides."""


@register.simple_tag
def mark(number: int, name: str = "", small: bool = False) -> SafeString:
    """The mark of seat or player `number` (from 0) with the first letter of the name."""
    return _drawn(shape(number), name[:1].upper(), small)


@register.filter
def shape(number: int) -> int:
    """Which of the marks seat or player `number` (from 0) has, from 1: `mk-1` is its class."""
    return number % MARKS + 1


@register.simple_tag
@cache
def dot(number: int) -> SafeString:
    """The same mark without a letter, inside a drawing."""
    return render_to_string("leagues/_mark_small.html", {"shape": shape(number)})


@lru_cache(1024)
def _drawn(shape: int, letter: str, small: bool) -> SafeString:
    """Few marks, and many on every page."""
    context = {"shape": shape, "letter": letter, "small": small}
    return render_to_string("leagues/_mark.html", context)
