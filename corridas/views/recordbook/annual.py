"""The yearbook: a season between two covers, made to be printed."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from corridas.queries.circuit import SHIPPED, years
from corridas.queries.recordbook.book import Edition
from corridas.queries.recordbook.yearbook import RANKED, yearbook
from corridas.views.pictures import suits
from corridas.views.recordbook.keeping import kept
from corridas.views.recordbook.prizes import named


@require_safe
def page(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponse:
    """The yearbook of a season, as far as it is posted."""

    def context(edition: Edition) -> dict[str, Any]:
        season = named(year, circuit)
        told = yearbook(season)
        worn = suits([line.pk for line in told.standings])
        return {
            "season": season,
            "book": told,
            "years": years(circuit),
            "ranked": [(line, worn[line.pk]) for line in told.standings[:RANKED]],
        }

    return kept(request, circuit, "corridas/recordbook_year.html", context)
