"""A played corrida whose stored cards do not replay: its bill, its results, its seal."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from corridas.models import Corrida
from corridas.queries import live
from corridas.views.at_table import written


def page(request: HttpRequest, found: Corrida, status: int) -> HttpResponse:
    """What its rows tell without a card, and that this is all there is for now."""
    over, sealed = found.is_over, found.origin == Corrida.Origin.HERE
    told = written(found)
    context = told | {
        "bulls": told["bulls"] or [(None, bull) for bull in live.encierro(found)],
        "drawn": bool(told["bulls"]),
        "over": over,
        "commitment": bytes(found.cartel.commitment).hex() if sealed else "",
        "seed": bytes(found.cartel.seed).hex() if sealed and over else "",
    }
    return render(request, "corridas/corrida_unread.html", context, status=status)
