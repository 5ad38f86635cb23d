"""A plaza: its season and its records; and the list of them all."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from corridas.circuits.queries import SHIPPED, find_season
from corridas.models import Plaza
from corridas.queries import calendar, records, results
from corridas.shield import Tells, among_of
from corridas.views.shield import told, unwatched

BEST: Final = 5
GREAT: Final = 10


@require_safe
def index(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """All plazas, those of the first category first."""
    rows = records.plazas(circuit)
    return render(request, "corridas/plazas.html", {"circuit": circuit, "plazas": rows})


@require_safe
def page(request: HttpRequest, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    """A plaza's latest season, afternoon by afternoon, and the best ever seen there."""
    plaza = get_object_or_404(Plaza, circuit__slug=circuit, slug=slug)
    at = timezone.now()
    season = find_season(circuit=circuit)
    dates = calendar.corridas().filter(plaza=plaza, season=season).order_by("date", "pk")
    shown = told(request, circuit, among_of(Tells.PLAZA, {"slug": slug}))
    here = records.posted_lidias(shown.until).filter(corrida__plaza=plaza)
    context = {
        "circuit": circuit,
        "plaza": plaza,
        "season": season,
        "told": shown,
        "afternoons": results.afternoons(list(dates), at, hidden=unwatched(request, circuit)),
        "sums": records.sums(here),
        "best": records.best(here, BEST),
        "great": records.great(here, GREAT),
    }
    return render(request, "corridas/plaza.html", context)
