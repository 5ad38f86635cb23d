"""A plaza: its season and its records; and the list of them all."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from corridas.models import Plaza
from corridas.queries import calendar, circuit, records, results

BEST: Final = 5
GREAT: Final = 10


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All plazas, those of the first category first."""
    rows = records.plazas(circuit.SHIPPED)
    return render(request, "corridas/plazas.html", {"plazas": rows})


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """A plaza's latest season, afternoon by afternoon, and the best ever seen there."""
    plaza = get_object_or_404(Plaza, circuit__slug=circuit.SHIPPED, slug=slug)
    at = timezone.now()
    season = circuit.find_season()
    dates = calendar.corridas().filter(plaza=plaza, season=season).order_by("date", "pk")
    here = records.posted_lidias().filter(corrida__plaza=plaza)
    context = {
        "plaza": plaza,
        "season": season,
        "afternoons": results.afternoons(list(dates), at),
        "sums": records.sums(here),
        "best": records.best(here, BEST),
        "great": records.great(here, GREAT),
    }
    return render(request, "corridas/plaza.html", context)
