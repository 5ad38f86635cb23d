"""The escalafón: ranking, race and CSV, kept under the season's posted version."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from corridas.models import Season
from corridas.queries import escalafon, race
from corridas.queries.circuit import SHIPPED, Mark, find_mark, find_ranked, years
from corridas.queries.tables import AtTables, verified
from corridas.shield import Tells, Told, among_of
from corridas.views import ranking
from corridas.views.circuits.seen import stamp
from corridas.views.pictures import suits
from corridas.views.shield import told
from kept import Keeping, kept_page
from spreadsheets.sheets import escaped

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
    shown = told(request, circuit, among_of(Tells.SEASON, {"year": year}))
    shown, until = shown.up_to(asked.until)
    asked = replace(asked, until=until)
    if form == "csv" or request.GET.get("format") == "csv":
        if asked.problems:
            text = "\n".join(asked.problems)
            return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
        return _csv(_season(mark), asked)
    answer = _kept_page(request, mark, asked, shown)
    if asked.problems:
        answer.status_code = 400
    return answer


def _season(mark: Mark) -> Season:
    return Season.objects.select_related("circuit").get(pk=mark.season)


def _kept_page(request: HttpRequest, mark: Mark, asked: ranking.Asked, shown: Told) -> HttpResponse:
    marks = (*mark, asked.key, shown.mark, *stamp(request))
    keeping = Keeping(name="escalafon", marks=marks, common=_is_common(request, asked))

    def rendered() -> str:
        context = _context(_season(mark), asked) | {"told": shown}
        return render_to_string("corridas/escalafon.html", context, request)

    return kept_page(request, keeping, rendered)


def _is_common(request: HttpRequest, asked: ranking.Asked) -> bool:
    """Whether others will ask for the same; what anybody can make up at will is not kept."""
    wishes = asked.until or asked.follow or asked.problems
    short = len(request.META.get("QUERY_STRING", "")) <= LONGEST_KEPT
    return not wishes and short and set(request.GET) <= KEPT_PARAMETERS


def _context(season: Season, asked: ranking.Asked) -> dict[str, Any]:
    """What the page shows; a fixed number of queries, whatever the number of seasons."""
    ranked = race.told(season, asked.categories, asked.until)
    lines, part = ranked.lines, ranked.part
    worn = suits([line.pk for line in lines])
    tables = verified(season, asked.categories, asked.until)
    return {
        "circuit": season.circuit.slug,
        "season": season,
        "years": years(season.circuit.slug),
        "asked": asked,
        "headings": ranking.headings(asked),
        "rows": _rows(ranked, asked, worn, tables),
        "podium": [(line, worn[line.pk]) for line in lines[:3]],
        "race": ranking.race_view(part, ranked.marks, lines, ranked.people, asked.follow),
        "days": ranked.course.days,
        "tables": tables,
        "held": len({one.corrida for one in part.paseillos}),
        "before": ranked.marks[-2][0] if len(ranked.marks) > 1 else None,
    }


def _rows(
    told: race.Told, asked: ranking.Asked, worn: Mapping[int, int], tables: AtTables
) -> list[dict[str, Any]]:
    """The lines in the order asked for, each with the way he went and what he wears."""
    form, most = escalafon.form(told.part), max(1, told.lines[0].corridas) if told.lines else 1
    return [
        {
            "line": line,
            "suit": worn[line.pk],
            "form": form.get(line.pk, []),
            "share": round(100 * line.corridas / most, 1),
            "moved": gained,
            "tables": tables.matadors.get(line.pk),
        }
        for line, gained in race.moved(ranking.arranged(told.lines, asked), told.before())
    ]


def _csv(season: Season, asked: ranking.Asked) -> HttpResponse:
    """The same lines as a file; a name that a spreadsheet would compute is quoted."""
    part = escalafon.Course((), ())
    if asked.until is not None:
        course = escalafon.course(season)
        part = course.until(asked.until, asked.categories)
    lines, _people = race.lines(season, asked.categories, asked.until, part)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="escalafon-{season.year}.csv"'
    sheet = csv.writer(response)
    sheet.writerow(["place", "matador", *escalafon.COLUMNS])
    for line in ranking.arranged(lines, asked):
        counts = [getattr(line, name) for name in escalafon.COLUMNS]
        sheet.writerow([line.place, escaped(line.name), *counts])
    return response
