"""The season's calendar by month or by feria, and the page of a feria."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import NamedTuple, NotRequired, TypedDict

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.page_cache.shared import shared_page
from corridas import calendar, results
from corridas.circuit_queries import SHIPPED, find_season, years
from corridas.models import Corrida, Feria, Season
from corridas.pages.access import may_plan
from corridas.pages.spoilers.views import unwatched
from corridas.season.feria_preview import preview
from corridas.season.pauses import calendar_pause
from corridas.world.pauses import Pause


@require_safe
@shared_page(10)
def season_page(
    request: HttpRequest, year: int | None = None, circuit: str = SHIPPED
) -> HttpResponse:
    season = find_season(year, circuit)
    if season is None and year is not None:
        raise Http404(f"no season {year}")
    context: dict[str, object] = {"circuit": circuit}
    if season:
        context |= _context(request, season)
    return render(request, "corridas/season.html", context)


class SeasonContext(TypedDict):
    """Template context of the calendar, grouped `by` feria or by month.

    `month` (1-12) is the month whose days are shown. `category` is the category of plazas shown, or
    None for all. `pause` is set for the director while the first carteles of a new season are not
    announced yet.
    """

    season: Season
    years: list[int]
    by: str
    unwatched: frozenset[int]
    category: int | None
    pause: Pause | None
    ferias: NotRequired[QuerySet[Feria]]
    months: NotRequired[list[date]]
    month: NotRequired[int | None]
    days: NotRequired[dict[date, list[results.CorridaResult]]]


def _context(request: HttpRequest, season: Season) -> SeasonContext:
    at = timezone.now()
    dates = calendar.corridas().filter(season=season)
    by = "feria" if request.GET.get("by") == "feria" else "month"
    number = request.GET.get("category", "")
    category = int(number) if number in {"1", "2", "3"} else None
    context: SeasonContext = {
        "season": season,
        "years": years(season.circuit.slug),
        "by": by,
        "unwatched": (hidden := unwatched(request, season.circuit.slug)),
        "category": category,
        "pause": calendar_pause(season, at) if may_plan(request, season) else None,
    }
    if by == "feria":
        context["ferias"] = calendar.ferias(season)
        return context
    if category:
        dates = dates.filter(plaza__category=category)
    months = calendar.months(season)
    month = _month(request.GET.get("month", ""), months, calendar.current_day(season))
    listed = list(dates.filter(date__month=month).order_by("date", "pk")) if month else []
    days = defaultdict(list)
    for afternoon in results.afternoons(listed, at, hidden=hidden):
        days[afternoon.corrida.date].append(afternoon)
    context["months"], context["month"], context["days"] = months, month, dict(days)
    return context


def _month(text: str, months: list[date], current: date | None) -> int | None:
    present = [month.month for month in months]
    chosen = next((month for month in present if str(month) == text.lstrip("0")), None)
    if chosen:
        return chosen
    if current and current.month in present:
        return current.month
    return present[0] if present else None


@require_safe
@shared_page(10)
def feria_page(request: HttpRequest, year: int, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    ferias = Feria.objects.select_related("plaza", "season__circuit")
    feria = get_object_or_404(ferias, season__year=year, season__circuit__slug=circuit, slug=slug)
    dates = list(calendar.corridas().filter(feria=feria).order_by("date", "pk"))
    hidden = unwatched(request, circuit)
    afternoons = results.afternoons(dates, timezone.now(), hidden=hidden)
    context = {
        "circuit": circuit,
        "feria": feria,
        "season": feria.season,
        "afternoons": afternoons,
        "preview": preview(feria, dates, results=not hidden),
        "summary": results.summary(afternoons),
        "unwatched": any(afternoon.hidden for afternoon in afternoons),
        "plan": _plan(request, feria.season, afternoons),
    }
    return render(request, "corridas/feria.html", context)


class Plannable(NamedTuple):
    """A corrida whose cartel (poster) the director may still choose.

    `cartel` is set while no cartel has been announced.
    """

    afternoon: results.CorridaResult
    cartel: calendar.OpenCartel | None


def _plan(
    request: HttpRequest, season: Season, afternoons: list[results.CorridaResult]
) -> list[Plannable]:
    announced = [
        afternoon for afternoon in afternoons if afternoon.corrida.state == Corrida.State.ANNOUNCED
    ]
    if not announced or not may_plan(request, season):
        return []
    carteles = calendar.open_carteles(calendar.to_play(season))
    still_open = {cartel.corrida.pk: cartel for cartel in carteles}
    return [Plannable(afternoon, still_open.get(afternoon.corrida.pk)) for afternoon in announced]
