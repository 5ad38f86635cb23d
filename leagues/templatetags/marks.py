"""A player's mark: shape, colour and letter, so that nobody is told by colour alone."""

from __future__ import annotations

from typing import Any, Final

from django import template

register = template.Library()

MARKS: Final = 6
"""Six shapes and colours; past six players the letter decides."""


@register.inclusion_tag("leagues/_mark.html")
def mark(number: int, name: str = "", small: bool = False) -> dict[str, Any]:
    """The mark of seat or player `number` (from 0) with the first letter of the name."""
    return {"shape": number % MARKS + 1, "letter": name[:1].upper(), "small": small}
