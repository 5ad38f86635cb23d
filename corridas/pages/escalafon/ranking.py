"""The escalafón (the ranking of matadors in a season) as a table, a chart and a CSV file.

The pages are cached until the next results of the season are posted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, TypedDict

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.downloads import csv_response, refuse_download
from core.names.text import sort_key
from core.page_cache import PageKey, cached_response
from core.page_cache.shared import shared_page
from core.spreadsheets.sheets import escape_formula
from corridas.circuit_queries import SHIPPED, SeasonMark, find_ranked, find_season_mark, years
from corridas.escalafon.queries import ranking
from corridas.escalafon.queries.ranking import (
    CATEGORIES,
    MatadorNames,
    SeasonResults,
    Standing,
    places,
)
from corridas.models import Season, TableCorrida
from corridas.pages.access import stamp
from corridas.pages.spoilers.views import spoiler_limit
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import SpoilerLimit, corridas_at
from corridas.stage import charts
from corridas.stage.charts import suits
from corridas.tabletop.queries import AtTables, verified
from corridas.world.ranking import COLUMNS

CACHED_PARAMETERS = {"sort", "category", "until", "follow"}
MAX_CACHED_QUERY = 60


@require_safe
@shared_page()
def ranking_page(
    request: HttpRequest, year: int | None = None, form: str = "", circuit: str = SHIPPED
) -> HttpResponseBase:
    mark = find_ranked(circuit) if year is None else find_season_mark(year, circuit)
    if mark is None:
        if year is not None:
            raise Http404(f"no season {year}")
        return HttpResponse(
            render_to_string("corridas/escalafon.html", {"circuit": circuit}, request)
        )
    query = read_query(request.GET) if request.GET else RankingQuery()
    limit = spoiler_limit(request, circuit, corridas_at(SpoilerScope.SEASON, {"year": year}))
    limit, until = limit.up_to(query.until)
    query = replace(query, until=until)
    if form == "csv" or request.GET.get("format") == "csv":
        if query.problems:
            text = "\n".join(query.problems)
            return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
        return refuse_download(request) or _csv(request, _season(mark), query)
    response = _cached_page(request, mark, query, limit)
    if query.problems:
        response.status_code = 400
    return response


def _season(mark: SeasonMark) -> Season:
    return Season.objects.select_related("circuit").get(pk=mark.season)


def _cached_page(
    request: HttpRequest, mark: SeasonMark, query: RankingQuery, limit: SpoilerLimit
) -> HttpResponse:
    marks = (*mark, query.key, limit.mark, *stamp(request))
    keeping = PageKey(name="escalafon", marks=marks, common=_is_common(request, query))

    def rendered() -> str:
        context = {**_context(_season(mark), query), "limit": limit, "over": mark.ended}
        return render_to_string("corridas/escalafon.html", context, request)

    return cached_response(request, keeping, rendered)


def _is_common(request: HttpRequest, query: RankingQuery) -> bool:
    """Return whether the ranking page for these query parameters should be cached.

    It is not cached if the parameters are personal, long or unusual, because nobody else would
    request the same page.
    """
    personal = query.until or query.follow or query.problems
    short = len(request.META.get("QUERY_STRING", "")) <= MAX_CACHED_QUERY
    return not personal and short and set(request.GET) <= CACHED_PARAMETERS


@dataclass(frozen=True, kw_only=True)
class RankingRow:
    """A line of the ranking table.

    `moved` is the number of places gained, `share` the number of his corridas as a percentage of
    the leading matador's corridas.
    """

    line: Standing
    suit: int
    form: Sequence[str]
    share: float
    moved: int | None
    tables: Counter[str] | None


class RankingContext(TypedDict):
    """Template context of the page of the escalafón.

    `before` is the day before the last corrida day, for a link to the previous ranking.
    """

    circuit: str
    season: Season
    years: list[int]
    query: RankingQuery
    headings: list[RankingHeading]
    rows: list[RankingRow]
    podium: list[tuple[Standing, int]]
    race: RaceView | None
    days: Sequence[date]
    tables: AtTables
    held: int
    before: date | None


def _context(season: Season, query: RankingQuery) -> RankingContext:
    ranked = ranking.ranking_of(season, query.categories, query.until)
    lines, part = ranked.lines, ranked.part
    worn = suits([line.pk for line in lines])
    tables = verified(season, query.categories, query.until)
    return {
        "circuit": season.circuit.slug,
        "season": season,
        "years": years(season.circuit.slug),
        "query": query,
        "headings": headings(query),
        "rows": _rows(ranked, query, tables),
        "podium": [(line, worn[line.pk]) for line in lines[:3]],
        "race": race_view(part, ranked.marks, lines, ranked.people, query.follow),
        "days": ranked.course.days,
        "tables": tables,
        "held": len({paseillo.corrida for paseillo in part.paseillos}),
        "before": ranked.marks[-2][0] if len(ranked.marks) > 1 else None,
    }


def _rows(ranked: ranking.Ranking, query: RankingQuery, tables: AtTables) -> list[RankingRow]:
    form = ranking.form(ranked.part)
    worn = suits([line.pk for line in ranked.lines])
    most = max(1, ranked.lines[0].corridas) if ranked.lines else 1
    return [
        RankingRow(
            line=line,
            suit=worn[line.pk],
            form=form.get(line.pk, []),
            share=round(100 * line.corridas / most, 1),
            moved=gained,
            tables=tables.matadors.get(line.pk),
        )
        for line, gained in ranking.moved(arranged(ranked.lines, query), ranked.before())
    ]


def _csv(request: HttpRequest, season: Season, query: RankingQuery) -> HttpResponseBase:
    return csv_response(request, f"escalafon-{season.year}.csv", _csv_rows(season, query))


def _csv_rows(season: Season, query: RankingQuery) -> Iterator[list[object]]:
    """Yield the header and the lines of the CSV file of the escalafón.

    Names that a spreadsheet would evaluate as a formula are quoted. New columns are added at the
    end, because programs may read the existing columns by position.
    """
    ranked = ranking.ranking_of(season, query.categories, query.until)
    tables = verified(season, query.categories, query.until)
    evidence = TableCorrida.Evidence.values
    yield [
        *("place", "matador", *COLUMNS, "slug"),
        *("moved", "birthplace", "rate", "form", "at_tables"),
        *(f"at_tables_{kind}" for kind in evidence),
    ]
    for row in _rows(ranked, query, tables):
        line, by_evidence = row.line, row.tables or Counter()
        yield [
            line.place,
            escape_formula(line.name),
            *(getattr(line, name) for name in COLUMNS),
            line.slug,
            row.moved,
            escape_formula(line.birthplace),
            f"{line.rate:.2f}" if line.bulls else "",
            ", ".join(row.form),
            by_evidence.total(),
            *(by_evidence[kind] for kind in evidence),
        ]


SORTS: Final = (
    "place",
    "name",
    "corridas",
    "ears",
    "tails",
    "vueltas",
    "indultos",
    "avisos",
    "rate",
)
# Keys of columns that are sorted in ascending order by default. All other columns begin with the
# highest value.
UPWARDS: Final = {"place", "name"}

MAX_FOLLOWED: Final = 5
SLIM_DAYS: Final = 5
SLIM_WIDTH: Final = 470
RACED: Final = 10


@dataclass(frozen=True, kw_only=True)
class RankingQuery:
    """The filters and sort order of the escalafón, read from the query string.

    `problems` are error messages about invalid parameters, which are ignored.
    """

    categories: tuple[int, ...] = CATEGORIES
    until: date | None = None
    sort: str = "place"
    backwards: bool = False
    follow: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return a cache key that is the same for all query strings with the same meaning."""
        parts = (self.categories, self.until, self.sort, self.backwards, self.follow, self.problems)
        return repr(parts)

    @property
    def all_plazas(self) -> bool:
        return self.categories == CATEGORIES


def read_query(parameters: QueryDict) -> RankingQuery:
    """Parse the query string of the ranking page.

    Invalid values are ignored and listed in `problems`.
    """
    problems: list[str] = []
    sort = parameters.get("sort", "")
    column = sort.removeprefix("-")
    if column not in SORTS:
        if sort:
            problems.append(
                _(
                    "The table can’t be sorted by “%(sort)s” because it has no column "
                    "with that name."
                )
                % {"sort": sort[:30]}
            )
        sort = column = "place"
    return RankingQuery(
        categories=_categories(parameters, problems),
        until=_until(parameters.get("until", ""), problems),
        sort=column,
        backwards=sort.startswith("-"),
        follow=_follow(parameters),
        problems=tuple(problems),
    )


def _categories(parameters: QueryDict, problems: list[str]) -> tuple[int, ...]:
    words = ",".join(parameters.getlist("category")).split(",")
    chosen = {int(word) for word in words if word in {"1", "2", "3"}}
    if any(word and word not in {"1", "2", "3"} for word in words):
        problems.append(_("A plaza must be in category 1, 2 or 3."))
    return tuple(sorted(chosen)) or CATEGORIES


def _until(text: str, problems: list[str]) -> date | None:
    try:
        day = parse_date(text) if text else None
    except ValueError:
        day = None
    if text and day is None:
        problems.append(
            _("“%(text)s” is not a valid date. Enter a date such as 2027-05-21.")
            % {"text": text[:30]}
        )
    return day


def _follow(parameters: QueryDict) -> tuple[str, ...]:
    words = ",".join(parameters.getlist("follow")).split(",")
    return tuple(dict.fromkeys(word for word in words if word))[:MAX_FOLLOWED]


def arranged(lines: Sequence[Standing], query: RankingQuery) -> list[Standing]:
    """Sort the lines of the escalafón by the requested column.

    Equal lines stay in the order of the ranking.
    """
    if query.sort == "place":
        return list(reversed(lines)) if query.backwards else list(lines)
    most_first = (query.sort in UPWARDS) == query.backwards
    if query.sort == "name":
        return sorted(lines, key=lambda line: sort_key(line.name), reverse=most_first)
    return sorted(lines, key=lambda line: getattr(line, query.sort), reverse=most_first)


@dataclass(frozen=True, kw_only=True)
class RankingHeading:
    """A column heading with the link that sorts by the column, and the current sort order."""

    name: str
    label: str
    icon: str
    sort: str
    aria: str


def headings(query: RankingQuery) -> list[RankingHeading]:
    labels = (
        ("place", _("Place"), ""),
        ("name", _("Matador"), ""),
        ("corridas", _("Corridas"), ""),
        ("ears", _("Ears"), "ear"),
        ("tails", _("Tails"), "tail"),
        ("vueltas", _("Vueltas"), "vuelta"),
        ("indultos", _("Indultos"), "indulto"),
        ("avisos", _("Avisos"), "aviso"),
        ("rate", _("Ears per bull"), ""),
    )
    return [_heading(query, *label) for label in labels]


def _heading(query: RankingQuery, name: str, label: str, icon: str) -> RankingHeading:
    active = query.sort == name
    upwards = (name in UPWARDS) != query.backwards
    return RankingHeading(
        name=name,
        label=label,
        icon=icon,
        sort=f"-{name}" if active and not query.backwards else name,
        aria=("ascending" if upwards else "descending") if active else "",
    )


@dataclass(frozen=True, kw_only=True)
class RaceView:
    """The chart of places over the season, in a wide and a narrow version, and as a table."""

    wide: charts.Race
    slim: charts.Race
    lines: tuple[charts.RaceLine, ...]
    days: tuple[tuple[str, str], ...]
    strangers: tuple[str, ...]


def race_view(
    course: SeasonResults,
    milestones: Sequence[tuple[date, str]],
    lines: Sequence[Standing],
    people: Mapping[int, MatadorNames],
    follow: Sequence[str],
) -> RaceView | None:
    """Return the chart of the first ten matadors and of the followed ones over the season.

    Return None if there are fewer than two dates to draw.
    """
    if len(milestones) < 2:
        return None
    tables = places(course, [day for day, _name in milestones], dict(people))
    drawn = _drawn(lines, tables, follow)
    days = tuple((name, date_format(day, "j M")) for day, name in milestones)
    known = {line.slug for line in lines}
    return RaceView(
        wide=charts.race(drawn, days),
        slim=charts.race([_cut(line) for line in drawn], days[-SLIM_DAYS:], SLIM_WIDTH),
        lines=drawn,
        days=days,
        strangers=tuple(slug for slug in follow if slug not in known),
    )


def _drawn(
    lines: Sequence[Standing], tables: Sequence[Mapping[int, int]], follow: Sequence[str]
) -> tuple[charts.RaceLine, ...]:
    lines_drawn = [line for line in lines if line.place <= RACED or line.slug in follow]
    worn = charts.suits([line.pk for line in lines])
    return tuple(
        charts.RaceLine(
            name=line.name,
            slug=line.slug,
            suit=worn[line.pk],
            count=line.corridas,
            places=tuple(table.get(line.pk) for table in tables),
            followed=line.slug in follow,
        )
        for line in lines_drawn
    )


def _cut(line: charts.RaceLine) -> charts.RaceLine:
    return charts.RaceLine(
        name=line.name,
        slug=line.slug,
        suit=line.suit,
        count=line.count,
        places=line.places[-SLIM_DAYS:],
        followed=line.followed,
    )
