"""A player's mark: shape, colour and letter, so that nobody is told by colour alone."""

from __future__ import annotations

from functools import lru_cache
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
    return _drawn(number % MARKS + 1, name[:1].upper(), small)


@lru_cache(1024)
def _drawn(shape: int, letter: str, small: bool) -> SafeString:
    """Few marks, and many on every page."""
    context = {"shape": shape, "letter": letter, "small": small}
    return render_to_string("leagues/_mark.html", context)
