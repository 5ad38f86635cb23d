"""A herd, its bulls, and one bull; and the list of all herds."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from corridas.circuits.access import stamp
from corridas.circuits.queries import SHIPPED
from corridas.escalafon.queries.records import find_edition
from corridas.models import Bull, Ganaderia
from corridas.queries import records
from corridas.shield import Tells, among_of
from corridas.views.shield import told
from kept import Keeping, kept_page

BULLS: Final = 60
BEST: Final = 5
GREAT: Final = 10
SONS: Final = 12


@require_safe
def index(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """All herds by name."""
    shown = told(request, circuit)
    context = {"circuit": circuit, "herds": records.herds(circuit, shown.until), "told": shown}
    return render(request, "corridas/herds.html", context)


@require_safe
def page(request: HttpRequest, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    """A herd: what its bulls brought, the newest first."""
    herd = get_object_or_404(Ganaderia, circuit__slug=circuit, slug=slug)
    shown = told(request, circuit, among_of(Tells.HERD, {"slug": slug}))
    edition = find_edition(circuit)

    def rendered() -> str:
        fought = records.posted_lidias(shown.until).filter(bull__ganaderia=herd)
        context = {
            "circuit": circuit,
            "herd": herd,
            "told": shown,
            "sums": records.sums(fought),
            "best": records.best(fought, BEST),
            "great": records.great(fought, GREAT),
            "lidias": Paginator(fought, BULLS).get_page(request.GET.get("page")),
        }
        return render_to_string("corridas/herd.html", context, request)

    if edition is None:  # without a season nothing counts the changes of the roster
        return HttpResponse(rendered())
    marks = (*edition, shown.mark, *stamp(request))
    return kept_page(request, Keeping(name="herd", marks=marks, common=not request.GET), rendered)


@require_safe
def bull(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    """One bull: what it looked like and, once it is posted, how it went."""
    bulls = Bull.objects.select_related("ganaderia", "cartel__corrida__plaza", "sire")
    found = get_object_or_404(bulls, pk=pk, ganaderia__circuit__slug=circuit)
    context = {
        "circuit": circuit,
        "bull": found,
        "lidia": records.fate(found),
        "sons": records.sons(found, SONS),
    }
    return render(request, "corridas/bull.html", context)
