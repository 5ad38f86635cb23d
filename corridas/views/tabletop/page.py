"""A corrida of a table: the form for its lidias; once it is handed in, its ticket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from corridas.operations.table_book import refusal
from corridas.views.tabletop.at_corrida import AtCorrida, at_corrida, first_open
from corridas.views.tabletop.deeds import act
from corridas.views.tabletop.front import frame
from corridas.views.tabletop.showing import form_context, tabs
from corridas.views.tabletop.writing import Writing, whole
from leagues.models import Match
from leagues.views.matches import ticket_context


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


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """The lidia that is open; without leave to write, what was handed in."""
    at = at_corrida(request, pk)
    if at.may_write and not at.framed:
        return frame(request, at)
    if request.method == "POST":
        answered = act(at)
        if answered is None:
            return render(request, "corridas/_tabletop_answer.html", form_context(at, at.writing))
        pressed_by_htmx = "HX-Request" in request.headers and not at.previewing
        at = at_corrida(request, pk)
        if not (pressed_by_htmx and at.may_write):
            return answered
        context = form_context(at, at.writing) | {"fragment": True}
        return render(request, "corridas/_tabletop_lidia.html", context)
    if not at.may_write:
        return render(request, "corridas/tabletop_handed_in.html", _handed_in(at))
    return render(request, "corridas/tabletop.html", form_context(at, _opened(at)))


def _opened(at: AtCorrida) -> Writing:
    """The lidia asked for, else the one this browser was at, else the first still to come."""
    writing = at.writing
    turn = whole(at.request.GET.get("bull", ""))
    if turn is not None and 1 <= turn <= 6 and turn - 1 != writing.turn:
        writing.open(turn - 1)
        at.keep(writing)
        return at.writing
    if "writing" not in at.kept:
        writing.open(first_open(at.judged(at.content)))
        at.keep(writing)
        return at.writing
    return writing


def _handed_in(at: AtCorrida) -> dict[str, Any]:
    """The ticket, and what every lidia came to."""
    reading, names = at.judged(), at.billings()
    return {
        "at": at,
        "tabs": tabs(at.sheet, reading, names),
        "names": names,
        "reading": reading,
        "fate": fate_of(at),
        "leads": _leads(at, names, reading.leads),
        **ticket_context(at.request, at.match, at.player),
    }


def _leads(at: AtCorrida, names: Sequence[str], leads: tuple[int, ...]) -> list[tuple[str, str]]:
    """Matador and who led him, by place of appearance."""
    return [
        (name, at.names[seat] if seat < at.players else "")
        for name, seat in zip(names, leads, strict=False)
    ]
