"""What only the live page draws: badges of results, told words with their terms explained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from corridas.queries.verdicts import NAMES
from corridas.stage.table import signed
from corridas.stage.trophies import Badge
from corridas.story import Told
from corridas.templatetags.season import gloss, icon
from corridas.world.broadcast import Address

register = template.Library()

STYLES: Final[Mapping[str, tuple[str, str, str]]] = {
    "ear": ("ear", "ear", "Oreja"),
    "two": ("two", "two", "Dos orejas"),
    "tail": ("tail", "tail", "Rabo"),
    "vuelta": ("vuelta", "vuelta", "Vuelta"),
    "aviso": ("aviso", "aviso", "Aviso"),
    "indulto": ("indulto", "indulto", "Indulto"),
    "herida": ("herida", "herida", "Herida"),
    "bronca": ("bad", "", NAMES["bronca"]),
}


@register.filter
def badge(result: Badge) -> SafeString:
    """A result in its colour, with its icon and its word in Spanish."""
    style, sign, word = STYLES.get(result.name, ("", "", NAMES.get(result.name, "")))
    counted = f"{result.count} avisos" if result.count > 1 else word
    picture = icon(sign) if sign else SafeString("")
    return format_html(
        '<span class="badge {}" lang="es">{}<span class="w">{}</span></span>',
        style,
        picture,
        counted,
    )


@register.filter
def words(told: Told) -> SafeString:
    """A line of the story, its terms explained on hover, focus or tap."""
    pieces = [gloss(text) if term else format_html("{}", text) for text, term in told.parts]
    return mark_safe("".join(pieces))  # noqa: S308 - every piece is escaped above


@register.simple_tag
def moment_url(corrida: int, address: Address | None) -> str:
    """The address of a moment; empty where there is none."""
    return reverse("card", args=(corrida, *address)) if address else ""


@register.filter(name="signed")
def signed_filter(number: int) -> str:
    """A number with its sign."""
    return signed(number)


@register.filter
def bulls_own(number: int | None) -> str:
    """The bull's points, which carry a B."""
    return "" if number is None else f"B{number}".replace("-", "−")


@register.filter
def times(count: int) -> range:
    """As many turns of a loop."""
    return range(count)
