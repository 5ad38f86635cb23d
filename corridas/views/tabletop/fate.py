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
        return Fate("kept", _("This corrida does not count and is not in any record book."))
    if at.match.state in Match.UNSETTLED:
        return _coming(at)
    return _done(at)


def _done(at: AtCorrida) -> Fate:
    table, league = at.table, at.match.league
    if table and table.circuit and table.filed_at:
        words = {"name": table.circuit.name}
        return Fate("filed", _("This corrida is in the record book of %(name)s.") % words)
    if table and table.circuit:
        said = _(
            "This corrida is kept here but does not count in %(name)s: the director does not "
            "accept corridas played at a table."
        )
        return Fate("kept", said % {"name": table.circuit.name})
    if league:
        return Fate("filed", _("This corrida counts in %(name)s.") % {"name": league.name})
    return Fate(
        "kept",
        _("This corrida is kept here. It was not played for the record book of any circuit."),
    )


def _coming(at: AtCorrida) -> Fate:
    table, league = at.table, at.match.league
    if table is None or table.circuit is None:
        if league:
            return Fate(
                "waits",
                _("Once confirmed, this corrida will count in %(name)s.") % {"name": league.name},
            )
        return Fate(
            "waits",
            _(
                "Once confirmed, this corrida will be kept here. It will not go into the "
                "record book of any circuit."
            ),
        )
    words = {"name": table.circuit.name, "reason": refusal(at.match.pk)}
    if words["reason"]:
        said = _("This corrida can’t be added to %(name)s as it stands. %(reason)s")
        return Fate("refused", said % words)
    if table.given or table.circuit.tables_count:
        return Fate(
            "waits",
            _("Once confirmed, this corrida will go into the record book of %(name)s.") % words,
        )
    said = _(
        "Once confirmed, this corrida will be kept here but will not count: the director of "
        "%(name)s does not accept corridas played at a table."
    )
    return Fate("waits", said % words)
