"""Template tags for lists such as matadors or bulls: titles, sentences and cells."""

from __future__ import annotations

from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.loader import render_to_string
from django.utils.formats import date_format, number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corridas.addresses import address
from corridas.glossary import COUNTRIES
from corridas.lists.listing import Column
from corridas.models import Bull
from corridas.models.matadors import STYLES
from corridas.stage.charts import suit
from corridas.templatetags import season
from corridas.templatetags.chances import expected, per_cent

register = template.Library()


@register.filter
def style_name(style: str) -> str:
    return str(STYLES.get(style, style))


@register.simple_tag
def short_label(label: str, short: str) -> str:
    """Show the short label, if there is one, and read out the full one."""
    if not short:
        return label
    return format_html(
        '<span aria-hidden="true" title="{0}">{1}</span><span class="hidden-text">{0}</span>',
        label,
        # On a phone, the heading of a column breaks only at the dot.
        " · ".join(part.replace(" ", "\u00a0") for part in short.split(" · ")),
    )


@register.simple_tag
def list_title(name: str) -> str:
    return {
        "matadors": _("Matadors"),
        "herds": _("Ganaderías"),
        "plazas": _("Plazas"),
        "bulls": _("Bulls"),
        "results": _("Results"),
    }[name]


@register.simple_tag
def list_lede(name: str) -> str:
    return {
        "matadors": _(
            "All matadors in the circuit, with the ratings of their cards and the ears that "
            "they have cut."
        ),
        "herds": _(
            "Every herd in the circuit, with its breeding and the numbers of its bulls that "
            "were fought and spared."
        ),
        "plazas": _("Every plaza in the circuit, with its corridas and the ears cut there."),
        "bulls": _("Every bull that has entered the ring, with its matador, outcome and fate."),
        "results": _("Every corrida that is over, with the trophies that each matador won."),
    }[name]


@register.simple_tag
def list_empty(name: str) -> str:
    return {
        "matadors": _("There are no matadors yet."),
        "herds": _("There are no herds yet."),
        "plazas": _("There are no plazas yet."),
        "bulls": _("No bull has been fought yet."),
        "results": _("There are no corrida results yet."),
    }[name]


@register.simple_tag
def list_count(name: str, count: int) -> str:
    text = {
        "matadors": ngettext("%(count)s matador.", "%(count)s matadors.", count),
        "herds": ngettext("%(count)s herd.", "%(count)s herds.", count),
        "plazas": ngettext("%(count)s plaza.", "%(count)s plazas.", count),
        "bulls": ngettext("%(count)s bull.", "%(count)s bulls.", count),
        "results": ngettext("%(count)s corrida.", "%(count)s corridas.", count),
    }[name]
    return text % {"count": intcomma(count)}


@register.simple_tag
def list_cell(row: Any, column: Column, circuit: str) -> SafeString:
    """Render one table cell of a list. The kind of the column decides how its value is drawn."""
    draw = DRAWN.get(column.kind)
    value = getattr(row, column.key)
    if draw is None:
        return _plain(value, column)
    inside = draw(row, value, circuit)
    if column.kind in NAMING:
        return format_html('<th scope="row" class="txt">{}</th>', inside)
    return format_html("<td{}>{}</td>", _class("txt" if column.is_text else ""), inside)


def _class(name: str) -> SafeString:
    return format_html(' class="{}"', name) if name else SafeString("")


def _plain(value: object, column: Column) -> SafeString:
    if value is None or value == "":
        text = "–"
    elif isinstance(value, int):
        text = intcomma(value)
    elif isinstance(value, float):
        text = number_format(round(value, 2), 2)
    else:
        text = str(value)
    name = "txt" if column.is_text else "" if value else "zero"
    return format_html("<td{}>{}</td>", _class(name), text)


def _link(circuit: str, page: str, text: str, **parts: object) -> SafeString:
    return format_html('<a href="{}">{}</a>', address(circuit, page, **parts), text)


def _matador(row: Any, _value: object, circuit: str) -> SafeString:
    marks = []
    if row.state == "retired":
        marks.append(("retired", _("retired")))
    if row.state == "novillero":
        marks.append(("vuelta", _("novillero")))
    if row.hurt_until:
        text = _("injured until %(day)s") % {"day": date_format(row.hurt_until, "j M")}
        marks.append(("herida", text))
    return format_html(
        '<span class="list-who"><label><input type="checkbox" name="m" value="{}">'
        '<span class="hidden-text">{}</span></label>'
        '<a href="{}">{}<span>{}<small>{}</small></span></a></span>{}',
        row.slug,
        _("Compare %(name)s") % {"name": row.name},
        address(circuit, "matador", slug=row.slug),
        season.coat(suit(row.pk)),
        row.name,
        row.birthplace,
        format_html_join("", '<span class="badge {}">{}</span>', marks),
    )


def _herd(row: Any, _value: object, circuit: str) -> SafeString:
    country = COUNTRIES.get(row.country, row.country)
    link = _link(circuit, "herd", row.name, slug=row.slug)
    return format_html("{} <small>{}</small>", link, country)


def _plaza(row: Any, _value: object, circuit: str) -> SafeString:
    link = _link(circuit, "plaza", row.city, slug=row.slug)
    return format_html("{} <small>{}</small>", link, row.name)


def _bull(row: Any, _value: object, circuit: str) -> SafeString:
    number = _("nº %(number)d") % {"number": row.number}
    return format_html("{} <small>{}</small>", _link(circuit, "bull", row.name, pk=row.pk), number)


def _corrida(row: Any, value: Any, circuit: str) -> SafeString:
    day = _link(circuit, "corrida", date_format(value, "j M Y"), pk=row.pk)
    return format_html("{} <small>{}</small>", day, row.plaza)


def _lidia(row: Any, value: Any, circuit: str) -> SafeString:
    if value is None:
        return SafeString("–")
    day = date_format(value, "j M Y")
    link = _link(circuit, "lidia", day, pk=row.corrida, turn=row.turn)
    return format_html("{} <small>{}</small>", link, row.plaza)


def _shares(_row: object, value: Any, circuit: str) -> SafeString:
    pieces = []
    for share in value:
        brought = season.ears(share.ears) if share.ears else ""
        marks = [brought, _("injured") if share.hurt else ""]
        link = _link(circuit, "matador", share.name, slug=share.slug)
        marks_text = ", ".join(mark for mark in marks if mark)
        pieces.append((link, format_html(" <small>{}</small>", marks_text) if marks_text else ""))
    return format_html_join("", '<span class="list-share">{}{}</span>', pieces)


def _verdict(_row: object, value: Any, _circuit: str) -> SafeString:
    return season.verdict(value) if value else SafeString("–")


def _fate(_row: object, value: Any, _circuit: str) -> SafeString:
    return format_html("{}", Bull.State(value).label)


NAMING = {"name", "herd", "plaza", "bull", "corrida"}
DRAWN: dict[str, Any] = {
    "name": _matador,
    "herd": _herd,
    "plaza": _plaza,
    "bull": _bull,
    "corrida": _corrida,
    "lidia": _lidia,
    "shares": _shares,
    "verdict": _verdict,
    "fate": _fate,
    "chance": lambda _row, value, _circuit: per_cent(value),
    "expected": lambda _row, value, _circuit: expected(value),
    "kilos": lambda _row, value, _circuit: format_html("{} kg", value),
    "country": lambda _row, value, _circuit: format_html("{}", COUNTRIES.get(value, value or "–")),
    "style": lambda _row, value, _circuit: format_html("{}", STYLES.get(value, value or "–")),
    "category": lambda _row, value, _circuit: format_html("{}", season.category(value)),
    "day": lambda _row, value, _circuit: date_format(value, "j M Y") if value else "–",
    "herd_link": lambda row, value, circuit: _link(circuit, "herd", value, slug=row.herd_slug),
    "plaza_link": lambda row, value, circuit: _link(circuit, "plaza", value, slug=row.plaza_slug),
    "matador_link": lambda row, value, circuit: (
        _link(circuit, "matador", value, slug=row.matador_slug) if value else "–"
    ),
    "form": lambda _row, value, _circuit: render_to_string(
        "corridas/_drawings.html#spark", season.spark(value)
    ),
}
