"""Stored results that the referees of today would refuse: for organisers, and for the office."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leagues.forms.numbers import whole
from leagues.models import Match
from leagues.queries import review
from leagues.queries.results import line_from
from leagues.rules import is_office
from leagues.views.league import PAGES, shared
from leagues.views.visiting import organised, visitor

A_PAGE: Final = 50
"""Matches judged for one page."""


@require_safe
def of_league(request: HttpRequest, slug: str) -> HttpResponse:
    """Those of a league."""
    league, player = organised(request, slug)
    context = shared(league, player, "settings") | _page(request, league.matches.all())
    return render(request, "leagues/review.html", context)


@require_safe
def of_site(request: HttpRequest) -> HttpResponse:
    """Those of all leagues, and of matches without one."""
    if not is_office(visitor(request)):
        raise Http404("not for you")
    context = _page(request, Match.objects.all())
    return render(request, "leagues/review_site.html", context)


def _page(request: HttpRequest, chosen: QuerySet[Match]) -> dict[str, Any]:
    """A stretch of the matches, the latest first, and those among them that are in doubt."""
    number = min(PAGES, max(1, whole(request.GET.get("page", ""), 1)))
    rows = review.written(chosen)
    total, after = rows.count(), (number - 1) * A_PAGE
    stretch = rows[after : after + A_PAGE]
    return {
        "doubts": [
            (line_from(match), reasons) for match, reasons in review.judged(stretch) if reasons
        ],
        "total": total,
        "first": after + 1,
        "last": min(after + A_PAGE, total),
        "number": number,
        "more": after + A_PAGE < total,
    }
