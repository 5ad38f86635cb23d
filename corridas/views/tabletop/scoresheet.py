"""The scoresheet of one corrida, its names filled in, for who sat there with its code."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from corridas.engine import BULLS, MATADORS
from corridas.queries.circuit import SHIPPED
from corridas.views.imprenta.scoresheet import Block, context_of
from corridas.views.tabletop.at_corrida import at_corrida
from corridas.views.tabletop.showing import bulls_of
from leagues.views.matches import home_of, key_link


@never_cache
@require_safe
def of_match(request: HttpRequest, pk: int) -> HttpResponse:
    """The paper of this corrida."""
    at = at_corrida(request, pk)
    names, bulls = at.billings(), bulls_of(at.sheet)
    blocks = [
        Block(turn=turn + 1, matador=name, bull=bulls[turn])
        for turn, name in enumerate((names * (BULLS // MATADORS) or [""] * BULLS)[:BULLS])
    ]
    key = key_link(request, at.match, at.player)
    context = context_of(
        request,
        blocks=blocks,
        link=key or request.build_absolute_uri(home_of(at.match)),
        circuit=at.address or SHIPPED,
        plaza=at.sheet.get("plaza"),
        date=at.table.date if at.table else None,
    )
    return render(request, "corridas/imprenta_scoresheet.html", context)
