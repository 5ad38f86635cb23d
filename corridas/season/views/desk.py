"""The director's desk: continue or stop the season, set a cartel, put a corrida on air."""

from __future__ import annotations

from typing import TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from corridas import errors
from corridas.addresses import address
from corridas.broadcast import source
from corridas.circuits import queries as circuits
from corridas.circuits.access import directed
from corridas.circuits.forms import SeasonForm
from corridas.circuits.operations import plan_season
from corridas.circuits.queries import SHIPPED, find_season
from corridas.models import Circuit, Corrida, Season, TableCorrida
from corridas.season import operations as season_operations
from corridas.season import queries, results
from corridas.season.forms import AirForm, CartelForm, RunForm, refuse
from corridas.season.operations import open_next_season
from corridas.season.winter_queries import Left, left_in_season
from corridas.spoilers.views import unwatched
from corridas.tabletop.queries import waiting_at_tables

DIRECT = "corridas.direct_circuit"
NEXT_CORRIDAS = 12


def _directed_season(request: HttpRequest, circuit: str) -> Season:
    season = find_season(circuit=circuit)
    if season is None:
        raise Http404("no season")
    if not request.user.has_perm(DIRECT, season.circuit):
        raise PermissionDenied(_("Only the director of this circuit can open this page."))
    return season


@login_required
@require_safe
def desk_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    if find_season(circuit=circuit) is None:
        return _bare(request, directed(request, circuit))
    return _desk(request, _directed_season(request, circuit))


def _bare(request: HttpRequest, circuit: Circuit, form: SeasonForm | None = None) -> HttpResponse:
    form = form or SeasonForm(initial={"year": timezone.now().year})
    context = {
        "circuit": circuit.slug,
        "directed_circuit": circuit,
        "begin_form": form,
        "holds": circuits.belongings(circuit),
    }
    return render(request, "corridas/desk_bare.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def begin(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home = directed(request, circuit)
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
    season = _directed_season(request, circuit)
    try:
        following = open_next_season(
            circuit=season.circuit, at=timezone.now(), leave_failed="leave" in request.POST
        )
    except errors.OperationError as error:
        messages.error(request, str(error))
        return redirect(address(circuit, "desk"))
    messages.success(request, _("The winter has ended, and %s has been planned.") % following)
    if request.POST.get("then") == "season":
        return redirect(address(circuit, "season", year=following.year))
    return redirect(address(circuit, "winter", year=season.year))


class DeskContext(TypedDict):
    """What the desk shows. `waiting` is a number of corridas, `tables` the urgent ones first."""

    circuit: str
    season: Season
    progress: queries.Progress | None
    waiting: int
    left: Left
    failed: list[Corrida]
    tables: list[TableCorrida]
    airing: list[Corrida]
    coming: list[results.Afternoon]
    run_form: RunForm
    air_form: AirForm


def _desk(
    request: HttpRequest,
    season: Season,
    *,
    run_form: RunForm | None = None,
    air_form: AirForm | None = None,
) -> HttpResponse:
    at = timezone.now()
    coming = results.afternoons(queries.coming(season, NEXT_CORRIDAS), at)
    context: DeskContext = {
        "circuit": season.circuit.slug,
        "season": season,
        "progress": queries.latest_run(season, at),
        "waiting": queries.queued_corridas(season),
        "left": left_in_season(season),
        "failed": queries.failed_corridas(season),
        "tables": waiting_at_tables(season),
        "airing": queries.on_air(season.circuit.slug, at),
        "coming": coming,
        "run_form": run_form or RunForm(season),
        "air_form": air_form or AirForm(season),
    }
    status = 422 if run_form or air_form else 200
    return render(request, "corridas/desk.html", context, status=status)


@login_required
@require_safe
def progress(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Show the progress of the run, a fragment that the desk requests every second."""
    season = _directed_season(request, circuit)
    progress = queries.latest_run(season, timezone.now())
    context = {"circuit": circuit, "progress": progress, "season": season}
    return render(request, "corridas/desk.html#run", context)


@login_required
@require_POST
def run(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    season = _directed_season(request, circuit)
    form = RunForm(season, request.POST)
    if form.is_valid():
        try:
            _run_on(request, season, form)
            return redirect(address(circuit, "desk"))
        except season_operations.OnAirError:
            return _ask(request, season, form)
        except errors.OperationError as error:
            refuse(form, error)
    return _desk(request, season, run_form=form)


def _ask(
    request: HttpRequest, season: Season, form: RunForm | None = None, only: Corrida | None = None
) -> HttpResponse:
    """Ask whether to post the results of corridas that are on air, with their numbers of viewers.

    Concerns `only` one corrida, or all that a run would post. The fields of the run's form are
    repeated so that it can be sent again.
    """
    rows = queries.corridas().on_air().filter(season=season).order_by("on_air_at", "pk")
    airing = list(rows.filter(pk=only.pk) if only else rows)
    names = list(form.fields) if form else []
    context = {
        "circuit": season.circuit.slug,
        "airing": airing,
        "only": only,
        "watchers": source.watchers([corrida.pk for corrida in airing], timezone.now()),
        "given": [(name, value) for name in names for value in request.POST.getlist(name)],
    }
    return render(request, "corridas/desk_ask.html", context)


def _agreed(request: HttpRequest) -> set[int]:
    return {
        int(number)
        for number in request.POST.getlist("post")
        if number.isdecimal() and len(number) < 10
    }


def _run_on(request: HttpRequest, season: Season, form: RunForm) -> None:
    new_run, notified = season_operations.run_season(
        season=season,
        goal=form.goal(),
        at=timezone.now(),
        stop_on=form.conditions(),
        by=request.user,  # type: ignore[arg-type]
        posts=_agreed(request),
    )
    message = ngettext("%(total)s corrida to play.", "%(total)s corridas to play.", new_run.total)
    messages.success(request, message % {"total": new_run.total})
    _warn_unless_notified(request, notified)


def _warn_unless_notified(request: HttpRequest, notified: bool) -> None:
    if not notified:
        messages.warning(
            request, _("The task queue is not available. This starts as soon as it is back.")
        )


@login_required
@require_POST
def stop(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    latest = queries.latest_run(_directed_season(request, circuit), timezone.now())
    if latest is None:
        raise Http404("no run")
    try:
        season_operations.request_stop(run=latest.run)
        messages.success(request, _("It stops after the corridas now being played."))
    except errors.OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, "desk"))


@login_required
@require_POST
def air(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    season = _directed_season(request, circuit)
    form = AirForm(season, request.POST)
    if form.is_valid():
        try:
            corrida: Corrida = form.cleaned_data["corrida"]
            pace_ms: int = form.cleaned_data["pace_ms"]
            notified = season_operations.queue_corrida(
                corrida=corrida, pace_ms=pace_ms, at=timezone.now()
            )
            messages.success(request, _("%s is about to start.") % corrida)
            _warn_unless_notified(request, notified)
            return redirect(address(circuit, "desk"))
        except errors.OperationError as error:
            refuse(form, error)
    return _desk(request, season, air_form=form)


@login_required
@require_POST
def cut_short(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    season = _directed_season(request, circuit)
    corrida = get_object_or_404(Corrida, pk=pk, season=season)
    if corrida.state == Corrida.State.ON_AIR and corrida.pk not in _agreed(request):
        return _ask(request, season, only=corrida)
    try:
        season_operations.cut_short(corrida=corrida, at=timezone.now())
        messages.success(request, _("%s has been posted.") % corrida)
    except errors.OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, "desk"))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cartel(request: HttpRequest, pk: int, circuit: str = SHIPPED) -> HttpResponse:
    corridas = queries.corridas().select_related("season__circuit", "cartel__ganaderia")
    corrida = get_object_or_404(corridas, pk=pk, season=_directed_season(request, circuit))
    form = CartelForm(corrida, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            herd = form.cleaned_data["herd"]
            season_operations.set_cartel(corrida=corrida, matadors=form.matadors(), herd=herd)
            messages.success(request, _("The cartel of %s has been announced.") % corrida)
            return redirect(address(circuit, "desk"))
        except errors.OperationError as error:
            refuse(form, error)
    (afternoon,) = results.afternoons([corrida], timezone.now())
    context = {
        "circuit": circuit,
        "corrida": corrida,
        "form": form,
        "afternoon": afternoon,
        "unwatched": unwatched(request, circuit),
    }
    return render(request, "corridas/cartel.html", context, status=422 if form.errors else 200)
