"""Which of the site's doors a page lies behind."""

from __future__ import annotations

from typing import Any, Final

from django import template

register = template.Library()

BEHIND: Final = {
    "players": "leagues",
    "matches": "leagues",
    "tables": "leagues",
    "guests": "leagues",
}


@register.simple_tag(takes_context=True)
def door(context: dict[str, Any]) -> str:
    """The first part of the page's address, or the door that part lies behind."""
    request = context.get("request")
    first = request.path.split("/")[1] if request else ""
    return BEHIND.get(first, first)
