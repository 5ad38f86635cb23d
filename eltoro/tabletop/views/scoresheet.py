"""Printed scoresheets: empty, or for a match with a code that opens its form."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from eltoro.engine import PROFILES, Rules
from eltoro.game import describe
from eltoro.tabletop.views.match_sheet import MatchSheet
from eltoro.views import list_destinations
from leagues.matches.views.matches import key_link, requested_matches

DEFAULT_SEATS: Final = 4
DESTINATIONS_LAID: Final = 5


@require_safe
def empty_scoresheet(request: HttpRequest) -> HttpResponse:
    rules = PROFILES["el-toro"]
    return _render_sheets(request, [_context(rules, [""] * DEFAULT_SEATS, [])])


@require_safe
def scoresheet_of_match(request: HttpRequest, pk: int) -> HttpResponse:
    return _render_sheets(request, [_sheet_context(request, pk)])


@never_cache
@require_safe
def scoresheets_of_matches(request: HttpRequest) -> HttpResponse:
    """Show the scoresheets of several matches, a page each."""
    return _render_sheets(
        request, [_sheet_context(request, pk) for pk in requested_matches(request)]
    )


def _render_sheets(request: HttpRequest, sheets: list[dict[str, Any]]) -> HttpResponse:
    return render(request, "eltoro/scoresheet.html", {"sheets": sheets})


def _sheet_context(request: HttpRequest, pk: int) -> dict[str, Any]:
    """Return a match's players and entered days, and the code for its players."""
    at = MatchSheet.find(request, pk)
    link = key_link(request, at.match, at.player)
    return _context(at.rules, at.names, _written_points(at)) | {"match": at.match, "key_link": link}


def _context(rules: Rules, names: list[str], written: list[list[int]]) -> dict[str, Any]:
    """Return the template context. `written` are the points by day and seat."""
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
        "destinations": list_destinations(rules),
        "slots": range(DESTINATIONS_LAID),
    }


def _written_points(at: MatchSheet) -> list[list[int]]:
    """Return the points of the days so far, without those of invalid days."""
    return [list(day.points) for day in at.shown.days if not day.objections]
