"""Printed scoresheets of El Toro: empty, or for a match with a code that opens its entry form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NotRequired, TypedDict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from eltoro.engine import PROFILES, Rules
from eltoro.game import describe
from eltoro.pages.tabletop.match_sheet import MatchSheet
from eltoro.pages.views import DestinationContext, list_destinations
from leagues.models import Match
from leagues.pages.matches.matches import key_link, requested_matches

DEFAULT_SEATS: Final = 4
DESTINATIONS_LAID: Final = 5


class SheetDay(TypedDict):
    """A day of the scoresheet, with its number from 1 and points by seat.

    Points that are not entered yet are empty, to be filled in by hand.
    """

    number: int
    points: Sequence[int | str]


class Scoresheet(TypedDict):
    """Template context of a printed scoresheet.

    An empty sheet has neither a `match` nor its `key_link`.
    """

    described: list[str]
    names: list[str]
    days: list[SheetDay]
    totals: Sequence[int | str]
    destinations: list[DestinationContext]
    slots: range
    match: NotRequired[Match]
    key_link: NotRequired[str]


@require_safe
def empty_scoresheet(request: HttpRequest) -> HttpResponse:
    rules = PROFILES["el-toro"]
    return _render_sheets(request, [_scoresheet(rules, [""] * DEFAULT_SEATS, [])])


@require_safe
def scoresheet_of_match(request: HttpRequest, pk: int) -> HttpResponse:
    return _render_sheets(request, [_scoresheet_of(request, pk)])


@never_cache
@require_safe
def scoresheets_of_matches(request: HttpRequest) -> HttpResponse:
    return _render_sheets(
        request, [_scoresheet_of(request, pk) for pk in requested_matches(request)]
    )


def _render_sheets(request: HttpRequest, sheets: list[Scoresheet]) -> HttpResponse:
    return render(request, "eltoro/scoresheet.html", {"sheets": sheets})


def _scoresheet_of(request: HttpRequest, pk: int) -> Scoresheet:
    at = MatchSheet.find_view(request, pk)
    written = [list(day.points) for day in at.sheet_reading.days if not day.objections]
    return {
        **_scoresheet(at.rules, at.names, written),
        "match": at.match,
        "key_link": key_link(request, at.match, at.player),
    }


def _scoresheet(rules: Rules, names: list[str], written: list[list[int]]) -> Scoresheet:
    """Return the context of a scoresheet. `written` are the points entered, by day and by seat."""
    blanks = [""] * len(names)
    return {
        "described": describe(rules.options()),
        "names": names,
        "days": [
            {"number": day + 1, "points": [*written[day]] if day < len(written) else [*blanks]}
            for day in range(rules.days)
        ],
        "totals": [sum(points) for points in zip(*written, strict=True)] or [*blanks],
        "destinations": list_destinations(rules),
        "slots": range(DESTINATIONS_LAID),
    }
