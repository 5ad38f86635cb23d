"""The play control: choose how far to simulate the season, and follow or stop the simulation.

The director sees it in the header of every page of a circuit and on a page of its own. Pages that
are cached for all visitors contain only an empty element, which `play.js` fills.
"""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple, TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.keys import parse_key
from corridas import calendar, results
from corridas.addresses import address
from corridas.broadcast import source
from corridas.calendar import Progress, ToPlay
from corridas.circuit_queries import SHIPPED, find_season
from corridas.circuits.operations import check_directs
from corridas.errors import OperationError
from corridas.models import Corrida, Run, Season
from corridas.pages.access import directed_circuit, signed_in_user
from corridas.pages.circuits.forms import refuse
from corridas.pages.season.forms import RunForm
from corridas.season import operations
from corridas.season.pauses import NextWinter, next_winter
from corridas.simulation.run import played_at_once
from corridas.world.contract_dates import contracted_by_run

# By default the form offers a date this long after the next corrida.
A_MONTH = dt.timedelta(days=30)
# Session key under which the circuit that the user directed last is stored. Pages outside of any
# circuit link to it.
SESSION_KEY = "directs"


def directed_season(request: HttpRequest, circuit: str) -> Season:
    season = find_season(circuit=circuit)
    if season is None:
        raise Http404("no season")
    check_directs(request.user, season.circuit)
    return season


class Way(NamedTuple):
    """A choice of the play control, such as one week.

    `far` is a value of `RunForm.far`, `number` counts the corridas that would be simulated, and
    `carteles` the open carteles that the site would choose on the way.
    """

    far: str
    icon: str
    label: str
    detail: str
    number: int
    carteles: int


class ControlContext(TypedDict):
    """Template context of the play control.

    `ways` are the buttons. `until` is a date to choose, with `until_count` corridas up to it. `run`
    is the latest run, and its result is shown if `tells_end` is true. `airing` are the corridas on
    air. `asks` is true if the director must confirm that their results are posted, or that the site
    chooses `asks_for` open carteles; `given` are the form fields to submit again with the
    confirmation. `opened` is true if the choices are shown at once, for new directors. `ended` is
    true if the season of the run is over. `winter` says when the winter comes, if nothing of the
    season is left to play.
    """

    circuit: str
    season: Season
    progress: Progress | None
    run: Run | None
    tells_end: bool
    following: ToPlay | None
    people: list[str]
    ways: list[Way]
    until: str
    until_count: int
    until_carteles: int
    form: RunForm
    stops: list[tuple[str, str, bool]]
    airing: list[Corrida]
    watchers: int | None
    asks: bool
    asks_for: int
    stoppable: bool
    opened: bool
    given: list[tuple[str, str]]
    warning: str
    ended: bool
    winter: NextWinter | None


def control(
    request: HttpRequest, season: Season, form: RunForm | None = None, *, asks: bool = False
) -> ControlContext:
    """Return the template context of the play control. Costs at most four queries."""
    if request.session.get(SESSION_KEY) != season.circuit.slug:
        request.session[SESSION_KEY] = season.circuit.slug
    at = timezone.now()
    seen = request.GET.get("seen", "")
    # Look up the last run by its key. In a circuit whose corridas are broadcast continuously, the
    # next season may begin before the director has seen the result of that run.
    progress = calendar.latest_run(season, at) or calendar.ended_run(season, seen, at)
    run = progress.run if progress else None
    waiting = calendar.to_play(season)
    airing = list(calendar.corridas().on_air().filter(season=season).order_by("on_air_at", "pk"))
    form = form or _form_of_date(request, season)
    until = form.cleaned_data.get("until") if form.is_bound and form.is_valid() else None
    if until is None and waiting:
        until = _usual_date(waiting, run)
    again = form.is_bound and request.method == "POST"
    tells_end = bool(run and seen == str(run.pk))
    over = not waiting and calendar.is_over(season.pk) and bool(calendar.current_day(season))
    chosen = request.POST.getlist("stop_on") if again else (run.stop_on if run else "").split(",")
    at_once = played_at_once("".join(chosen))
    return {
        "circuit": season.circuit.slug,
        "season": season,
        "progress": progress,
        "run": run,
        "tells_end": tells_end,
        "following": waiting[0] if waiting else None,
        "people": _people(waiting[0]) if waiting and not (run and run.active) else [],
        "ways": _ways(waiting, run, at_once),
        "until": form.data.get("until") or (until.isoformat() if until else ""),
        "until_count": sum(corrida.date <= until for corrida in waiting) if until else 0,
        "until_carteles": _taken(waiting, _until(waiting, until), at_once) if until else 0,
        "form": form,
        "stops": [(value, label, value in chosen) for value, label in _stops(form)],
        "airing": airing,
        "watchers": source.watchers([c.pk for c in airing], at) if airing else None,
        "asks": asks,
        "asks_for": _asked_for(request, season, form) if asks else 0,
        "stoppable": True,
        "opened": "play" in request.GET,
        "given": [
            (name, value)
            for name in form.fields
            for value in request.POST.getlist(name)
            if name != "carteles"
        ],
        "warning": "",
        "ended": _has_ended(season, run, over) if run and not run.active else False,
        "winter": next_winter(season, at) if over else None,
    }


def _has_ended(season: Season, run: Run, over: bool) -> bool:
    """Return whether the season that the run belongs to is over.

    `season` is the circuit's current season, which may already be the next one.
    """
    return over if run.season_id == season.pk else calendar.is_over(run.season_id)


def _asked_for(request: HttpRequest, season: Season, form: RunForm) -> int:
    """Return for how many open carteles the director must agree that the site chooses them
    during a run.

    An open cartel is a corrida whose matadors are not chosen yet. Return 0 if no agreement is
    needed.
    """
    if form.cleaned_data["carteles"] is None or operations.has_agreed(
        season, signed_in_user(request)
    ):
        return 0
    try:
        return operations.carteles_contracted(season, form.goal(), form.conditions())
    except OperationError:
        return 0  # No corridas are left up to this goal. The next request reports this error.


def _form_of_date(request: HttpRequest, season: Season) -> RunForm:
    """Return the form of a date up to which to simulate: empty, or bound to the date of the
    parameter `?until=`.
    """
    if "until" not in request.GET:
        return RunForm(season)
    data = request.GET.copy()
    data["far"] = "until"
    return RunForm(season, data)


def _stops(form: RunForm) -> list[tuple[str, str]]:
    return form.fields["stop_on"].choices  # type: ignore[attr-defined, no-any-return]


def _people(corrida: ToPlay) -> list[str]:
    (afternoon,) = results.afternoons([Corrida(pk=corrida.pk)], timezone.now(), hidden=[corrida.pk])
    return [share.name for share in afternoon.shares]


def _usual_date(waiting: list[ToPlay], run: Run | None) -> dt.date:
    """Return the date that the form offers: that of the latest run, if it is still to come.

    Otherwise return a date about a month ahead.
    """
    first, last = waiting[0].date, waiting[-1].date
    if run is not None and first <= run.until < last:
        return run.until
    return min(first + A_MONTH, last)


def _ways(waiting: list[ToPlay], run: Run | None, at_once: int) -> list[Way]:
    if not waiting:
        return []
    first, last = waiting[0], waiting[-1]
    week = first.date + operations.WEEK
    to_last = _("Until the last corrida: %(city)s, %(day)s") % {
        "city": last.city,
        "day": _day(last.date),
    }
    ways = [
        ("next", "step", _("Next corrida"), f"{first.city}, {_day(first.date)}", waiting[:1]),
        *_feria(waiting),
        ("week", "week", _("Play one week"), _("Until %s") % _day(week), _until(waiting, week)),
        ("end", "cup", _("Play to the end of the season"), to_last, waiting),
    ]
    return [
        Way(far, icon, label, detail, len(corridas), _taken(waiting, corridas, at_once))
        for far, icon, label, detail, corridas in _again(waiting, run) + ways
    ]


# A choice of the play control (for example, one week) before its corridas are counted.
_Draft = tuple[str, str, str, str, list[ToPlay]]


def _until(waiting: list[ToPlay], day: dt.date) -> list[ToPlay]:
    return [corrida for corrida in waiting if corrida.date <= day]


def _taken(waiting: list[ToPlay], corridas: list[ToPlay], at_once: int) -> int:
    """Return how many open carteles the site would choose before it plays these corridas.

    An open cartel is a corrida whose matadors are not chosen yet.
    """
    still_open = [corrida.date for corrida in waiting if corrida.is_open]
    return contracted_by_run([corrida.date for corrida in corridas], still_open, at_once=at_once)


def _feria(waiting: list[ToPlay]) -> list[_Draft]:
    following = next((corrida for corrida in waiting if corrida.feria), None)
    if following is None:
        return []
    left = [corrida for corrida in waiting if corrida.feria == following.feria]
    words = {"feria": following.feria_name, "day": _day(left[-1].date)}
    label = _("Play this feria") if following is waiting[0] else _("Play the next feria")
    return [("feria", "feria", label, _("%(feria)s, until %(day)s") % words, left)]


def _again(waiting: list[ToPlay], run: Run | None) -> list[_Draft]:
    """Return the choice to continue a stopped run, or an empty list if no corrida of its goal is
    left.
    """
    if run is None or run.active or run.state == Run.State.DONE:
        return []
    left = [
        corrida
        for corrida in waiting
        if corrida.date <= run.until and run.feria_id in (None, corrida.feria)
    ][: None if run.most is None else run.most - run.done]
    if not left:
        return []
    detail = _("Until %s, with the same conditions") % _day(left[-1].date)
    return [("again", "play", _("Continue"), detail, left)]


def _day(day: dt.date) -> str:
    return date_format(day, "j F")


def _is_script(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _show(request: HttpRequest, context: ControlContext) -> HttpResponse:
    """Render the play control as a page, or only the two fragments that `play.js` requests."""
    status = 422 if context["form"].errors and request.method == "POST" else 200
    part = "#parts" if _is_script(request) else ""
    response = render(request, f"corridas/play.html{part}", {**context}, status=status)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_safe
def play_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    season = find_season(circuit=circuit)
    if season is None:
        directed_circuit(request, circuit)
        if _is_script(request):
            return HttpResponse(status=204)
        return redirect(address(circuit, "desk"))
    check_directs(request.user, season.circuit)
    return _show(request, control(request, season))


@login_required
@require_POST
def run(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    season = directed_season(request, circuit)
    form = RunForm(season, request.POST)
    if form.is_valid():
        try:
            return _started(request, season, form)
        except (operations.OnAirError, operations.CartelesError):
            return _show(request, control(request, season, form, asks=True))
        except operations.PlayedMeanwhileError as error:
            return _answer(request, season, warning=str(error))
        except OperationError as error:
            refuse(form, error)
    return _show(request, control(request, season, form))


def agreed(request: HttpRequest) -> set[int]:
    """Return the keys of corridas on air whose results the director agrees to post."""
    sent = map(parse_key, request.POST.getlist("post"))
    return {number for number in sent if number is not None}


def _started(request: HttpRequest, season: Season, form: RunForm) -> HttpResponse:
    latest = form.cleaned_data["latest"]
    operations.check_latest(season, latest)  # checked before the goal, which may already be reached
    _run, notified = operations.run_season(
        season=season,
        goal=form.goal(),
        at=timezone.now(),
        stop_on=form.conditions(),
        by=request.user,  # type: ignore[arg-type]
        posts=agreed(request),
        latest=latest,
        carteles=form.cleaned_data["carteles"],
    )
    return _answer(request, season, warning="" if notified else without_queue())


def _answer(request: HttpRequest, season: Season, *, warning: str) -> HttpResponse:
    if _is_script(request):
        context = control(request, season)
        context["warning"] = warning
        # A run can end at once: posting the results of a corrida on air may already meet a stop
        # condition, such as a new leader.
        context["tells_end"] = bool(context["run"] and not context["run"].active)
        return _show(request, context)
    if warning:
        messages.warning(request, warning)
    return redirect(address(season.circuit.slug, "desk"))


def without_queue() -> str:
    return _(
        "The task queue is not available at the moment. This task will start as soon as "
        "the queue is back."
    )


@login_required
@require_POST
def stop(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    season = directed_season(request, circuit)
    latest = calendar.latest_run(season, timezone.now())
    if latest is None:
        raise Http404("no run")
    try:
        operations.request_stop(run=latest.run)
    except OperationError as error:
        if not _is_script(request):
            messages.error(request, str(error))
    if _is_script(request):
        return _show(request, {**control(request, season), "tells_end": True})
    return redirect(address(circuit, "desk"))
