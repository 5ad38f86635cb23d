"""The escalafón as table, race and CSV, cached by the season's posted version."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, TypedDict

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.template.loader import render_to_string
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corridas.circuits.access import stamp
from corridas.circuits.queries import SHIPPED, Mark, find_mark, find_ranked, years
from corridas.escalafon.queries import ranking
from corridas.escalafon.queries.ranking import CATEGORIES, Course, Person, Standing, places
from corridas.models import Season
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import SpoilerLimit, corridas_at
from corridas.spoilers.views import spoiler_limit
from corridas.stage import charts
from corridas.stage.charts import suits
from corridas.tabletop.queries import AtTables, verified
from page_cache import PageKey, cached_response
from spreadsheets.sheets import escape_formula

CACHED_PARAMETERS = {"sort", "category", "until", "follow"}
MAX_CACHED_QUERY = 60


@require_safe
def ranking_page(
    request: HttpRequest, year: int | None = None, form: str = "", circuit: str = SHIPPED
) -> HttpResponse:
    """Show the escalafón of a season, by default the latest."""
    mark = find_ranked(circuit) if year is None else find_mark(year, circuit)
    if mark is None:
        if year is not None:
            raise Http404(f"no season {year}")
        return HttpResponse(
            render_to_string("corridas/escalafon.html", {"circuit": circuit}, request)
        )
    asked = read(request.GET) if request.GET else Asked()
    limit = spoiler_limit(request, circuit, corridas_at(SpoilerScope.SEASON, {"year": year}))
    limit, until = limit.up_to(asked.until)
    asked = replace(asked, until=until)
    if form == "csv" or request.GET.get("format") == "csv":
        if asked.problems:
            text = "\n".join(asked.problems)
            return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
        return _csv(_season(mark), asked)
    answer = _cached_page(request, mark, asked, limit)
    if asked.problems:
        answer.status_code = 400
    return answer


def _season(mark: Mark) -> Season:
    return Season.objects.select_related("circuit").get(pk=mark.season)


def _cached_page(
    request: HttpRequest, mark: Mark, asked: Asked, limit: SpoilerLimit
) -> HttpResponse:
    marks = (*mark, asked.key, limit.mark, *stamp(request))
    keeping = PageKey(name="escalafon", marks=marks, common=_is_common(request, asked))

    def rendered() -> str:
        context = _context(_season(mark), asked) | {"limit": limit}
        return render_to_string("corridas/escalafon.html", context, request)

    return cached_response(request, keeping, rendered)


def _is_common(request: HttpRequest, asked: Asked) -> bool:
    """Return whether others will request the same; arbitrary parameters are not cached."""
    wishes = asked.until or asked.follow or asked.problems
    short = len(request.META.get("QUERY_STRING", "")) <= MAX_CACHED_QUERY
    return not wishes and short and set(request.GET) <= CACHED_PARAMETERS


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the escalafón; `moved` is what it gained, `share` a percentage of corridas."""

    line: Standing
    suit: int
    form: Sequence[str]
    share: float
    moved: int | None
    tables: Counter[str] | None


class RankingContext(TypedDict):
    """What the escalafón shows; `before` is the day before the last one with a corrida."""

    circuit: str
    season: Season
    years: list[int]
    asked: Asked
    headings: list[Heading]
    rows: list[Row]
    podium: list[tuple[Standing, int]]
    race: RaceView | None
    days: Sequence[date]
    tables: AtTables
    held: int
    before: date | None


def _context(season: Season, asked: Asked) -> RankingContext:
    """Build the context in a fixed number of queries, whatever the number of seasons."""
    ranked = ranking.ranking_of(season, asked.categories, asked.until)
    lines, part = ranked.lines, ranked.part
    worn = suits([line.pk for line in lines])
    tables = verified(season, asked.categories, asked.until)
    return {
        "circuit": season.circuit.slug,
        "season": season,
        "years": years(season.circuit.slug),
        "asked": asked,
        "headings": headings(asked),
        "rows": _rows(ranked, asked, worn, tables),
        "podium": [(line, worn[line.pk]) for line in lines[:3]],
        "race": race_view(part, ranked.marks, lines, ranked.people, asked.follow),
        "days": ranked.course.days,
        "tables": tables,
        "held": len({paseillo.corrida for paseillo in part.paseillos}),
        "before": ranked.marks[-2][0] if len(ranked.marks) > 1 else None,
    }


def _rows(
    ranking_shown: ranking.Ranking, asked: Asked, worn: Mapping[int, int], tables: AtTables
) -> list[Row]:
    """Return the lines in the requested order, each with movement and suit."""
    form, most = (
        ranking.form(ranking_shown.part),
        max(1, ranking_shown.lines[0].corridas) if ranking_shown.lines else 1,
    )
    return [
        Row(
            line=line,
            suit=worn[line.pk],
            form=form.get(line.pk, []),
            share=round(100 * line.corridas / most, 1),
            moved=gained,
            tables=tables.matadors.get(line.pk),
        )
        for line, gained in ranking.moved(
            arranged(ranking_shown.lines, asked), ranking_shown.before()
        )
    ]


def _csv(season: Season, asked: Asked) -> HttpResponse:
    """Return the lines as CSV. Names that a spreadsheet would evaluate are quoted."""
    part = ranking.Course((), ())
    if asked.until is not None:
        course = ranking.course_of(season)
        part = course.until(asked.until, asked.categories)
    lines, _people = ranking.ranking_lines(season, asked.categories, asked.until, part)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="escalafon-{season.year}.csv"'
    sheet = csv.writer(response)
    sheet.writerow(["place", "matador", *ranking.COLUMNS])
    for line in arranged(lines, asked):
        counts = [getattr(line, name) for name in ranking.COLUMNS]
        sheet.writerow([line.place, escape_formula(line.name), *counts])
    return response


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
# Columns sorted in ascending order by default; all others begin with the highest value.
UPWARDS: Final = {"place", "name"}

MAX_FOLLOWED: Final = 5
SLIM_DAYS: Final = 5
SLIM_WIDTH: Final = 470
RACED: Final = 10


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The requested escalafón; `problems` lists parameters that were invalid and ignored."""

    categories: tuple[int, ...] = CATEGORIES
    until: date | None = None
    sort: str = "place"
    backwards: bool = False
    follow: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A cache key, the same for equivalent parameters."""
        parts = (self.categories, self.until, self.sort, self.backwards, self.follow, self.problems)
        return repr(parts)

    @property
    def all_plazas(self) -> bool:
        return self.categories == CATEGORIES


def read(wishes: QueryDict) -> Asked:
    """Read the query string; invalid values are ignored and reported."""
    problems: list[str] = []
    sort = wishes.get("sort", "")
    column = sort.removeprefix("-")
    if column not in SORTS:
        if sort:
            problems.append(
                _("The table can’t be sorted by “%(sort)s”: it has no such column.")
                % {"sort": sort[:30]}
            )
        sort = column = "place"
    return Asked(
        categories=_categories(wishes, problems),
        until=_until(wishes.get("until", ""), problems),
        sort=column,
        backwards=sort.startswith("-"),
        follow=_follow(wishes),
        problems=tuple(problems),
    )


def _categories(wishes: QueryDict, problems: list[str]) -> tuple[int, ...]:
    words = ",".join(wishes.getlist("category")).split(",")
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


def _follow(wishes: QueryDict) -> tuple[str, ...]:
    words = ",".join(wishes.getlist("follow")).split(",")
    return tuple(dict.fromkeys(word for word in words if word))[:MAX_FOLLOWED]


def arranged(lines: Sequence[Standing], asked: Asked) -> list[Standing]:
    """Sort lines as requested; ties are in the order of the ranking."""
    if asked.sort == "place":
        return list(reversed(lines)) if asked.backwards else list(lines)
    most_first = (asked.sort in UPWARDS) == asked.backwards
    return sorted(lines, key=lambda line: getattr(line, asked.sort), reverse=most_first)


@dataclass(frozen=True, kw_only=True)
class Heading:
    """The head of a column: its link and its present sort order."""

    name: str
    label: str
    icon: str
    sort: str
    aria: str


def headings(asked: Asked) -> list[Heading]:
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
    return [_heading(asked, *label) for label in labels]


def _heading(asked: Asked, name: str, label: str, icon: str) -> Heading:
    active = asked.sort == name
    upwards = (name in UPWARDS) != asked.backwards
    return Heading(
        name=name,
        label=label,
        icon=icon,
        sort=f"-{name}" if active and not asked.backwards else name,
        aria=("ascending" if upwards else "descending") if active else "",
    )


@dataclass(frozen=True, kw_only=True)
class RaceView:
    """The race wide, narrow for phones, and as a table."""

    wide: charts.Race
    slim: charts.Race
    lines: tuple[charts.Line, ...]
    days: tuple[tuple[str, str], ...]
    strangers: tuple[str, ...]


def race_view(
    course: Course,
    milestones: Sequence[tuple[date, str]],
    lines: Sequence[Standing],
    people: Mapping[int, Person],
    follow: Sequence[str],
) -> RaceView | None:
    """Build the race of the first ten and followed matadors; None for fewer than two milestones."""
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
) -> tuple[charts.Line, ...]:
    lines_drawn = [line for line in lines if line.place <= RACED or line.slug in follow]
    worn = charts.suits([line.pk for line in lines])
    return tuple(
        charts.Line(
            name=line.name,
            slug=line.slug,
            suit=worn[line.pk],
            count=line.corridas,
            places=tuple(table.get(line.pk) for table in tables),
            followed=line.slug in follow,
        )
        for line in lines_drawn
    )


def _cut(line: charts.Line) -> charts.Line:
    return charts.Line(
        name=line.name,
        slug=line.slug,
        suit=line.suit,
        count=line.count,
        places=line.places[-SLIM_DAYS:],
        followed=line.followed,
    )
