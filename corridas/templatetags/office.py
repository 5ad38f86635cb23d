"""Template tags of the admin: index page, drawings of cards, and descriptions of changes."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from django import template
from django.utils.translation import gettext as _

from corridas.admin.cards import OUTCOMES, OWN
from corridas.models import Change, MatadorCard
from corridas.roster import queries
from corridas.roster.queries import KINDS
from corridas.stage import charts

register = template.Library()

# Display names of the ranges of a matador's card and of results.
BAND_NAMES = {
    "bronca": "Bronca",
    "pitos": "Pitos",
    "silencio": "Silencio",
    "division": "División",
    "aplausos": "Aplausos",
    "ovacion": "Ovación",
    "oreja": "Oreja",
    "dos_orejas": "Dos orejas",
    "rabo": "Rabo",
    "three_avisos": "Tres avisos",
    "vuelta": "VUELTA",
    "aviso": "AVISO",
    "indulto": "INDULTO",
}


@register.inclusion_tag("admin/index.html#today", takes_context=True)
def corridas_today(context: template.Context) -> dict[str, object]:
    user = context["user"]
    sees = user.has_perm("corridas.view_corrida") or user.has_perm("corridas.change_corrida")
    return {
        "today": queries.today(queries.circuits_of(user)) if sees else None,
        "may_send": user.has_perm("corridas.change_corrida"),
        "may_stop": user.has_perm("corridas.change_run"),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("admin/corridas/_charts.html#hundred")
def hundred(card: MatadorCard) -> dict[str, object]:
    """Return the drawing of a card's trophies and verdicts on one bar from 1 to 100.

    It includes a text alternative.
    """
    bands = [band for name in OUTCOMES if (band := _band(name, getattr(card, name)))]
    texts = (f"{BAND_NAMES[band.name]} {band.text}" for band in bands)
    return {"bands": bands, "words": ", ".join(texts)}


def _band(name: str, text: str) -> charts.Band | None:
    try:
        return charts.band(name, text)
    except ValueError:
        return None


class CardPart(NamedTuple):
    name: str
    label: str
    text: str


@register.filter
def parts(card: MatadorCard) -> list[CardPart]:
    texts = {name: getattr(card, name).replace("-", "–") for name in (*OUTCOMES, *OWN)}
    return [CardPart(name, BAND_NAMES[name], text) for name, text in texts.items()]


@register.filter
def card_of(form: Any) -> MatadorCard:
    values = {name: form.initial.get(name) or "-" for name in (*OUTCOMES, *OWN)}
    return MatadorCard(**values)


@register.simple_tag
def card_fields(form: Any) -> dict[str, object]:
    if "rating" not in form.fields:
        return {}
    return {
        "rating": form["rating"],
        "outcomes": [form[name] for name in OUTCOMES],
        "own": [form[name] for name in OWN],
    }


@register.filter
def spoken(name: str) -> str:
    return BAND_NAMES.get(name, name)


@register.simple_tag
def range_words() -> str:
    texts = {
        "gap": _("No range contains %s."),
        "both": _("The ranges %(one)s and %(other)s both contain %(numbers)s."),
        "none": _("“%s” is not a range. Enter 81-94, 7 or -, for example."),
        "bounds": _("“%s” is not in ascending order from 1 to 100."),
        "fine": _("Every number from 1 to 100 is used once."),
        "keys": _(
            "The up and down arrow keys move the upper end of a range, and the next range with it."
        ),
    }
    return json.dumps(texts | {"names": BAND_NAMES})


class ChangedField(NamedTuple):
    name: str
    before: str
    after: str


@register.filter
def lines(change: Change) -> list[ChangedField]:
    before, after = change.before or {}, change.after or {}
    return [
        ChangedField(_field(change.kind, name), _value(before.get(name)), _value(value))
        for name, value in after.items()
    ]


def _field(kind: str, name: str) -> str:
    model = KINDS.get(kind)
    fields = {field.name: field for field in model._meta.concrete_fields} if model else {}
    return str(fields[name].verbose_name) if name in fields else name


def _value(value: object) -> str:
    if value is None or value == "":
        return "–"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_LENGTH else f"{text[:MAX_LENGTH]} …"


# Maximum number of characters shown of a changed value. The text of a deck, for example, is long.
MAX_LENGTH = 80
