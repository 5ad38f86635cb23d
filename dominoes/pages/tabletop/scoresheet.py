"""Printed scoresheets of dominoes: empty, or for a match with a code that opens its entry form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NotRequired, TypedDict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dominoes.engine import PROFILES, Rules
from dominoes.game import describe
from dominoes.pages.tabletop.match_sheet import MatchSheet
from leagues.models import Match
from leagues.pages.matches.matches import key_link, requested_matches

ROWS_PER_SHEET: Final = 12
DEFAULT_SEATS: Final = 4


class HandRow(TypedDict):
    """A row of the scoresheet for a hand that was already entered.

    `end`: who went out. `points`: for each side, the pips left, the points and the new total.
    """

    number: int
    end: str
    points: list[tuple[int, int, int]]


class Scoresheet(TypedDict):
    """Template context of a printed scoresheet.

    `lines`: numbers of the empty rows. An empty sheet has neither a `match` nor its `key_link`.
    """

    described: list[str]
    names: list[str]
    filled: Sequence[HandRow]
    lines: range
    target: int
    match: NotRequired[Match]
    key_link: NotRequired[str]


@require_safe
def empty_scoresheet(request: HttpRequest) -> HttpResponse:
    rules = PROFILES["rulebook"]
    return _render_sheets(request, [_scoresheet(rules, [""] * DEFAULT_SEATS)])


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
    return render(request, "dominoes/scoresheet.html", {"sheets": sheets})


def _scoresheet_of(request: HttpRequest, pk: int) -> Scoresheet:
    at = MatchSheet.find_view(request, pk)
    return {
        **_scoresheet(at.rules, at.sides, _filled_rows(at)),
        "match": at.match,
        "key_link": key_link(request, at.match, at.player),
    }


def _scoresheet(rules: Rules, names: list[str], filled: Sequence[HandRow] = ()) -> Scoresheet:
    return {
        "described": describe(rules.options()),
        "names": names,
        "filled": filled,
        "lines": range(len(filled) + 1, max(ROWS_PER_SHEET, len(filled) + 1) + 1),
        "target": rules.target,
    }


def _filled_rows(at: MatchSheet) -> list[HandRow]:
    rows: list[HandRow] = []
    totals = [0] * len(at.sides)
    for number, hand in enumerate(at.sheet_reading.hands, start=1):
        if hand.outcome is None:
            continue
        totals = [total + more for total, more in zip(totals, hand.outcome.points, strict=True)]
        out = hand.outcome.out
        rows.append(
            {
                "number": number,
                "end": _("blocked") if out is None else at.names[out],
                "points": list(
                    zip(hand.outcome.side_pips, hand.outcome.points, totals, strict=True)
                ),
            }
        )
    return rows
