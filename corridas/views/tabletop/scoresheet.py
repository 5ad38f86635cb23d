"""The scoresheet of one corrida, its names filled in, for who sat there with its code."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from corridas.circuits.queries import SHIPPED
from corridas.engine import BULLS, MATADORS
from corridas.views.imprenta.scoresheet import Block, page_of, sheet_of
from corridas.views.tabletop.at_corrida import AtCorrida, at_corrida
from corridas.views.tabletop.showing import bulls_of
from leagues.views.matches import home_of, key_link, matches_asked_for


@never_cache
@require_safe
def of_match(request: HttpRequest, pk: int) -> HttpResponse:
    """The paper of this corrida."""
    at = at_corrida(request, pk)
    return page_of(request, [_sheet(at)], circuit=at.address or SHIPPED)


@never_cache
@require_safe
def of_matches(request: HttpRequest) -> HttpResponse:
    """The papers of several corridas, one after the other."""
    found = [at_corrida(request, pk) for pk in matches_asked_for(request)]
    return page_of(request, list(map(_sheet, found)), circuit=found[0].address or SHIPPED)


def _sheet(at: AtCorrida) -> dict[str, Any]:
    """What the paper of one corrida is drawn from."""
    names, bulls = at.billings(), bulls_of(at.sheet)
    blocks = [
        Block(turn=turn + 1, matador=name, bull=bulls[turn])
        for turn, name in enumerate((names * (BULLS // MATADORS) or [""] * BULLS)[:BULLS])
    ]
    key = key_link(at.request, at.match, at.player)
    return sheet_of(
        blocks=blocks,
        link=key or at.request.build_absolute_uri(home_of(at.match)),
        plaza=at.sheet.get("plaza"),
        date=at.table.date if at.table else None,
        names=at.names,
    )
