"""Template tags used on many pages: icons, suits, form, the bar of a card, glossed terms."""

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
from corridas import addresses, glossary
from corridas.escalafon.queries import ranking
from corridas.glossary import COUNTRIES
from corridas.labels import STOPS
from corridas.results import NAMES
from corridas.results import verdict as verdict_of
from corridas.simulation.breakdowns import SENTENCES, translated
from corridas.stage import charts
from corridas.world import names
from corridas.world.short_names import short_name
from leagues import text as leagues_text

register = template.Library()
register.filter(ordinal)


@cache
def _sprite(sheet: str) -> str:
    return static(f"img/{sheet}.svg")


@register.simple_tag
def address(name: str, circuit: str = "", **parts: object) -> str:
    """Return the address of a page of a circuit: `{% address "plaza" circuit slug=... %}`."""
    return addresses.address(circuit, name, **parts)


@register.simple_tag
def icon(name: str) -> SafeString:
    """Render an icon of the sprite, 24 by 24. It must stand beside a word with the same meaning."""
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
def suit(number: int) -> int:
    return charts.suit(number)


@register.filter
def underlined(number: int) -> int | SafeString:
    """Underline a 6 or a 9: on a card that lies upside down, one would be taken for the other."""
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
    """Render the last ten bulls as columns: height is the verdict, colour the trophy."""
    verdicts_drawn = list(verdicts)[-10:]
    names = ", ".join(NAMES[verdict].lower() for verdict in verdicts_drawn)
    return {"paths": charts.spark_paths(verdicts_drawn), "words": names}


@register.inclusion_tag("corridas/_drawings.html#bar")
def outcome_bar(bands: Sequence[charts.Band], words: str, height: int = 34) -> dict[str, object]:
    return {"bands": bands, "words": words, "height": height, "named": height > 20}


@register.filter
def rate(part: int, whole: int) -> str:
    """Format a ratio with two decimals, or a dash if `whole` is zero.

    `number_format` would truncate instead of rounding.
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
    """Return the “and” between `name`, the last of a list, and those before it. Spanish has two."""
    return leagues_text.and_word(name)


@register.simple_tag
def all_of(*names: object) -> str:
    return leagues_text.join_with_and(names)


@register.simple_tag
def gloss(term: str, wording: str = "") -> SafeString:
    """Explain a term on hover, focus or tap.

    `wording` is its form in the sentence, if that differs from the entry. A term that is not in the
    glossary stays plain.
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
    """Return the page's query string with some parameters changed. An empty value drops one."""
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
    """Return the short name by which a matador is known, for narrow columns.

    What tells him from a namesake stays.
    """
    called, bracket, distinction = name.partition(" (")
    return short_name(called) + bracket + distinction


@register.filter
def plaza_title(plaza: Any) -> str:
    """Return city and name of a plaza, and only one of them where it says both."""
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
def written(day: date | str) -> str:
    """Format a date as far as it is known: a day, a month of a year, or a year alone."""
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
    """Return the days of rest of an injury, first and last included."""
    return int((injury.until - injury.since).days) + 1


@register.filter
def country(code: str) -> str:
    return str(COUNTRIES.get(code, code))


@register.simple_tag
def stopped_by(reason: str) -> str:
    """Return why a run ended: the conditions that were met, or the sentence of its error."""
    if reason in SENTENCES:
        return translated(reason)
    known = {kind: str(words.reason) for kind, words in STOPS.items()}
    known["asked"] = _("stopped on request")
    return ", ".join(known.get(part, part) for part in reason.split(","))
