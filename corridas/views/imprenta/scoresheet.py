"""The rulebook's scoresheet on paper: an afternoon on both sides of one sheet of A4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corridas.addresses import address
from corridas.circuits.queries import SHIPPED
from corridas.engine import BULLS, MARKS, STROKES
from corridas.stage.paper import tick_path
from corridas.views.imprenta.pages import circuit_of

A_SIDE: Final = 3
"""Lidias on one side of the paper."""
LOGGED: Final = 80
"""Cards of one lidia that the log has room for; a usual one draws about fifty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The paper of one lidia; names are empty where they are to be written by hand."""

    turn: int
    matador: str = ""
    bull: str = ""


def sheet_of(*, blocks: list[Block], link: str, **more: Any) -> dict[str, Any]:
    """What one sheet is drawn from; `link` is what its code opens."""
    return {"sides": [blocks[:A_SIDE], blocks[A_SIDE:]], "link": link, **more}


def page_of(request: HttpRequest, sheets: list[dict[str, Any]], **more: Any) -> HttpResponse:
    """The page with these sheets."""
    context = {
        "sheets": sheets,
        "log": "log" in request.GET,
        "boxes": range(1, LOGGED + 1),
        "ten": [tick_path(place) for place in range(MARKS)],
        "five": [tick_path(place) for place in range(STROKES)],
        "strokes": range(STROKES),
        **more,
    }
    return render(request, "corridas/imprenta_scoresheet.html", context)


@require_safe
def empty(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """A sheet for any afternoon; its code opens the page on which one is begun."""
    printed = circuit_of(request, circuit)
    link = request.build_absolute_uri(address(circuit, "imprenta"))
    blocks = [Block(turn=turn) for turn in range(1, BULLS + 1)]
    sheets = [sheet_of(blocks=blocks, link=link)]
    return page_of(request, sheets, circuit=circuit, printed=printed)
