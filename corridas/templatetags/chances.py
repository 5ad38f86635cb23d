"""Template tags for the chances of matadors' cards."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.forms import BaseForm
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _

from corridas.card_chances import card_columns, scores_of, why_missing
from corridas.engine import RANGES
from corridas.models import Matador, MatadorCard
from corridas.templatetags.season import category
from corridas.world.chances import CATEGORIES

register = template.Library()


class ChanceLine(NamedTuple):
    """A figure of a card, with its texts for plazas of the three categories."""

    name: str
    label: str
    texts: list[str]


@register.filter
def per_cent(share: float | None) -> str:
    """Format a probability from 0 to 1 as whole per cent, or return a dash if there is none."""
    if share is None:
        return "–"
    # Half per cents are rounded up. `floatformat` would take a tenth of the time of a list.
    return _("%(number)s %%") % {"number": int(100 * share + 0.5)}


@register.filter
def expected(number: float | None) -> str:
    """Format an expected number with two decimals, or return a dash if there is none."""
    return "–" if number is None else floatformat(number, 2)


@register.filter
def chance_lines(card: MatadorCard) -> list[ChanceLine]:
    """Return the lines of the table with the chances of a card, none if they are missing."""
    if any(card.chances(of) is None for of in CATEGORIES):
        return []
    labels = {
        "ear": (_("An ear"), per_cent),
        "two_ears": (_("Two ears"), per_cent),
        "lap": (_("A lap"), per_cent),
        "ears": (_("Ears per bull"), expected),
    }
    return [
        ChanceLine(name, label, [form(getattr(card, f"{name}_{of}")) for of in CATEGORIES])
        for name, (label, form) in labels.items()
    ]


@register.inclusion_tag("corridas/_chances.html")
def card_chances(card: MatadorCard, matador: Matador) -> dict[str, object]:
    """Render the chances of a card of a matador, or a sentence that says why they are missing."""
    lines = chance_lines(card)
    # Without chances the circuit is loaded for the sentence.
    return _table(lines, "" if lines else why_missing(matador.circuit, card))


@register.inclusion_tag("corridas/_chances.html")
def typed_chances(form: BaseForm, matador: Matador) -> dict[str, object]:
    """Render the chances of a card in a form, calculated from the circuit's score counts.

    Nothing is rendered for ranges that are not valid.
    """
    if not matador.circuit_id:
        return _table([])
    card = MatadorCard(**{name: form[name].value() or "-" for name in RANGES})
    counts = scores_of(matador.circuit)
    for name, value in card_columns(card, counts).items():
        setattr(card, name, value)
    return _table(chance_lines(card), "" if counts else why_missing(matador.circuit))


def _table(lines: list[ChanceLine], missing: str = "") -> dict[str, object]:
    categories = [category(of) for of in CATEGORIES]
    return {"lines": lines, "categories": categories, "missing": missing}
