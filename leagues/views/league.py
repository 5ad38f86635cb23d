"""A league: standings, what is to be played, results, as it stood on a date."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from kept import Keeping, kept_page
from leagues.forms.numbers import whole
from leagues.games import games
from leagues.models import League, Player
from leagues.queries import fixtures, results
from leagues.queries.editions import find_edition
from leagues.rules import part_in
from leagues.views.board import Board, board_of, matrix_of
from leagues.views.visiting import league_of

LATEST = 8
"""Results on the league's first page."""
A_PAGE = 50
PAGES = 10_000
"""Pages of results that can be asked for."""
MATRIX_UP_TO = 16
"""Players up to which the matrix stands on the first page; it has one of its own beyond."""


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings first; kept under the league's edition and the hour, for deadlines pass."""
    edition = find_edition(slug)
    if edition is None or edition.private:
        league_of(request, slug)  # answers that there is no such league to who is not in it
    now = timezone.now()
    hour = now.replace(minute=0, second=0, microsecond=0)
    keeping = Keeping(name="league", marks=(edition, hour))

    def rendered() -> str:
        league, player = league_of(request, slug)
        return render_to_string("leagues/league.html", _first_page(league, player, now), request)

    return kept_page(request, keeping, rendered)


def _first_page(league: League, player: Player | None, now: dt.datetime) -> dict[str, Any]:
    board = board_of(league, you=player)
    return shared(league, player, "standings") | {
        "board": board,
        "round": fixtures.current_round(league),
        "results": (shown := results.latest(league, LATEST)),
        "undecided": any(line.undecided for line in shown),
        "matrix": matrix_of(board) if 1 < len(board.lines) <= MATRIX_UP_TO else None,
        "now": now,
    }


def shared(league: League, player: Player | None, tab: str) -> dict[str, Any]:
    """What every page of a league says of it and of who looks at it; one query."""
    part = part_in(player, league)
    return {
        "league": league,
        "game": games[league.game],
        "tab": tab,
        "you": player,
        "role": part.role,
        "organises": part.organises,
        "scores": part.scores,
        "plays": part.plays,
    }


@require_safe
def result_list(request: HttpRequest, slug: str) -> HttpResponse:
    """All matches, the latest first, a page at a time."""
    league, player = league_of(request, slug)
    number = min(PAGES, max(1, whole(request.GET.get("page", ""), 1)))
    found = results.latest(league, A_PAGE + 1, after=(number - 1) * A_PAGE)
    context = shared(league, player, "results") | {
        "results": found[:A_PAGE],
        "by_evidence": results.by_evidence(league),
        "number": number,
        "more": len(found) > A_PAGE,
    }
    return render(request, "leagues/results.html", context)


@require_safe
def fixture_list(request: HttpRequest, slug: str) -> HttpResponse:
    """All rounds, who meets whom and why, until when."""
    league, player = league_of(request, slug)
    context = shared(league, player, "fixtures") | {
        "rounds": fixtures.rounds(league),
        "now": timezone.now(),
        "calendar": request.build_absolute_uri(reverse("league_calendar", args=[league.slug])),
    }
    return render(request, "leagues/fixtures.html", context)


@require_safe
def matrix(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody against everybody."""
    league, player = league_of(request, slug)
    board = board_of(league, you=player)
    context = shared(league, player, "matrix") | {"matrix": matrix_of(board)}
    return render(request, "leagues/matrix.html", context)


@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings as they were at the end of a day."""
    league, player = league_of(request, slug)
    day, problem = _day(request)
    board: Board | None = None
    if day is not None:
        end = league.end_of(day)
        board = board_of(league, you=player, until=end)
    context = shared(league, player, "history") | {"day": day, "problem": problem, "board": board}
    return render(request, "leagues/history.html", context, status=422 if problem else 200)


def _day(request: HttpRequest) -> tuple[dt.date | None, str]:
    asked = request.GET.get("day", "")
    if not asked:
        return timezone.localdate(), ""
    try:
        day = parse_date(asked)
    except ValueError:
        day = None
    if day is None or day.year < 1900 or day.year > 9000:
        return None, _("“%s” is not a valid date. Choose another one.") % asked[:20]
    return day, ""
