"""The director's desk: open decisions, coming corridas, broadcasts and the winter."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from core.keys import parse_key
from corridas import calendar, errors, results
from corridas import circuit_queries as circuits
from corridas.addresses import address
from corridas.broadcast import source
from corridas.calendar_faults import calendar_fault
from corridas.circuit_queries import SHIPPED, find_season
from corridas.circuits.calendar_checks import broken_calendar
from corridas.circuits.operations import plan_season
from corridas.models import Circuit, Corrida, Feria, Season, TableCorrida
from corridas.pages.access import directed_circuit
from corridas.pages.circuits.forms import SeasonForm, refuse
from corridas.pages.season.forms import AirForm
from corridas.pages.season.play import (
    ControlContext,
    agreed,
    control,
    directed_season,
    without_queue,
)
from corridas.pages.spoilers.views import unwatched
from corridas.season import operations as season_operations
from corridas.season import pauses
from corridas.season.operations import open_next_season
from corridas.simulation.winter_queries import UnfinishedCorridas, left_in_season
from corridas.tabletop.queries import waiting_at_tables
from corridas.world.pauses import Pause
from leagues.models import Match

NEXT_CORRIDAS = 8
# Maximum number of ferias whose open carteles (unannounced posters) are listed.
OPEN_SHOWN = 3
# Maximum number of carteles with a missing matador that are listed.
LOST_SHOWN = 5


@login_required
@require_safe
def desk_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    if find_season(circuit=circuit) is None:
        return _bare(request, directed_circuit(request, circuit))
    return _desk(request, directed_season(request, circuit))


def _bare(request: HttpRequest, circuit: Circuit, form: SeasonForm | None = None) -> HttpResponse:
    form = form or SeasonForm(initial={"year": timezone.now().year})
    context = {
        "circuit": circuit.slug,
        "directed_circuit": circuit,
        "begin_form": form,
        "holds": circuits.belongings(circuit),
        "calendar_fault": _calendar_fault(circuit),
    }
    return render(request, "corridas/desk_bare.html", context, status=422 if form.errors else 200)


def _calendar_fault(circuit: Circuit) -> str:
    """Return why the circuit's calendar is impossible in a later year, or an empty string."""
    error = broken_calendar(circuit)
    return calendar_fault(error) if error else ""


@login_required
@require_POST
def begin(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home = directed_circuit(request, circuit)
    form = SeasonForm(request.POST)
    if form.is_valid():
        try:
            season = plan_season(circuit=home, year=form.cleaned_data["year"])
            messages.success(request, _("%s has been planned.") % season)
            return redirect(address(circuit, "desk"))
        except errors.OperationError as error:
            refuse(form, error)
    return _bare(request, home, form)


@login_required
@require_POST
def winter(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    season = directed_season(request, circuit)
    try:
        following = open_next_season(
            circuit=season.circuit,
            at=timezone.now(),
            leave_failed="leave" in request.POST,
            year=_year(request.POST.get("year", "")),
        )
    except errors.OperationError as error:
        messages.error(request, str(error))
        return redirect(address(circuit, "desk"))
    messages.success(
        request, _("The winter has ended, and the next season has been planned: %s.") % following
    )
    if request.POST.get("then") == "season":
        return redirect(address(circuit, "season", year=following.year))
    return redirect(address(circuit, "winter", year=following.year - 1))


def _year(text: str) -> int | None:
    """Return the year that the director submitted with a form, or None if it is missing or
    invalid.
    """
    number = parse_key(text)
    return number if number is not None and number <= circuits.LAST_YEAR else None


@login_required
@require_POST
def begin_season(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Begin a new season after its director has checked the calendar."""
    season = directed_season(request, circuit)
    try:
        pauses.begin_season(season=season, at=timezone.now())
        messages.success(request, _("%s begins now.") % season)
    except errors.OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, "desk"))


@login_required
@require_POST
def fill(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Let the site choose the carteles (posters) of a feria, or outside the ferias, that have
    no matadors yet.
    """
    season = directed_season(request, circuit)
    feria = parse_key(request.POST.get("feria", ""))
    try:
        number = season_operations.fill_open_carteles(season=season, feria=feria, at=timezone.now())
        sentence = ngettext(
            "%(count)s cartel has been contracted.",
            "%(count)s carteles have been contracted.",
            number,
        )
        messages.success(request, sentence % {"count": number})
    except errors.OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, "desk"))


class DeskContext(ControlContext):
    """Template context of the director's desk, in addition to that of the play control.

    `waiting` is the number of queued corridas. `unconfirmed` are corridas of real tables whose
    result awaits confirmation, and `tables` are the other ones, the most urgent first. `next_open`
    is the next open cartel after the one just announced. `pause` is the time before a new season
    begins, in which the director can choose the first carteles.
    """

    waiting: int
    left: UnfinishedCorridas
    calendar_fault: str
    ferias: list[Feria]
    failed: list[Corrida]
    open_carteles: list[calendar.OpenCarteles]
    open_later: list[calendar.OpenCarteles]
    next_open: calendar.ToPlay | None
    pause: Pause | None
    lost: list[calendar.LostMatador]
    lost_further: int
    unconfirmed: list[TableCorrida]
    tables: list[TableCorrida]
    coming: list[results.CorridaResult]
    air_form: AirForm


def _desk(request: HttpRequest, season: Season, *, air_form: AirForm | None = None) -> HttpResponse:
    at, shown = timezone.now(), control(request, season)
    tables = waiting_at_tables(season)
    unconfirmed = [table for table in tables if table.match.state in Match.UNSETTLED]
    waiting = calendar.to_play(season)
    carteles = calendar.open_by_feria(waiting)
    announced = parse_key(request.GET.get("announced", ""))
    lost = calendar.lost_matadors(season, unwatched(request, season.circuit.slug))
    context: DeskContext = {
        **shown,
        "tells_end": bool(shown["run"] and shown["run"].asked_by_id),
        "waiting": calendar.queued_corridas(season),
        "left": left_in_season(season),
        "calendar_fault": _calendar_fault(season.circuit),
        "ferias": list(calendar.ferias(season)),
        "failed": calendar.failed_corridas(season),
        "open_carteles": carteles[:OPEN_SHOWN],
        "open_later": carteles[OPEN_SHOWN:],
        "next_open": calendar.next_open(waiting, announced) if announced else None,
        "pause": pauses.calendar_pause(season, at),
        "lost": lost[:LOST_SHOWN],
        "lost_further": len(lost[LOST_SHOWN:]),
        "unconfirmed": unconfirmed,
        "tables": [table for table in tables if table not in unconfirmed],
        "coming": results.afternoons(calendar.coming(season, NEXT_CORRIDAS), at),
        "air_form": air_form or AirForm(season),
    }
    part = "#desk" if request.headers.get("HX-Request") == "true" else ""
    status = 422 if air_form else 200
    return render(request, f"corridas/desk.html{part}", {**context}, status=status)


def _ask(request: HttpRequest, season: Season, corrida: Corrida) -> HttpResponse:
    """Ask the director to confirm publishing the results of a corrida that is still being
    broadcast.

    The page says how many people are watching.
    """
    context = {
        "circuit": season.circuit.slug,
        "airing": [corrida],
        "only": True,
        "watchers": source.watchers([corrida.pk], timezone.now()),
    }
    return render(request, "corridas/desk_ask.html", context)


@login_required
@require_POST
def air(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    season = directed_season(request, circuit)
    form = AirForm(season, request.POST)
    if form.is_valid():
        try:
            corrida: Corrida = form.cleaned_data["corrida"]
            notified = season_operations.queue_corrida(
                corrida=corrida,
                pace_ms=form.pace_ms(),
                at=timezone.now(),
                carteles=form.cleaned_data["carteles"],
            )
            messages.success(request, _("%s is about to start.") % corrida)
            if not notified:
                messages.warning(request, without_queue())
            return redirect(address(circuit, "desk"))
        except season_operations.CartelesError as error:
            return _ask_for_carteles(request, season, form, error.number)
        except errors.OperationError as error:
            refuse(form, error)
    return _desk(request, season, air_form=form)


def _ask_for_carteles(
    request: HttpRequest, season: Season, form: AirForm, number: int
) -> HttpResponse:
    """Ask the director to confirm that the site chooses the matadors of unannounced carteles
    (posters).

    This is needed before a corrida goes on air, because earlier carteles must be announced first.
    """
    sent = [(name, request.POST.get(name, "")) for name in form.fields if name != "carteles"]
    context = {"circuit": season.circuit.slug, "asks_for": number, "given": sent}
    return render(request, "corridas/desk_ask.html", context)


@login_required
@require_POST
def cut_short(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    season = directed_season(request, circuit)
    corrida = get_object_or_404(Corrida, pk=pk, season=season)
    if corrida.state == Corrida.State.ON_AIR and corrida.pk not in agreed(request):
        return _ask(request, season, corrida)
    try:
        season_operations.cut_short(corrida=corrida, at=timezone.now())
        messages.success(request, _("The results of %s have been posted.") % corrida)
    except errors.OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, "desk"))
