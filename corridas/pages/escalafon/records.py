"""Pages of the record book, cached until the circuit posts new results."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Final, TypedDict

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.page_cache import PageKey, cached_response
from core.page_cache.shared import shared_page
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED, find_season, years
from corridas.escalafon.queries import awards, careers, records
from corridas.escalafon.queries.ranking import Standing
from corridas.escalafon.queries.records import Edition, RecordPlace, RecordSection, find_edition
from corridas.escalafon.queries.yearbook import RANKED, Yearbook, yearbook
from corridas.labels import TERM_LABELS
from corridas.models import Award, Corrida, Matador, Palmares, Puesto, Season
from corridas.pages.access import stamp
from corridas.pages.spoilers.views import spoiler_limit
from corridas.simulation.derived_book import book_until
from corridas.spoilers.hiding import SpoilerLimit
from corridas.stage.charts import suits
from corridas.world.deeds import CIRCUIT, FERIA, HERD, MATADOR, PLAZA

BuildContext = Callable[[Edition], Mapping[str, object]]


def cached_page(
    request: HttpRequest, circuit: str, template: str, context: BuildContext, *marks: Hashable
) -> HttpResponse:
    """Return a page of the record book, from the cache if possible.

    In a circuit without a planned season the page only shows a notice. URLs with a query string are
    not cached, because anybody could fill the cache with made-up parameters.
    """
    edition = find_edition(circuit)
    if edition is None:
        return HttpResponse(render_to_string(template, {"circuit": circuit}, request))

    def rendered() -> str:
        return render_to_string(template, {"circuit": circuit, **context(edition)}, request)

    name = template.removeprefix("corridas/").removesuffix(".html")
    keeping = PageKey(name=name, marks=(*edition, *marks, *stamp(request)), common=not request.GET)
    return cached_response(request, keeping, rendered)


def not_found(missing: str) -> Http404:
    return Http404(f"not in the book: {missing}")


# Maps the names in URLs to the scopes of record books.
NAMES: Final = {"plaza": PLAZA, "feria": FERIA, "ganaderia": HERD, "matador": MATADOR}

# Query filters that select the corridas which the record book of each scope covers.
AMONG: Final[Mapping[str, Callable[[str], Q]]] = {
    PLAZA: lambda slug: Q(plaza__slug=slug),
    FERIA: lambda slug: Q(feria__slug=slug),
    HERD: lambda slug: Q(cartel__ganaderia__slug=slug),
    MATADOR: lambda slug: Q(cartel__in=Puesto.objects.filter(matador__slug=slug).values("cartel")),
}


class Shelf(TypedDict):
    """The record books of one scope, such as all plazas. `name` is the scope's name in URLs."""

    name: str
    title: str
    books: list[RecordPlace]


class RecordsContext(TypedDict):
    edition: Edition
    limit: SpoilerLimit
    parts: list[RecordSection]
    years: list[int]
    shelves: list[Shelf]


@require_safe
@shared_page()
def records_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    limit = spoiler_limit(request, circuit)

    def context(edition: Edition) -> RecordsContext:
        then = book_until(edition.circuit, limit.until) if limit.until else None
        return {
            "edition": edition,
            "limit": limit,
            "parts": records.parts_of(then.records()) if then else records.parts(edition.circuit),
            "years": years(circuit),
            "shelves": [
                {
                    "name": name,
                    "title": title(scope),
                    "books": records.record_places(
                        circuit, scope, then.places(scope) if then else None
                    ),
                }
                for name, scope in NAMES.items()
            ],
        }

    return cached_page(request, circuit, "corridas/recordbook.html", context, limit.mark)


class PlaceContext(TypedDict):
    limit: SpoilerLimit
    edition: Edition
    scope: str
    place: RecordPlace
    title: str
    parts: list[RecordSection]


@require_safe
@shared_page()
def place_page(request: HttpRequest, scope: str, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    place = records.find_place(circuit, NAMES[scope], slug) if scope in NAMES else None
    if place is None:
        raise not_found(slug)
    among = AMONG[NAMES[scope]](slug)
    limit = spoiler_limit(request, circuit, among)

    def context(edition: Edition) -> PlaceContext:
        if limit.until:
            then = book_until(edition.circuit, limit.until, among)
            parts = records.parts_of(then.records(NAMES[scope], slug))
        else:
            parts = records.parts(edition.circuit, NAMES[scope], slug)
        return {
            "limit": limit,
            "edition": edition,
            "scope": scope,
            "place": place,
            "title": title(NAMES[scope]),
            "parts": parts,
        }

    return cached_page(
        request, circuit, "corridas/recordbook_place.html", context, scope, *place, limit.mark
    )


def title(scope: str) -> str:
    return {
        PLAZA: _("By plaza"),
        FERIA: _("By feria"),
        HERD: _("By herd"),
        MATADOR: _("By matador"),
    }[scope]


class AwardsContext(TypedDict):
    """Template context of the awards of a season.

    `ferias` is a list of pairs: any award of a feria, from which the template reads the feria, and
    all awards of that feria.
    """

    season: Season
    years: list[int]
    rules: list[awards.Rule]
    given: list[awards.GivenAward]
    ferias: list[tuple[Award, list[awards.GivenAward]]]


@require_safe
@shared_page()
def awards_page(
    request: HttpRequest, year: int | None = None, circuit: str = SHIPPED
) -> HttpResponse:
    """Show the awards of a season, by default of the current one."""

    def context(edition: Edition) -> AwardsContext:
        season = named(year, circuit)
        return {
            "season": season,
            "years": years(circuit),
            "rules": awards.rules(),
            "given": awards.of_season(season),
            "ferias": awards.of_ferias(season),
        }

    return cached_page(request, circuit, "corridas/recordbook_awards.html", context)


def named(year: int | None, circuit: str) -> Season:
    """Return the season of a year, or without a year the current season of the circuit.

    Raise `Http404` if there is none.
    """
    season = find_season(year, circuit)
    if season is None:
        raise not_found(f"season {year}")
    return season


@require_safe
@shared_page()
def hall_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    limit = spoiler_limit(request, circuit)

    def context(edition: Edition) -> dict[str, object]:
        return {"hall": awards.hall(edition.circuit, limit.until), "limit": limit}

    return cached_page(request, circuit, "corridas/recordbook_hall.html", context, limit.mark)


class YearbookContext(TypedDict):
    """Template context of the yearbook of a season.

    `ranked` are the first matadors of the escalafón with the numbers of their suits.
    """

    season: Season
    limit: SpoilerLimit
    book: Yearbook
    years: list[int]
    ranked: list[tuple[Standing, int]]


@require_safe
@shared_page()
def yearbook_page(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponse:
    limit = spoiler_limit(request, circuit)

    def context(edition: Edition) -> YearbookContext:
        season = named(year, circuit)
        then = book_until(edition.circuit, limit.until) if limit.until else None
        annual = yearbook(season, limit.until, then.records() if then else None)
        worn = suits([line.pk for line in annual.standings])
        return {
            "season": season,
            "limit": limit,
            "book": annual,
            "years": years(circuit),
            "ranked": [(line, worn[line.pk]) for line in annual.standings[:RANKED]],
        }

    return cached_page(request, circuit, "corridas/recordbook_year.html", context, limit.mark)


# Number of corridas on one page of a list in the record book.
LEAF: Final = 40


@require_safe
def duel_form(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    men = _men(circuit)
    left, right = (request.GET.get(name, "") for name in ("left", "right"))
    known = {matador.slug for matador in men}
    problem = ""
    if left and right:
        if left != right and {left, right} <= known:
            return HttpResponseRedirect(address(circuit, "duel", left=left, right=right))
        problem = _("Choose two different matadors.")
    chosen = next((matador for matador in men if matador.slug == left), None)
    context = {
        "circuit": circuit,
        "men": men,
        "left": left if left in known else "",
        "right": right if right in known else "",
        "problem": problem,
        "chosen": chosen,
        "rivals": careers.rivals(chosen) if chosen else [],
    }
    return render(request, "corridas/recordbook_duels.html", context)


def _men(circuit: str) -> list[Matador]:
    careers_there = Palmares.objects.filter(book__circuit__slug=circuit, book__scope=CIRCUIT)
    fought = careers_there.values("matador")
    return list(Matador.objects.filter(pk__in=fought).order_by("billing_key", "pk"))


class DuelContext(TypedDict):
    """Template context of a comparison of two matadors.

    `rows` are a label and the total of each matador. `leaf` is a page of the corridas in which both
    fought.
    """

    limit: SpoilerLimit
    duel: careers.Duel
    suits: tuple[int, int]
    rows: list[tuple[str, int, int]]
    leaf: Page[careers.Meeting]
    meetings: list[tuple[Corrida, careers.Meeting]]


@require_safe
def duel_page(request: HttpRequest, left: str, right: str, circuit: str = SHIPPED) -> HttpResponse:
    rows = Matador.objects.filter(circuit__slug=circuit, slug__in=(left, right))
    matadors_by_slug = {row.slug: row for row in rows}
    if left == right or len(matadors_by_slug) < 2:
        raise not_found(f"{left} and {right}")
    first, second = matadors_by_slug[left], matadors_by_slug[right]
    limit = spoiler_limit(request, circuit, careers.meeting(first, second))

    def context(edition: Edition) -> DuelContext:
        duel = careers.duel(first, second, limit.until)
        worn = suits([first.pk, second.pk])
        leaf = Paginator(duel.meetings, LEAF).get_page(request.GET.get("page"))
        held = careers.corridas(leaf)
        return {
            "limit": limit,
            "duel": duel,
            "suits": (worn[first.pk], worn[second.pk]),
            "rows": [(str(TERM_LABELS[name]), mine, other) for name, mine, other in duel.rows],
            "leaf": leaf,
            "meetings": [(held[meeting.corrida], meeting) for meeting in leaf],
        }

    return cached_page(request, circuit, "corridas/recordbook_duel.html", context, limit.mark)
