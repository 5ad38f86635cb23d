"""Fields of the scoresheet on screen."""

from __future__ import annotations

from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from corridas.views.tabletop.writing import Writing

register = template.Library()

FIELD: Final = (
    '<input type="text" name="{}" value="{}" aria-label="{}" data-side="{}" '
    'autocomplete="off" maxlength="80">'
)


@register.simple_tag
def typed_points(writing: Writing, tercio: str, side: int) -> SafeString:
    """The field for the points of a side (matador 0, bull 1) in a tercio (0-2)."""
    name = f"p-{tercio}-{side}"
    words = {"tercio": int(tercio) + 1}
    label = (_("Bull, tercio %(tercio)s") if side else _("Matador, tercio %(tercio)s")) % words
    return format_html(FIELD, name, writing.typed.get(name, ""), label, side)


@register.filter
def typed_hurt(writing: Writing, place: int) -> bool:
    """Whether the matador of this place of appearance is said to be hurt."""
    return bool(writing.typed.get(f"hurt-{place}"))
