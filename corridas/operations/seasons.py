"""Running a season on, and stopping it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corridas import simulation
from corridas.circuits.operations import check_awake, check_seasons
from corridas.models import Circuit, Corrida, Feria, Run, Season
from corridas.operations.errors import OperationError
from corridas.queries.winter import Left
from corridas.tasks import run_season as run_season_task
from corridas.tasks import tell
from corridas.world.stops import StopOn, write
from fairness import Seed

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """How far a season is run: all of these that are set, the nearest counts.

    `corridas`: so many; `feria`: only its corridas; `until`: the last date, included.
    """

    corridas: int | None = None
    feria: Feria | None = None
    until: dt.date | None = None


class OnAirError(OperationError):
    """Corridas are on air whose posting nobody has agreed to; nothing was changed."""

    def __init__(self) -> None:
        super().__init__(
            _("A corrida is on air. If you continue the season, its results are posted at once.")
        )


def run_season(
    *,
    season: Season,
    goal: Goal,
    at: dt.datetime,
    stop_on: Sequence[StopOn] = (),
    by: User | None = None,
    posts: Collection[int] | None = None,
    within: bool = False,
) -> tuple[Run, bool]:
    """Run a season on; the results of what is on air are posted first.

    `posts`: the corridas on air (ids) that whoever asks has agreed to have posted; `OnAirError`
    where another is on air. None agrees to all.

    Returns the run and whether a worker was told: where the broker is away it waits and begins
    when the broker is back. `within` a transaction of the caller's, workers are told when that is
    committed. Raises `OperationError` where nothing is left to play, a run is on
    already, the date is over, or fewer than one corrida is asked for.
    """
    run = prepare_run(season=season, goal=goal, at=at, stop_on=stop_on, by=by, posts=posts)
    return run, tell(run_season_task, run.pk, within=within)


@transaction.atomic
def prepare_run(
    *,
    season: Season,
    goal: Goal,
    at: dt.datetime,
    stop_on: Sequence[StopOn] = (),
    by: User | None = None,
    posts: Collection[int] | None = None,
) -> Run:
    """A run as `run_season` hands it over, for whoever plays it himself."""
    if goal.corridas is not None and goal.corridas < 1:
        raise OperationError(_("Choose at least one corrida to play."), "corridas")
    check_awake(Circuit.objects.select_for_update().get(pk=season.circuit_id))
    _clear_the_sand(season, at, posts)
    until = goal.until or dt.date(season.year, 12, 31)
    left = _left(season, goal, until)
    if not left:
        raise OperationError(_("There are no corridas left to play until then."), "until")
    return Run.objects.create(
        season=season,
        asked_by=by,
        until=until,
        most=goal.corridas,
        feria=goal.feria,
        stop_on=write(stop_on),
        total=min(left, goal.corridas or left),
        asked_at=at,
    )


def _left(season: Season, goal: Goal, until: dt.date) -> int:
    waiting = Corrida.objects.filter(season=season, state=Corrida.State.ANNOUNCED, date__lte=until)
    return (waiting.filter(feria=goal.feria) if goal.feria else waiting).count()


def _clear_the_sand(season: Season, at: dt.datetime, posts: Collection[int] | None) -> None:
    """Later dates may be played only once what is on air is in the records."""
    if Run.objects.filter(season=season, state__in=Run.ACTIVE).exists():
        raise OperationError(_("The season is already being played."))
    on_air = list(Corrida.objects.on_air().filter(season=season))
    if posts is not None and not {corrida.pk for corrida in on_air} <= set(posts):
        raise OnAirError
    for corrida in on_air:
        simulation.post_now(corrida.pk, at=at)
    queued = Corrida.objects.filter(season=season, state=Corrida.State.QUEUED)
    queued.update(state=Corrida.State.ANNOUNCED, pace_ms=None, queued_at=None)


def request_stop(*, run: Run) -> None:
    """Ask a run to stop; it does so after the corridas it is at.

    Raises `OperationError` where it is over.
    """
    asked = Run.objects.filter(pk=run.pk, state__in=Run.ACTIVE).update(stop_requested=True)
    if not asked:
        raise OperationError(_("Playing has already ended."))


def open_next_season(*, circuit: Circuit, at: dt.datetime, leave_failed: bool = False) -> Season:
    """Play the winter after the season that is over, and plan the next; returns that.

    `leave_failed`: corridas that could not be played are left out of the season for good. Raises
    `OperationError` where there is no season, the circuit is frozen, or something of the season is
    still to come: to be played, on the sand, or at a table.
    """
    season = circuit.seasons.filter(winter__done_at=None).order_by("year").first()
    if season is None:
        raise OperationError(_("%s has no season that can be ended.") % circuit)
    check_awake(circuit)
    check_seasons(circuit)
    try:
        return simulation.winter_over(season, at=at, fresh=Seed.fresh, leave_failed=leave_failed)
    except simulation.NotOverError as error:
        raise OperationError(what_is_in_the_way(error.left)) from error


def what_is_in_the_way(left: Left) -> str:
    """Why the winter cannot come yet, in a sentence; empty where nothing is in the way."""
    if left.running:
        return _("The season is being played. Stop it first.")
    if left.waiting:
        said = ngettext(
            "%(count)s corrida is still to be played.",
            "%(count)s corridas are still to be played.",
            left.waiting,
        )
        return said % {"count": left.waiting}
    if left.on_the_sand:
        return _("A corrida is on air. Wait until it has ended, or post its results.")
    if left.at_tables:
        said = ngettext(
            "%(count)s corrida is being played at a real table. It returns when its result "
            "is entered or its deadline passes.",
            "%(count)s corridas are being played at real tables. They return when their "
            "results are entered or their deadlines pass.",
            left.at_tables,
        )
        return said % {"count": left.at_tables}
    if left.failed:
        said = ngettext(
            "%(count)s corrida could not be played. Try again, or leave it out.",
            "%(count)s corridas could not be played. Try again, or leave them out.",
            left.failed,
        )
        return said % {"count": left.failed}
    return ""
