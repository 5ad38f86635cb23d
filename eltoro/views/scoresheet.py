"""The scoresheet to be printed: empty, or of a match, with the code that opens its form."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from eltoro.engine import PROFILES, Rules
from eltoro.game import describe
from eltoro.views.at_match import AtMatch, at_match
from eltoro.views.gallery import destinations
from leagues.matches.views.matches import key_link, requested_matches

SEATS: Final = 4
LAID: Final = 5


@require_safe
def empty(request: HttpRequest) -> HttpResponse:
    """A sheet for any table of up to four."""
    rules = PROFILES["el-toro"]
    return _page(request, [_context(rules, [""] * SEATS, [])])


@require_safe
def of_match(request: HttpRequest, pk: int) -> HttpResponse:
    """The sheet of one match."""
    return _page(request, [_sheet(request, pk)])


@never_cache
@require_safe
def of_matches(request: HttpRequest) -> HttpResponse:
    """The sheets of several matches, a page each."""
    return _page(request, [_sheet(request, pk) for pk in requested_matches(request)])


def _page(request: HttpRequest, sheets: list[dict[str, Any]]) -> HttpResponse:
    return render(request, "eltoro/scoresheet.html", {"sheets": sheets})


def _sheet(request: HttpRequest, pk: int) -> dict[str, Any]:
    """Of one match: its players, what is written so far, for who sat there its code."""
    at = at_match(request, pk)
    link = key_link(request, at.match, at.player)
    return _context(at.rules, at.names, _written(at)) | {"match": at.match, "key_link": link}


def _context(rules: Rules, names: list[str], written: list[list[int]]) -> dict[str, Any]:
    """What the sheet is drawn from; `written`: points of the days so far, by seat."""
    days = [
        {
            "number": day + 1,
            "points": written[day] if day < len(written) else [""] * len(names),
            "effects": day + 1 < rules.days,
        }
        for day in range(rules.days)
    ]
    totals = [sum(points) for points in zip(*written, strict=True)] or [""] * len(names)
    return {
        "described": describe(rules.options()),
        "names": names,
        "days": days,
        "totals": totals,
        "destinations": destinations(rules),
        "slots": range(LAID),
    }


def _written(at: AtMatch) -> list[list[int]]:
    """The points of the days written so far; none of a day that does not stand."""
    return [list(day.points) for day in at.shown.days if not day.objections]
