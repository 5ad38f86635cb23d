"""Awards of a season and of its ferias; the hall of fame."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from corridas.models import Season
from corridas.queries.circuit import SHIPPED, find_season, years
from corridas.queries.recordbook import awards, hall
from corridas.queries.recordbook.book import Edition
from corridas.views.recordbook.keeping import kept, not_found
from corridas.views.shield import told


@require_safe
def page(request: HttpRequest, year: int | None = None, circuit: str = SHIPPED) -> HttpResponse:
    """The awards of a season; of the latest that has any where none is named."""

    def context(edition: Edition) -> dict[str, Any]:
        season = named(year, circuit)
        return {
            "season": season,
            "years": years(circuit),
            "rules": awards.rules(),
            "given": awards.of_season(season),
            "ferias": awards.of_ferias(season),
        }

    return kept(request, circuit, "corridas/recordbook_awards.html", context)


def named(year: int | None, circuit: str) -> Season:
    """The season of a year; the one that goes on where none is named; `Http404` without one."""
    season = find_season(year, circuit)
    if season is None:
        raise not_found(f"season {year}")
    return season


@require_safe
def honours(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """The hall of fame."""
    shown = told(request, circuit)

    def context(edition: Edition) -> dict[str, Any]:
        return {"hall": hall.hall(edition.circuit, shown.until), "told": shown}

    return kept(request, circuit, "corridas/recordbook_hall.html", context, shown.mark)
