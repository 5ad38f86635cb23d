"""Template tags of the live page: fragments of the ring, badges, and the story with explained
terms.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from accounts.wording import active_language
from core.names.text import fold_case_and_accents
from corridas import addresses
from corridas.results import NAMES
from corridas.stage import phrasebook
from corridas.stage.story import StoryLine
from corridas.stage.table import signed
from corridas.stage.trophies import Badge
from corridas.templatetags.season import gloss, icon
from corridas.world.broadcast import Address
from corridas.world.names import plaza_title
from live.sse import one_line

register = template.Library()

# Maximum number of rendered template parts cached per process. Each takes about a kilobyte, and a
# broadcast uses about fifty at a time in each language.
CACHED_PARTS: Final = 2048

STYLES: Final[Mapping[str, tuple[str, str, str]]] = {
    "ear": ("ear", "ear", "Oreja"),
    "two": ("two", "two", "Dos orejas"),
    "tail": ("tail", "tail", "Rabo"),
    "vuelta": ("vuelta", "vuelta", "Vuelta"),
    "aviso": ("aviso", "aviso", "Aviso"),
    "indulto": ("indulto", "indulto", "Indulto"),
    "herida": ("herida", "herida", ""),
    "bronca": ("bad", "", NAMES["bronca"]),
}


@register.simple_tag
def badge(result: Badge) -> SafeString:
    style, sign, word = STYLES.get(result.name, ("", "", NAMES.get(result.name, "")))
    if result.name == "herida":
        word = gettext("Herida")
    count = format_html("<b>{}</b>", result.count) if result.count > 1 else SafeString("")
    picture = icon(sign) if sign else SafeString("")
    words = f"{word}s" if result.count > 1 else word
    html = '<span class="badge {}" lang="es">{}{}<span class="w">{}</span></span>'
    return format_html(html, style, picture, count, words)


@register.simple_tag
def part(template: str, **context: Hashable) -> SafeString:
    """Render a fragment of the live page.

    The HTML depends only on the arguments, so it is cached and used for all moments of the
    broadcast with the same arguments.
    """
    return _part(template, active_language(), **context)


@register.simple_tag
def parts(template: str, items: Iterable[Hashable], **context: Hashable) -> SafeString:
    """Render a fragment of the live page for each item.

    The name after `#` in the template is the variable that contains the item: `row` in
    `_sheet.html#row`.
    """
    language, name = active_language(), template.rpartition("#")[2]
    rendered = [_part(template, language, **{name: item}, **context) for item in items]
    return mark_safe("\n".join(rendered))  # noqa: S308 - rendered by a template


# The function uses the active language. The parameter only makes it part of the cache key.
@lru_cache(CACHED_PARTS)
def _part(template: str, _language: str, **context: Hashable) -> SafeString:
    rendered = one_line(render_to_string(template, context))  # as the live feed sends it
    return mark_safe(rendered)  # noqa: S308 - rendered by a template


@register.simple_tag
def words(line: StoryLine) -> SafeString:
    return _words(line.text, active_language())


@lru_cache(256)
def _words(text: str, _language: str) -> SafeString:
    pieces = [
        gloss(piece) if term else format_html("{}", piece) for piece, term in phrasebook.parts(text)
    ]
    return mark_safe("".join(pieces))  # noqa: S308 - every piece is escaped above


@register.simple_tag
@lru_cache(256)
def card_url(circuit: str, corrida: int, turn: int, card: int) -> str:
    return addresses.address(circuit, "card", pk=corrida, turn=turn, card=card)


@register.simple_tag
def moment_url(circuit: str, corrida: int, moment: Address | None) -> str:
    return "" if moment is None else card_url(circuit, corrida, *moment)


@register.filter(name="signed")
def signed_filter(number: int) -> str:
    return signed(number)


@register.filter
def bulls_own(number: int | None) -> str:
    return "" if number is None else f"B{number}".replace("-", "−")


@register.filter
def times(count: int) -> range:
    return range(count)


# Coats that have a colour of their own in the style sheet. All other coats are drawn black.
COATS: Final = (
    *("berrendo", "burraco", "sardo", "cardeno", "salinero", "castano", "tostado"),
    *("colorado", "jijon", "melocoton", "ensabanado", "albahio", "jabonero"),
)


@register.filter
def coat_style(coat: str) -> str:
    spelled = fold_case_and_accents(coat)
    return next((f"c-{name}" for name in COATS if name in spelled), "")


class PosterTitle(NamedTuple):
    """The two lines about a plaza on a poster.

    `small` is the city, or empty if the plaza is named after its city. `big` is the name of the
    plaza, or else the city.
    """

    small: str
    big: str


@register.filter
def poster_title(plaza: Any) -> PosterTitle:
    city, name = plaza_title(plaza.city, plaza.name)
    return PosterTitle(small=city if name else "", big=name or city)


# Number of letters of a word or name from which the poster uses smaller lettering.
LONG_WORD, LONGER_WORD, LONG_NAME = 8, 14, 22


@register.filter
def lettering(name: str) -> str:
    """Return the CSS class for the length of a plaza's name on the poster.

    It is empty, `long` or `longer`.
    """
    longest = max(map(len, name.split()), default=0)
    if longest > LONGER_WORD or len(name) > LONG_NAME:
        return "longer"
    return "long" if longest > LONG_WORD else ""
