"""Views of standings: the present standings, the matrix of results and the standings of a past
day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leagues.members_read.queries import players_by_id
from leagues.members_read.statistics import Duel, head_to_head
from leagues.models import League, Player
from leagues.pages.access import league_context, league_of
from leagues.pages.forms import TIE_BREAKS
from leagues.pages.standings.why import explain_row
from leagues.ratings.calculation import DisplayedRating, rating_span
from leagues.ratings.queries import league_ratings
from leagues.standings.queries import standings_basis
from leagues.standings.ranking import StandingsRow
from leagues.standings.scoring import Placing
from leagues.standings.tie_breaks import TieBreak


@dataclass(frozen=True, kw_only=True)
class StandingsLine:
    row: StandingsRow
    player: Player
    rating: DisplayedRating | None
    you: bool
    cut: bool

    @property
    def tie_break_note(self) -> str:
        by = self.row.parted_by
        if isinstance(by, TieBreak):
            return _("Tied on score. Tie-break: %s.") % TIE_BREAKS[by]
        return ""


@dataclass(frozen=True, kw_only=True)
class StandingsBoard:
    """Standings with further data for the page.

    `span` is the axis of the ratings chart. `rest_days` is the value of `StandingsBasis.rest_days`.
    """

    lines: tuple[StandingsLine, ...]
    span: tuple[int, int]
    cut: int | None
    placings: tuple[Placing, ...]
    rest_days: bool

    @property
    def stated(self) -> bool:
        return any(line.row.state for line in self.lines)

    @property
    def matches(self) -> int:
        return len({placing.match for placing in self.placings})


def board_of(
    league: League, *, you: Player | None, until: dt.datetime | None = None
) -> StandingsBoard:
    """Return the present standings, or those before `until`, with a fixed number of queries."""
    basis = standings_basis(league) if until is None else standings_basis(league).until_time(until)
    rows = basis.rows()
    people = players_by_id(row.player for row in rows)
    ratings = league_ratings(league, until)
    mine = you.person_id if you else None
    lines = tuple(
        StandingsLine(
            row=row,
            player=people[row.player],
            rating=ratings.get(row.player),
            you=row.player == mine,
            cut=_is_last_above(rows, position, league.cut),
        )
        for position, row in enumerate(rows)
    )
    return StandingsBoard(
        lines=lines,
        span=rating_span(ratings.values()),
        cut=league.cut,
        placings=basis.placings,
        rest_days=basis.rest_days,
    )


def _is_last_above(rows: tuple[StandingsRow, ...], position: int, cut: int | None) -> bool:
    if cut is None or not rows[position].has_enough_matches or position + 1 == len(rows):
        return False
    return sum(row.has_enough_matches for row in rows[: position + 1]) == cut


@dataclass(frozen=True, kw_only=True)
class Matrix:
    people: tuple[Player, ...]
    cells: tuple[tuple[Duel | None, ...], ...]

    @property
    def rows(self) -> Iterator[tuple[Player, tuple[Duel | None, ...]]]:
        return zip(self.people, self.cells, strict=True)


def matrix_of(board: StandingsBoard) -> Matrix:
    players = [line.row.player for line in board.lines]
    duels = head_to_head(players, board.placings)
    return Matrix(
        people=tuple(line.player for line in board.lines),
        cells=tuple(
            tuple(
                None if row == column else duels.get((row, column), Duel(row, column))
                for column in players
            )
            for row in players
        ),
    )


@require_safe
def matrix_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = league_of(request, slug)
    board = board_of(league, you=player)
    context = league_context(league, player, "matrix") | {"matrix": matrix_of(board)}
    return render(request, "leagues/matrix.html", context)


@require_safe
def standing_page(request: HttpRequest, slug: str, player: str) -> HttpResponse:
    """Page that explains a player's place in the standings, now or at the end of a day."""
    league, you = league_of(request, slug)
    person = get_object_or_404(Player, slug=player).person_id
    day, problem = _requested_day(request, league) if "day" in request.GET else (None, "")
    basis = standings_basis(league)
    if day is not None:
        basis = basis.until_time(league.end_of(day))
    explained = explain_row(league, basis, person)
    if explained is None:
        raise Http404("not in the standings")
    context = league_context(league, you, "history" if day else "standings") | {
        "why": explained,
        "day": day,
        "problem": problem,
    }
    return render(request, "leagues/why.html", context, status=422 if problem else 200)


@require_safe
def history_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = league_of(request, slug)
    day, problem = _requested_day(request, league)
    board: StandingsBoard | None = None
    if day is not None:
        end = league.end_of(day)
        board = board_of(league, you=player, until=end)
    context = league_context(league, player, "history") | {
        "day": day,
        "problem": problem,
        "board": board,
    }
    return render(request, "leagues/history.html", context, status=422 if problem else 200)


def _requested_day(request: HttpRequest, league: League) -> tuple[dt.date | None, str]:
    """Return the requested day, by default the present day in the league's time zone.

    The second value is an error message if the date is invalid.
    """
    text = request.GET.get("day", "")
    if not text:
        return timezone.localdate(timezone=ZoneInfo(league.zone)), ""
    try:
        day = parse_date(text)
    except ValueError:
        day = None
    if day is None or day.year < 1900 or day.year > 9000:
        return None, _("“%s” is not a valid date. Choose another date.") % text[:20]
    return day, ""
