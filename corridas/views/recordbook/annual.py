"""The yearbook: a season between two covers, made to be printed."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from corridas.queries.circuit import SHIPPED, years
from corridas.queries.recordbook.book import Edition
from corridas.queries.recordbook.yearbook import RANKED, yearbook
from corridas.simulation import book_until
from corridas.views.pictures import suits
from corridas.views.recordbook.keeping import kept
from corridas.views.recordbook.prizes import named
from corridas.views.shield import told


@require_safe
def page(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponse:
    """The yearbook of a season, as far as it is posted."""
    shown = told(request, circuit)

    def context(edition: Edition) -> dict[str, Any]:
        season = named(year, circuit)
        then = book_until(edition.circuit, shown.until) if shown.until else None
        annual = yearbook(season, shown.until, then.records() if then else None)
        worn = suits([line.pk for line in annual.standings])
        return {
            "season": season,
            "told": shown,
            "book": annual,
            "years": years(circuit),
            "ranked": [(line, worn[line.pk]) for line in annual.standings[:RANKED]],
        }

    return kept(request, circuit, "corridas/recordbook_year.html", context, shown.mark)
