"""Pages of plazas, herds and bulls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from corridas.circuits.access import stamp
from corridas.circuits.queries import SHIPPED, find_season
from corridas.escalafon.queries.records import find_edition
from corridas.models import Bull, Ganaderia, Lidia, Plaza, Season
from corridas.roster import profiles
from corridas.season import queries, results
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import SpoilerLimit, corridas_at
from corridas.spoilers.views import spoiler_limit, unwatched
from page_cache import PageKey, cached_response

if TYPE_CHECKING:
    from django.core.paginator import Page

LISTED_BULLS: Final = 60
BEST_BULLS: Final = 5
GREAT_AFTERNOONS: Final = 10
LISTED_SONS: Final = 12


class HerdContext(TypedDict):
    circuit: str
    herd: Ganaderia
    limit: SpoilerLimit
    sums: profiles.Sums
    best: list[profiles.Best]
    great: list[Lidia]
    lidias: Page[Lidia]


@require_safe
def herd_page(request: HttpRequest, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    herd = get_object_or_404(Ganaderia, circuit__slug=circuit, slug=slug)
    limit = spoiler_limit(request, circuit, corridas_at(SpoilerScope.HERD, {"slug": slug}))
    edition = find_edition(circuit)

    def rendered() -> str:
        fought = profiles.posted_lidias(limit.until).filter(bull__ganaderia=herd)
        context: HerdContext = {
            "circuit": circuit,
            "herd": herd,
            "limit": limit,
            "sums": profiles.sums(fought),
            "best": profiles.best(fought, BEST_BULLS),
            "great": profiles.great(fought, GREAT_AFTERNOONS),
            "lidias": Paginator(fought, LISTED_BULLS).get_page(request.GET.get("page")),
        }
        return render_to_string("corridas/herd.html", context, request)

    if edition is None:  # without a season nothing counts the changes of the roster
        return HttpResponse(rendered())
    marks = (*edition, limit.mark, *stamp(request))
    return cached_response(
        request, PageKey(name="herd", marks=marks, common=not request.GET), rendered
    )


class BullContext(TypedDict):
    circuit: str
    bull: Bull
    lidia: Lidia | None
    sons: profiles.Sons | None


@require_safe
def bull_page(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    bulls = Bull.objects.select_related("ganaderia", "cartel__corrida__plaza", "sire")
    bull = get_object_or_404(bulls, pk=pk, ganaderia__circuit__slug=circuit)
    context: BullContext = {
        "circuit": circuit,
        "bull": bull,
        "lidia": profiles.fate(bull),
        "sons": profiles.sons(bull, LISTED_SONS),
    }
    return render(request, "corridas/bull.html", context)


BEST_MATADORS: Final = 5
GREAT_IN_PLAZA: Final = 10


class PlazaContext(TypedDict):
    circuit: str
    plaza: Plaza
    season: Season | None
    limit: SpoilerLimit
    afternoons: list[results.Afternoon]
    sums: profiles.Sums
    best: list[profiles.Best]
    great: list[Lidia]


@require_safe
def plaza_page(request: HttpRequest, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    plaza = get_object_or_404(Plaza, circuit__slug=circuit, slug=slug)
    at = timezone.now()
    season = find_season(circuit=circuit)
    dates = queries.corridas().filter(plaza=plaza, season=season).order_by("date", "pk")
    limit = spoiler_limit(request, circuit, corridas_at(SpoilerScope.PLAZA, {"slug": slug}))
    here = profiles.posted_lidias(limit.until).filter(corrida__plaza=plaza)
    context: PlazaContext = {
        "circuit": circuit,
        "plaza": plaza,
        "season": season,
        "limit": limit,
        "afternoons": results.afternoons(list(dates), at, hidden=unwatched(request, circuit)),
        "sums": profiles.sums(here),
        "best": profiles.best(here, BEST_MATADORS),
        "great": profiles.great(here, GREAT_IN_PLAZA),
    }
    return render(request, "corridas/plaza.html", context)
