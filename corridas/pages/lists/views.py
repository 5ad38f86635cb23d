"""Pages of lists (corridas, bulls, matadors), the comparison of matadors and the infirmary."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.downloads import batches, csv_response, refuse_download
from core.names.fields import spanish_order
from core.names.text import sort_key
from core.page_cache import PageKey, cached_response
from core.page_cache.shared import shared_page
from core.spreadsheets.sheets import escape_formula, quoted
from corridas.card_chances import why_missing
from corridas.circuit_queries import SHIPPED
from corridas.escalafon.queries.ranking import CATEGORIES
from corridas.escalafon.queries.records import find_edition
from corridas.lists import definitions, queries
from corridas.lists.listing import MAX_CSV_ROWS, PAGE_SIZE, Listing, View, read_view
from corridas.models import Bull, Circuit, Lidia, Matador, Puesto
from corridas.pages.access import stamp
from corridas.pages.spoilers.views import spoiler_limit, unwatched
from corridas.spoilers.hiding import SpoilerLimit
from corridas.stage.charts import suits

if TYPE_CHECKING:
    from corridas.lists.listing import Label

MAX_CACHED_QUERY: Final = 120


class Rows(NamedTuple):
    """The rows of a list (corridas, bulls or matadors) before pagination.

    `keys` are all rows in their order, or only their primary keys. `read` is the function that
    loads the rows of one page from these keys.
    """

    keys: Sequence[object] | QuerySet[Any]
    read: Callable[[Sequence[Any]], list[Any]] = list


class ListContext(TypedDict):
    circuit: str
    limit: SpoilerLimit
    view: View
    rows: list[object]
    missing: str
    leaf: Page[Any]
    total: int
    max_csv: int


def _list_page(
    request: HttpRequest,
    circuit: str,
    listing: Listing,
    rows_of: Callable[[View], Rows],
    limit: SpoilerLimit,
    *marks: object,
) -> HttpResponseBase:
    """Return a list as an HTML page, or as a CSV file if the URL has `?format=csv`."""
    view = read_view(listing, request.GET, circuit)
    if request.GET.get("format") == "csv":
        return refuse_download(request) or _csv(request, view, rows_of(view), circuit)

    def rendered() -> str:
        found = rows_of(view)
        leaf = Paginator(found.keys, PAGE_SIZE).get_page(request.GET.get("page"))
        shown = found.read(list(leaf))
        context: ListContext = {
            "circuit": circuit,
            "limit": limit,
            "view": view,
            "rows": shown,
            "missing": _missing_chances(view, shown, circuit),
            "leaf": leaf,
            "total": leaf.paginator.count,
            "max_csv": MAX_CSV_ROWS,
        }
        return render_to_string("corridas/list.html", context, request)

    edition = find_edition(circuit)
    # Without a season there is no version number to use in the cache key.
    if edition is None:
        return HttpResponse(rendered())
    common = not (view.problems or view.search)
    common = common and len(request.META.get("QUERY_STRING", "")) <= MAX_CACHED_QUERY
    page = PageKey(
        name=f"list-{listing.name}",
        marks=(*edition, limit.mark, *map(repr, marks), *stamp(request)),
        common=common,
    )
    return cached_response(request, page, rendered)


def _missing_chances(view: View, rows: Iterable[Any], circuit: str) -> str:
    """Return a sentence if chances of cards are missing in a shown column, otherwise "".

    The circuit is only loaded for the sentence.
    """
    columns = [column.key for column in view.columns if column.shows_chances]
    if not any(
        row.rating is not None and getattr(row, key) is None for key in columns for row in rows
    ):
        return ""
    return why_missing(Circuit.objects.select_related("deck").get(slug=circuit))


def _csv(request: HttpRequest, view: View, found: Rows, circuit: str) -> HttpResponseBase:
    """Return a list as a CSV file, with the filters and the order of the page.

    Names that a spreadsheet would evaluate as a formula are quoted.
    """
    if view.problems:
        text = "\n".join(view.problems)
        return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
    return csv_response(request, f"{view.listing.name}-{circuit}.csv", _csv_rows(view, found))


def _csv_rows(view: View, found: Rows) -> Iterator[list[object]]:
    columns = view.csv_columns()
    yield list(columns)
    for keys in batches(list(found.keys[:MAX_CSV_ROWS])):
        for row in found.read(keys):
            yield [_cell(read(row)) for read in columns.values()]


def _cell(value: object) -> Any:
    if isinstance(value, str):
        return escape_formula(value)
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list):
        return escape_formula(", ".join(str(getattr(each, "name", each)) for each in value))
    return value


@require_safe
@shared_page()
def matadors_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponseBase:
    limit = spoiler_limit(request, circuit)

    def rows_of(view: View) -> Rows:
        year, category, state = view.get("season"), view.get("category"), view.get("state")
        rows = queries.matadors(
            circuit,
            limit.until,
            year=int(year) if year else None,
            categories=(int(category),) if category else CATEGORIES,
            places=queries.places(circuit, limit.until),
        )
        return Rows(
            view.arranged(
                row
                for row in rows
                if view.matches(row.name, row.full_name)
                and (state in {"", row.state} or (state == definitions.HURT and row.hurt_until))
                and view.get("country") in {"", row.country}
                and view.get("style") in {"", row.style}
                and (row.corridas or not (year or category))
            )
        )

    return _list_page(request, circuit, definitions.MATADORS, rows_of, limit)


@require_safe
@shared_page()
def herds_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponseBase:
    limit = spoiler_limit(request, circuit)

    def rows_of(view: View) -> Rows:
        return Rows(
            view.arranged(
                row
                for row in queries.herds(circuit, limit.until)
                if view.matches(row.name)
                and view.get("country") in {"", row.country}
                and view.get("encaste") in {"", row.encaste}
            )
        )

    return _list_page(request, circuit, definitions.HERDS, rows_of, limit)


@require_safe
@shared_page()
def plazas_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponseBase:
    limit = spoiler_limit(request, circuit)

    def rows_of(view: View) -> Rows:
        return Rows(
            view.arranged(
                row
                for row in queries.plazas(circuit, limit.until)
                if view.matches(row.city, row.name)
                and view.get("country") in {"", row.country}
                and view.get("category") in {"", str(row.category)}
            )
        )

    return _list_page(request, circuit, definitions.PLAZAS, rows_of, limit)


# Value that stands for the primary key of a season if no season has published results. No row has
# this key.
NO_SEASON: Final = -1
# Filters that select so few bulls that the list may show the bulls of all seasons at once.
NARROW: Final = ("herd", "matador", "plaza")


@require_safe
@shared_page()
def bulls_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponseBase:
    hidden = unwatched(request, circuit)

    def rows_of(view: View) -> Rows:
        if view.get("fate") == Bull.State.CAMPO:
            return _bulls_in_the_field(view, circuit)
        rows = _with_filters(view, queries.fights(hidden), circuit)
        if view.search:
            names = set(rows.order_by().values_list("bull__name", flat=True).distinct())
            rows = rows.filter(bull__name__in=[name for name in names if view.matches(name)])
        rows = queries.with_sort_keys(rows, view.sort)
        keys = rows.order_by(*view.ordering()).values_list("pk", flat=True)
        return Rows(keys, queries.fought_rows)

    return _list_page(request, circuit, definitions.BULLS, rows_of, SpoilerLimit(), sorted(hidden))


def _with_filters(view: View, rows: QuerySet[Lidia], circuit: str) -> QuerySet[Lidia]:
    season = _season_of_bulls(view, circuit)
    wanted = {
        "corrida__season": season,
        "corrida__cartel__ganaderia": view.pk("herd"),
        "finisher": view.pk("matador"),
        "corrida__plaza": view.pk("plaza"),
        "trophy": view.get("trophy"),
    }
    rows = rows.filter(**{name: value for name, value in wanted.items() if value})
    if view.get("fate") == Bull.State.SEMENTAL:
        return rows.filter(bull__in=queries.spared_bulls(circuit).values("pk"))
    return rows.filter(bull__state=view.get("fate")) if view.get("fate") else rows


def _season_of_bulls(view: View, circuit: str) -> int | None:
    """Return the key of the season whose bulls are listed, or None for all seasons.

    All seasons together have too many bulls to sort, so None is only returned if a filter for a
    herd, matador, plaza or spared bulls is set.
    """
    chosen = view.get("season")
    if chosen and chosen != definitions.ALL:
        return view.pk("season")
    narrow = any(view.get(key) for key in NARROW) or view.get("fate") == Bull.State.SEMENTAL
    if chosen == definitions.ALL and narrow:
        return None
    latest = queries.latest_season(circuit)
    if latest is None:
        return NO_SEASON
    if chosen == definitions.ALL:
        text = _(
            "Choose a herd, a matador, a plaza or spared bulls to see all seasons at once. "
            "The list now shows only %(year)d."
        )
        view.problems.append(text % {"year": latest.year})
    return latest.pk


def _bulls_in_the_field(view: View, circuit: str) -> Rows:
    """Return the bulls that have not fought yet.

    They can be filtered by name and herd only, because other filters are about fights.
    """
    bulls = queries.bulls_in_the_field(circuit).select_related("ganaderia")
    if view.get("herd"):
        bulls = bulls.filter(ganaderia=view.pk("herd"))
    if any(view.get(key) for key in ("season", "matador", "plaza", "trophy")):
        view.problems.append(
            _(
                "Bulls that are still in the field have not fought yet, so they can only be "
                "filtered by name and herd."
            )
        )
    rows = queries.field_rows(bulls.order_by(spanish_order("name_key", "name"), "pk"))
    return Rows(view.arranged(row for row in rows if view.matches(row.name)))


@require_safe
@shared_page()
def results_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponseBase:
    hidden = unwatched(request, circuit)

    def rows_of(view: View) -> Rows:
        season = view.pk("season")
        seasons = [season] if season else [row.pk for row in queries.seasons(circuit)]
        rows = queries.results(seasons, hidden)
        wanted = {
            "plaza": view.pk("plaza"),
            "plaza__category": view.get("category"),
            "cartel__ganaderia": view.pk("herd"),
        }
        rows = rows.filter(**{name: value for name, value in wanted.items() if value})
        if view.get("matador"):
            billed = Puesto.objects.filter(matador=view.pk("matador"))
            rows = rows.filter(pk__in=billed.values("cartel"))
        if view.get("with"):
            rows = rows.filter(**{f"{view.get('with')}__gt": 0})
        since, until = view.day("since"), view.day("until")
        if since:
            rows = rows.filter(date__gte=since)
        if until:
            rows = rows.filter(date__lte=until)
        keys = rows.order_by(*view.ordering()).values_list("pk", flat=True)
        return Rows(keys, queries.result_rows)

    return _list_page(
        request, circuit, definitions.RESULTS, rows_of, SpoilerLimit(), sorted(hidden)
    )


# Comparison

MAX_COMPARED: Final = 4


class Measure(NamedTuple):
    """A figure by which matadors are compared.

    `more` is True if a higher value is better, False if a lower value is better, and None if
    neither is. `needs` names a count that must not be zero for a matador to be marked as the best.
    Otherwise a matador without any corridas would be the best in avisos (warnings). `short` is a
    shorter label, for narrow screens.
    """

    key: str
    label: Label
    more: bool | None
    needs: str = "corridas"
    short: Label = ""


COMPARED: Final = (
    Measure("rating", gettext_lazy("Rating"), True, needs=""),
    Measure("seasons", gettext_lazy("Seasons"), None),
    Measure("corridas", gettext_lazy("Corridas"), True),
    Measure("bulls", gettext_lazy("Bulls"), None),
    Measure("ears", gettext_lazy("Ears"), True),
    Measure("tails", gettext_lazy("Tails"), True),
    Measure("rate", gettext_lazy("Ears per bull"), True, needs="bulls"),
    Measure("vueltas", gettext_lazy("Vueltas"), True),
    Measure("indultos", gettext_lazy("Indultos"), True),
    Measure("avisos", gettext_lazy("Avisos"), False),
)


COMPARED_CHANCES: Final = tuple(
    Measure(column.key, column.label, True, needs="", short=column.short)
    for category in CATEGORIES
    for column in (
        definitions.MATADORS.by_key[f"{name}_{category}"] for name in ("ear", "two_ears", "ears")
    )
)


class ComparedLine(NamedTuple):
    """A line of the comparison. Each cell is a value and whether it is the best one."""

    measure: Measure
    cells: list[tuple[Any, bool]]

    @property
    def is_chance(self) -> bool:
        return self.measure.key.startswith(("ear_", "two_ears_"))

    @property
    def is_mean(self) -> bool:
        return self.measure.key == "rate" or self.measure.key.startswith("ears_")


class CompareContext(TypedDict):
    circuit: str
    limit: SpoilerLimit
    men: list[queries.MatadorRow]
    suits: dict[int, int]
    career: list[ComparedLine]
    chances: list[ComparedLine]
    season: list[ComparedLine]
    year: int | None
    pairs: list[tuple[queries.MatadorRow, queries.MatadorRow]]
    others: list[Matador]
    problems: list[str]
    full: bool


@require_safe
@shared_page()
def compare_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    limit = spoiler_limit(request, circuit)
    names = queries.people(circuit, limit.until).only(
        "slug", "name", "apodo", "distinction", "circuit"
    )
    known = {row.slug: row for row in names}
    asked = list(dict.fromkeys(slug for slug in request.GET.getlist("m") if slug))
    if not asked:
        asked = _first_two(circuit, limit, names)
    problems = [
        _("There is no matador at the address “%(slug)s” in this circuit.") % {"slug": quoted(slug)}
        for slug in asked[:MAX_COMPARED]
        if slug not in known
    ]
    chosen = [slug for slug in asked if slug in known]
    if len(chosen) > MAX_COMPARED:
        text = _("You can compare %(count)d matadors at most. The first %(count)d are shown.")
        problems.append(text % {"count": MAX_COMPARED})
        chosen = chosen[:MAX_COMPARED]
    latest = queries.latest_season(circuit, limit.until)
    year = latest.year if latest else None
    career = _in_order(queries.matadors(circuit, limit.until, only=chosen), chosen)
    present = [row.slug for row in career]
    season = (
        _in_order(queries.matadors(circuit, limit.until, year=year, only=present), present)
        if year and present
        else []
    )
    context: CompareContext = {
        "circuit": circuit,
        "limit": limit,
        "men": career,
        "suits": suits([row.pk for row in career]),
        "career": _compared(career, COMPARED),
        "chances": _compared(career, COMPARED_CHANCES),
        "season": _compared(season, COMPARED[2:]),
        "year": year,
        "pairs": [(one, other) for n, one in enumerate(career) for other in career[n + 1 :]],
        "others": sorted(
            (row for slug, row in known.items() if slug not in present),
            key=lambda row: sort_key(row.billing),
        ),
        "problems": problems,
        "full": len(career) >= MAX_COMPARED,
    }
    return render(request, "corridas/compare.html", context)


def _first_two(circuit: str, limit: SpoilerLimit, known: Iterable[Matador]) -> list[str]:
    """Return the slugs of the first two matadors of the escalafón.

    The comparison shows them if the visitor has chosen nobody.
    """
    slugs = {row.pk: row.slug for row in known}
    return [slugs[pk] for pk in queries.places(circuit, limit.until) if pk in slugs][:2]


def _in_order(rows: Iterable[queries.MatadorRow], slugs: Sequence[str]) -> list[queries.MatadorRow]:
    return sorted(rows, key=lambda row: slugs.index(row.slug))


def _compared(
    rows: Sequence[queries.MatadorRow], measures: Collection[Measure]
) -> list[ComparedLine]:
    compared = []
    for measure in measures if rows else ():
        values = [getattr(row, measure.key) for row in rows]
        takes_part = [
            value is not None and (not measure.needs or getattr(row, measure.needs) > 0)
            for row, value in zip(rows, values, strict=True)
        ]
        present = {value for value, part in zip(values, takes_part, strict=True) if part}
        best = None
        if measure.more is not None and len(present) > 1:
            best = max(present) if measure.more else min(present)
        cells = [
            (value, part and best is not None and value == best)
            for value, part in zip(values, takes_part, strict=True)
        ]
        compared.append(ComparedLine(measure, cells))
    return compared


# Infirmary


class InfirmaryContext(TypedDict):
    circuit: str
    limit: SpoilerLimit
    day: dt.date | None
    patients: list[queries.Patient]


@require_safe
@shared_page()
def infirmary_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    limit = spoiler_limit(request, circuit)
    day, patients = queries.patients(circuit, limit.until)
    context: InfirmaryContext = {
        "circuit": circuit,
        "limit": limit,
        "day": day,
        "patients": patients,
    }
    return render(request, "corridas/infirmary.html", context)
