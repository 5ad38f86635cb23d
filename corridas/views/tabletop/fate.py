"""What becomes of a corrida that a table handed in: filed where, kept, waiting, or refused."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from corridas.operations.table_book import refusal
from corridas.views.tabletop.at_corrida import AtCorrida
from leagues.models import Match


class Fate(NamedTuple):
    """`kind`: `filed`, `kept`, `waits` or `refused`; `said`: the sentence that tells it."""

    kind: str
    said: str


def fate_of(at: AtCorrida) -> Fate:
    """What has become, or will become, of a corrida that is handed in."""
    if at.match.state == Match.State.VOID:
        return Fate("kept", _("It counts for nothing and stands in no book."))
    if at.match.state in Match.UNSETTLED:
        return _coming(at)
    return _done(at)


def _done(at: AtCorrida) -> Fate:
    table, league = at.table, at.match.league
    if table and table.circuit and table.filed_at:
        words = {"name": table.circuit.name}
        return Fate("filed", _("It stands in the book of %(name)s.") % words)
    if table and table.circuit:
        said = _("Kept here. It does not count in %(name)s: its director lets no table's count.")
        return Fate("kept", said % {"name": table.circuit.name})
    if league:
        return Fate("filed", _("It counts in %(name)s.") % {"name": league.name})
    return Fate("kept", _("Kept here. It was meant for no circuit's book."))


def _coming(at: AtCorrida) -> Fate:
    table, league = at.table, at.match.league
    if table is None or table.circuit is None:
        if league:
            return Fate("waits", _("Confirmed, it counts in %(name)s.") % {"name": league.name})
        return Fate("waits", _("Confirmed, it is kept here; it is meant for no circuit's book."))
    words = {"name": table.circuit.name, "reason": refusal(at.match.pk)}
    if words["reason"]:
        said = _("It cannot be filed in %(name)s as it is. %(reason)s")
        return Fate("refused", said % words)
    if table.given or table.circuit.tables_count:
        return Fate("waits", _("Confirmed, it goes into the book of %(name)s.") % words)
    said = _("Confirmed, it is kept here: the director of %(name)s lets no table's count.")
    return Fate("waits", said % words)
