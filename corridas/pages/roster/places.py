"""Pages of plazas, herds and single bulls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.page_cache import PageKey, cached_response
from core.page_cache.shared import shared_page
from corridas import calendar, results
from corridas.broadcast import source
from corridas.circuit_queries import SHIPPED, find_season
from corridas.escalafon.queries import profiles, records
from corridas.escalafon.queries.records import find_edition
from corridas.models import Bull, Ganaderia, Lidia, Plaza, Season
from corridas.pages.access import stamp
from corridas.pages.spoilers.views import spoiler_limit, unwatched
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import SpoilerLimit, corridas_at
from corridas.stage.scene import Scene
from corridas.world.deeds import PLAZA

if TYPE_CHECKING:
    from django.core.paginator import Page

LISTED_BULLS: Final = 60
BEST_BULLS: Final = 5
GREAT_AFTERNOONS: Final = 10
LISTED_SONS: Final = 12
LISTED_SIRES: Final = 12


class HerdContext(TypedDict):
    circuit: str
    herd: Ganaderia
    limit: SpoilerLimit
    sums: profiles.Sums
    best: list[profiles.TopMatador]
    great: list[Lidia]
    sires: list[profiles.Sire]
    lidias: Page[Lidia]


@require_safe
@shared_page(10)
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
            "sires": profiles.sires(herd, LISTED_SIRES, limit.until),
            "lidias": Paginator(fought, LISTED_BULLS).get_page(request.GET.get("page")),
        }
        return render_to_string("corridas/herd.html", context, request)

    # Without a season there is no version number to use in the cache key.
    if edition is None:
        return HttpResponse(rendered())
    marks = (*edition, limit.mark, *stamp(request))
    return cached_response(
        request, PageKey(name="herd", marks=marks, common=not request.GET), rendered
    )


class BullContext(TypedDict):
    """Template context of the page of a bull. Results are shown once its corrida is posted.

    `scene` is the last moment of its lidia, or None if the cards cannot be shown. `herd` are the
    totals of its herd up to the day `limit` of spoiler protection.
    """

    circuit: str
    bull: Bull
    lidia: Lidia | None
    scene: Scene | None
    brothers: list[Lidia]
    sons: profiles.Sons | None
    herd: profiles.Sums
    limit: SpoilerLimit


@require_safe
def bull_page(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    bulls = Bull.objects.select_related("ganaderia", "cartel__corrida__plaza", "sire")
    bull = get_object_or_404(bulls, pk=pk, ganaderia__circuit__slug=circuit)
    lidia = profiles.fate(bull)
    of_herd = corridas_at(SpoilerScope.HERD, {"slug": bull.ganaderia.slug})
    limit = spoiler_limit(request, circuit, of_herd)
    fought = profiles.posted_lidias(limit.until).filter(bull__ganaderia=bull.ganaderia)
    context: BullContext = {
        "circuit": circuit,
        "bull": bull,
        "lidia": lidia,
        "scene": source.end_of_lidia(lidia.corrida_id, lidia.turn) if lidia else None,
        "brothers": profiles.brothers(lidia) if lidia else [],
        "sons": profiles.sons(bull, LISTED_SONS),
        "herd": profiles.sums(fought),
        "limit": limit,
    }
    return render(request, "corridas/bull.html", context)


BEST_MATADORS: Final = 8
BEST_CORRIDAS: Final = 5
NEXT: Final = 3
LATEST: Final = 3
PLAZA_RECORDS: Final = 6


class PlazaContext(TypedDict):
    circuit: str
    plaza: Plaza
    season: Season | None
    limit: SpoilerLimit
    afternoons: list[results.CorridaResult]
    coming: list[results.CorridaResult]
    latest: list[results.CorridaResult]
    seasons: list[tuple[int, profiles.Sums]]
    sums: profiles.Sums
    records: list[records.RecordEntry]
    best: list[profiles.TopMatador]
    best_corridas: list[tuple[results.CorridaResult, profiles.Sums]]


@require_safe
@shared_page(10)
def plaza_page(request: HttpRequest, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    plaza = get_object_or_404(Plaza, circuit__slug=circuit, slug=slug)
    at = timezone.now()
    season = find_season(circuit=circuit)
    limit = spoiler_limit(request, circuit, corridas_at(SpoilerScope.PLAZA, {"slug": slug}))
    here = profiles.posted_lidias(limit.until).filter(corrida__plaza=plaza)
    dates = calendar.corridas().filter(plaza=plaza).order_by("date", "pk")
    of_season = list(dates.filter(season=season))
    latest = list(dates.over().order_by("-date", "-pk")[:LATEST])
    brought = profiles.best_corridas(here, BEST_CORRIDAS)
    wanted = {row.pk: row for row in (*dates.filter(pk__in=brought), *latest, *of_season)}
    rows = results.afternoons(wanted.values(), at, hidden=unwatched(request, circuit))
    by_key = {row.corrida.pk: row for row in rows}
    afternoons = [by_key[row.pk] for row in of_season]
    seasons = profiles.sums_by(here, "corrida__season__year")
    book = [] if limit.until else records.parts(plaza.circuit_id, PLAZA, slug)
    context: PlazaContext = {
        "circuit": circuit,
        "plaza": plaza,
        "season": season,
        "limit": limit,
        "afternoons": afternoons,
        "coming": [row for row in afternoons if not row.corrida.is_over][:NEXT],
        "latest": [by_key[row.pk] for row in latest],
        "seasons": sorted(seasons.items(), reverse=True),
        "sums": profiles.total(seasons.values()),
        "records": [entry for part in book for entry in part.entries][:PLAZA_RECORDS],
        "best": profiles.best(here, BEST_MATADORS),
        "best_corridas": [(by_key[key], sums) for key, sums in brought.items()],
    }
    return render(request, "corridas/plaza.html", context)
