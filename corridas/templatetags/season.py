"""Template tags used on many pages: icons, suits, form, ranges of cards as bars, known terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.defaultfilters import floatformat
from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.wording import active_language, ordinal
from corridas import addresses, chance_text, glossary
from corridas.escalafon.queries import ranking
from corridas.glossary import COUNTRIES
from corridas.labels import HOUSES, STOPS
from corridas.results import NAMES
from corridas.results import verdict as verdict_of
from corridas.simulation.breakdowns import SENTENCES, translated
from corridas.stage import charts
from corridas.world import names
from corridas.world.short_names import short_name
from leagues import text as leagues_text

register = template.Library()
register.filter(ordinal)
register.filter(chance_text.percent)
register.filter(chance_text.decimals)


@cache
def _sprite(sheet: str) -> str:
    return static(f"img/{sheet}.svg")


@register.simple_tag
def address(name: str, circuit: str = "", **parts: object) -> str:
    """Return the URL of a page of a circuit: `{% address "plaza" circuit slug=... %}`."""
    return addresses.address(circuit, name, **parts)


@register.simple_tag
def icon(name: str) -> SafeString:
    """Render an SVG icon of 24 by 24 pixels from the sprite.

    It is hidden from screen readers, so it needs a word with the same meaning beside it.
    """
    return format_html(
        '<svg class="i" aria-hidden="true"><use href="{}#i-{}"/></svg>', _sprite("icons"), name
    )


@register.simple_tag
def art(name: str) -> str:
    return f"{_sprite('art')}#{name}"


@register.simple_tag
def coat(suit: int) -> SafeString:
    return format_html(
        '<svg class="coat m-{}" viewBox="0 0 24 24" aria-hidden="true"><use href="{}"/></svg>',
        suit,
        art("coat"),
    )


@register.filter
def house(word: str) -> str:
    """Return how full a plaza is, from a key of `labels.HOUSES`."""
    return str(HOUSES[word])


@register.filter
def suit(number: int) -> int:
    return charts.suit(number)


@register.filter
def underlined(number: int) -> int | SafeString:
    """Underline a 6 or a 9, because these digits look alike on a card that lies upside down."""
    return format_html("<u>{}</u>", number) if number in {6, 9} else number


@register.simple_tag
def verdict(name: str) -> SafeString:
    style, sign = BADGES.get(name, ("", ""))
    picture = icon(sign) if sign else SafeString("")
    return format_html('<span class="badge {}" lang="es">{}{}</span>', style, picture, NAMES[name])


BADGES: Mapping[str, tuple[str, str]] = {
    "oreja": ("ear", "ear"),
    "dos": ("two", "two"),
    "rabo": ("tail", "tail"),
    "bronca": ("bad", ""),
}


@register.inclusion_tag("corridas/_drawings.html#spark")
def spark(verdicts: Sequence[str]) -> dict[str, object]:
    """Render the last ten bulls of a matador as a small chart.

    The height of a column is the verdict, its colour the trophy.
    """
    verdicts_drawn = list(verdicts)[-10:]
    names = ", ".join(NAMES[verdict].lower() for verdict in verdicts_drawn)
    return {"paths": charts.spark_paths(verdicts_drawn), "words": names}


@register.inclusion_tag("corridas/_drawings.html#bar")
def outcome_bar(bands: Sequence[charts.Band], words: str, height: int = 34) -> dict[str, object]:
    return {"bands": bands, "words": words, "height": height, "named": height > 20}


@register.filter
def rate(part: int, whole: int) -> str:
    """Format a ratio with two decimals, or return a dash if `whole` is zero.

    `number_format` is not used because it truncates instead of rounding.
    """
    return floatformat(part / whole, 2) if whole else "–"


@register.simple_tag
def ears(count: int) -> str:
    return ngettext("%(count)s ear", "%(count)s ears", count) % {"count": intcomma(count)}


@register.simple_tag
def corridas(count: int) -> str:
    return ngettext("%(count)s corrida", "%(count)s corridas", count) % {"count": intcomma(count)}


@register.simple_tag
def and_before(name: object) -> str:
    """Return the word “and” before `name`, the last name of a list.

    In Spanish it is *y* or *e*, depending on the name.
    """
    return leagues_text.and_word(name)


@register.simple_tag
def all_of(*names: object) -> str:
    return leagues_text.join_with_and(names)


@register.simple_tag
def gloss(term: str, wording: str = "") -> SafeString:
    """Render a Spanish term with its explanation from the glossary.

    The explanation appears on hover, focus or tap. `wording` is the form of the term in the
    sentence, if it differs from the glossary entry. A term that is not in the glossary has no
    explanation.
    """
    meaning = glossary.meaning(term, active_language())
    word = wording or term
    if meaning is None:
        return format_html('<span lang="es">{}</span>', word)
    return format_html(
        '<dfn tabindex="0" data-gloss="{}: {}"><span lang="es">{}</span></dfn>',
        term,
        meaning,
        word,
    )


@register.simple_tag
def category(number: int) -> str:
    return {1: _("1st category"), 2: _("2nd category"), 3: _("3rd category")}[number]


@register.filter
def nth(number: int) -> str:
    return {
        1: pgettext("category of a plaza", "1st"),
        2: pgettext("category of a plaza", "2nd"),
        3: pgettext("category of a plaza", "3rd"),
    }[number]


@register.simple_tag(takes_context=True)
def query(context: template.Context, **changes: object) -> str:
    """Return the query string of the page with some parameters changed.

    A parameter with an empty value is removed.
    """
    parts = context["request"].GET.copy()
    for name, value in changes.items():
        parts.pop(name, None)
        if value not in {None, ""}:
            parts[name] = str(value)
    return "?" + parts.urlencode() if parts else str(context["request"].path)


@register.filter
def called(name: str) -> str:
    return NAMES[name]


@register.filter
def size(number: int) -> int:
    return abs(number)


@register.simple_tag(takes_context=True)
def follow(context: template.Context, slug: str, followed: Sequence[str]) -> str:
    others = [name for name in followed if name != slug]
    return query(context, follow=",".join(others if slug in followed else [*others, slug]))


@register.filter
def surname(name: str) -> str:
    """Return the short name of a matador, for narrow columns.

    The addition that distinguishes him from another matador of the same name is included.
    """
    called, bracket, distinction = name.partition(" (")
    return short_name(called) + bracket + distinction


@register.filter
def plaza_title(plaza: Any) -> str:
    """Return city and name of a plaza, or only one of them if the name contains the city."""
    return ", ".join(filter(None, names.plaza_title(plaza.city, plaza.name)))


@register.filter
def plaza_in_sentence(plaza: Any) -> str:
    return names.plaza_in_sentence(plaza.city, plaza.name)


@register.filter
def alone(band: charts.Band) -> list[charts.Band]:
    return [band]


@register.filter
def outcome(lidia: Any) -> str | None:
    return verdict_of(lidia.trophy, lidia.crowd)


@register.filter
def incomplete_date(day: date | str) -> str:
    """Format a date that may be incomplete: a day, a month and year, or a year."""
    if isinstance(day, date):
        return date_format(day, "j F Y")
    year, month, number = (*day.split("-"), "", "")[:3]
    if not month:
        return year
    known = date(int(year), int(month), int(number or 1))
    return date_format(known, "j F Y" if number else "F Y")


@register.simple_tag
def sprite(name: str) -> str:
    return f"{_sprite('icons')}#{name}"


@register.filter
def coat_colour(coat_name: str) -> str:
    return glossary.coat_colour(coat_name)


@register.filter
def short(name: str) -> str:
    return ranking.short(name)


@register.filter
def days_out(injury: Any) -> int:
    """Return the number of days for which an injury lasts, including the first and the last."""
    return int((injury.until - injury.since).days) + 1


@register.filter
def country(code: str) -> str:
    return str(COUNTRIES.get(code, code))


@register.simple_tag
def stopped_by(reason: str) -> str:
    """Return why a run (simulation of a season) ended.

    These are the stop conditions that were met, or the message of the error.
    """
    if reason in SENTENCES:
        return translated(reason)
    known = {kind: str(words.reason) for kind, words in STOPS.items()}
    known["asked"] = _("stopped on request")
    return ", ".join(known.get(part, part) for part in reason.split(","))
