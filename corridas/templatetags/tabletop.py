"""Template tags for the scoresheet on screen, used for corridas at real tables."""

from __future__ import annotations

from collections import Counter
from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from corridas.models import Corrida, TableCorrida
from corridas.pages.tabletop.entry import Writing
from corridas.tabletop.queries import AtTables

register = template.Library()

STRONGEST_FIRST: Final = tuple(reversed(TableCorrida.Evidence.values))

FIELD: Final = (
    '<input type="text" name="{}" value="{}" aria-label="{}" data-side="{}" '
    'autocomplete="off" maxlength="80">'
)


@register.simple_tag
def typed_points(writing: Writing, tercio: str, side: int) -> SafeString:
    """Render the input for the points of a side in a tercio.

    `side` is 0 for the matador and 1 for the bull. `tercio` is 0-2.
    """
    name = f"p-{tercio}-{side}"
    words = {"tercio": int(tercio) + 1}
    label = (
        _("Bull’s points, tercio %(tercio)s") if side else _("Matador, tercio %(tercio)s")
    ) % words
    return format_html(FIELD, name, writing.typed.get(name, ""), label, side)


@register.inclusion_tag("corridas/_tabletop.html#counted")
def from_tables(at_tables: AtTables, circuit: str = "") -> dict[str, object]:
    counted = dict.fromkeys(TableCorrida.Evidence.values, 0) | dict(at_tables.corridas)
    return {"count": at_tables.corridas.total(), "counted": counted, "circuit": circuit}


@register.inclusion_tag("corridas/_tabletop.html#share")
def table_share(counted: Counter[str] | None) -> dict[str, object]:
    by_evidence = counted or Counter()
    evidence = [(kind, by_evidence[kind]) for kind in STRONGEST_FIRST if by_evidence[kind]]
    return {"count": by_evidence.total(), "evidence": evidence}


@register.inclusion_tag("corridas/_tabletop.html#mark")
def table_mark(corrida: Corrida) -> dict[str, object]:
    if corrida.origin != Corrida.Origin.TABLE:
        return {"table": None}
    rows = TableCorrida.objects.select_related("match__entered_by", "match__confirmed_by")
    return {"table": rows.filter(corrida=corrida).first()}


@register.filter
def typed_hurt(writing: Writing, place: int) -> bool:
    """Return whether the form marks the matador at this place of appearance as injured."""
    return bool(writing.typed.get(f"hurt-{place}"))


@register.filter
def minus(points: int) -> str:
    """Format a number with a true minus sign (U+2212), which is as wide as a plus sign."""
    return str(points).replace("-", "−")
