"""The escalafón: ranking, race and CSV, kept under the season's posted version."""

from __future__ import annotations

import csv
from collections import Counter
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from corridas.exchange.sheets import escaped
from corridas.models import Season
from corridas.queries import escalafon
from corridas.queries.calendar import feria_ends
from corridas.queries.circuit import SHIPPED, Mark, find_mark, find_ranked, years
from corridas.queries.tables import verified
from corridas.views import ranking
from corridas.views.circuits.seen import stamp
from corridas.views.pictures import suits
from kept import Keeping, kept_page

KEPT_PARAMETERS = {"sort", "category", "until", "follow"}
LONGEST_KEPT = 60


@require_safe
def page(
    request: HttpRequest, year: int | None = None, form: str = "", circuit: str = SHIPPED
) -> HttpResponse:
    """The escalafón of a season, the latest where none is named."""
    mark = find_ranked(circuit) if year is None else find_mark(year, circuit)
    if mark is None:
        if year is not None:
            raise Http404(f"no season {year}")
        return HttpResponse(
            render_to_string("corridas/escalafon.html", {"circuit": circuit}, request)
        )
    asked = ranking.read(request.GET) if request.GET else ranking.Asked()
    if form == "csv" or request.GET.get("format") == "csv":
        return _csv(_season(mark), asked)
    return _kept_page(request, mark, asked)


def _season(mark: Mark) -> Season:
    return Season.objects.select_related("circuit").get(pk=mark.season)


def _kept_page(request: HttpRequest, mark: Mark, asked: ranking.Asked) -> HttpResponse:
    marks = (*mark, asked.key, *stamp(request))
    keeping = Keeping(name="escalafon", marks=marks, common=_is_common(request, asked))

    def rendered() -> str:
        context = _context(_season(mark), asked)
        return render_to_string("corridas/escalafon.html", context, request)

    return kept_page(request, keeping, rendered)


def _is_common(request: HttpRequest, asked: ranking.Asked) -> bool:
    """Whether others will ask for the same; what anybody can make up at will is not kept."""
    wishes = asked.until or asked.follow or asked.problems
    short = len(request.META.get("QUERY_STRING", "")) <= LONGEST_KEPT
    return not wishes and short and set(request.GET) <= KEPT_PARAMETERS


def _context(season: Season, asked: ranking.Asked) -> dict[str, Any]:
    """What the page shows; a fixed number of queries, whatever the number of seasons."""
    course = escalafon.course(season)
    part = course.until(asked.until, asked.categories)
    lines, people = _lines(season, asked, part)
    marks = ranking.milestones(part.days, feria_ends(season))
    form = escalafon.form(part)
    worn = suits([line.pk for line in lines])
    tables = verified(season, asked.categories, asked.until)
    return {
        "circuit": season.circuit.slug,
        "season": season,
        "years": years(season.circuit.slug),
        "asked": asked,
        "headings": ranking.headings(asked),
        "rows": [
            {
                "line": line,
                "suit": worn[line.pk],
                "form": form.get(line.pk, []),
                "share": round(100 * line.corridas / max(1, lines[0].corridas), 1),
                "moved": moved,
                "tables": tables.matadors.get(line.pk),
            }
            for line, moved in _moved(ranking.arranged(lines, asked), part, marks, people)
        ],
        "podium": [(line, worn[line.pk]) for line in lines[:3]],
        "race": ranking.race_view(part, marks, lines, people, asked.follow),
        "days": course.days,
        "tables": tables,
        "held": len({one.corrida for one in course.paseillos}),
        "before": marks[-2][0] if len(marks) > 1 else None,
    }


def _lines(
    season: Season, asked: ranking.Asked, part: escalafon.Course
) -> tuple[list[escalafon.Standing], dict[int, escalafon.Person]]:
    """Stored counters where no date is asked for, the lidias up to the date otherwise."""
    counts: dict[int, Counter[str]]
    if asked.until is None:
        counts = escalafon.counted(season, asked.categories)
    else:
        tally = escalafon.Tally()
        tally.add(part)
        counts = tally.counts
    people = escalafon.people({*counts, *(one.matador for one in part.paseillos)})
    return escalafon.ranked(counts, people), people


def _moved(
    lines: list[escalafon.Standing],
    part: escalafon.Course,
    marks: list[Any],
    people: dict[int, escalafon.Person],
) -> list[tuple[escalafon.Standing, int | None]]:
    """Each line with the places gained since the milestone before the last; None if new."""
    if len(marks) < 2:
        return [(line, None) for line in lines]
    (before,) = escalafon.places(part, [marks[-2][0]], people)
    return [(line, before[line.pk] - line.place if line.pk in before else None) for line in lines]


def _csv(season: Season, asked: ranking.Asked) -> HttpResponse:
    """The same lines as a file; a name that a spreadsheet would compute is quoted."""
    part = escalafon.Course((), ())
    if asked.until is not None:
        course = escalafon.course(season)
        part = course.until(asked.until, asked.categories)
    lines, _people = _lines(season, asked, part)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="escalafon-{season.year}.csv"'
    sheet = csv.writer(response)
    sheet.writerow(["place", "matador", *escalafon.COLUMNS])
    for line in ranking.arranged(lines, asked):
        counts = [getattr(line, name) for name in escalafon.COLUMNS]
        sheet.writerow([line.place, escaped(line.name), *counts])
    return response
