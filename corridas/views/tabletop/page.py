"""A corrida of a table: the form for its lidias; once it is handed in, its ticket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from corridas.views.tabletop.at_corrida import AtCorrida, at_corrida, first_open
from corridas.views.tabletop.deeds import act
from corridas.views.tabletop.fate import fate_of
from corridas.views.tabletop.front import frame
from corridas.views.tabletop.showing import form_context, tabs
from corridas.views.tabletop.writing import Writing, whole
from leagues.views.matches import ticket_context


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
