"""Operations of a director on a season or on a single corrida."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.jobs import enqueue
from corridas import notifications
from corridas.broadcast.source import announce_posting
from corridas.calendar_faults import calendar_fault
from corridas.circuits.operations import check_awake, check_pace, check_sand, check_seasons
from corridas.engine import BULLS
from corridas.errors import OperationError
from corridas.models import (
    Circuit,
    Corrida,
    Feria,
    Ganaderia,
    Matador,
    Reservation,
    Run,
    Season,
    Winter,
)
from corridas.season import cartel_queries
from corridas.simulation.breakdowns import LASTING, sentence_of, translated
from corridas.simulation.draw import announce_only, fill_by_hand
from corridas.simulation.post import post_now
from corridas.simulation.record_book import leader_of
from corridas.simulation.run import played_at_once, prepare
from corridas.simulation.winter import NotOverError, winter_over
from corridas.simulation.winter_queries import UnfinishedCorridas
from corridas.world.calendar import CalendarError
from corridas.world.contract_dates import contracted_by_one, contracted_by_run
from corridas.world.encierro import EncierroError
from corridas.world.stops import StopOn, read, write
from fairness import Seed

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The goal of a run (the job that continues a season). The first limit reached counts.

    `corridas` is a number of corridas, `feria` limits the run to its corridas, and `until` is the
    last date, inclusive.
    """

    corridas: int | None = None
    feria: Feria | None = None
    until: dt.date | None = None


def next_feria(season: Season) -> Feria:
    """Return the feria of the next corrida. Raises `OperationError` if there is none."""
    corridas = Corrida.objects.of_season(season).filter(state=Corrida.State.ANNOUNCED)
    following = corridas.filter(feria__isnull=False).select_related("feria").first()
    if following is None or following.feria is None:
        raise OperationError(_("There are no ferias left to play this season."), "feria")
    return following.feria


def week_ahead(season: Season) -> dt.date:
    """Return the last day of the week that begins with the next corrida."""
    waiting = Corrida.objects.of_season(season).filter(state=Corrida.State.ANNOUNCED)
    first: dt.date | None = waiting.values_list("date", flat=True).first()
    return (first or dt.date(season.year, 12, 31)) + WEEK


def goal_left(season: Season) -> Goal:
    """Return what is left of the latest run's goal. Raises `OperationError` if it was reached."""
    run = Run.objects.filter(season=season).select_related("feria").first()
    left = None if run is None or run.most is None else run.most - run.done
    if run is None or run.active or run.state == Run.State.DONE or left == 0:
        raise OperationError(_("There is no interrupted season that can be continued."))
    return Goal(corridas=left, feria=run.feria, until=run.until)


# Number of days after the first day of a week.
WEEK = dt.timedelta(days=6)


class OnAirError(OperationError):
    """Corridas are being broadcast that the director has not agreed to post.

    Nothing was changed.
    """

    def __init__(self) -> None:
        super().__init__(
            _(
                "A corrida is on air. If you continue the season, its results are posted "
                "immediately."
            )
        )


class CartelesError(OperationError):
    """More corridas would get matadors than the director has agreed to. Nothing was changed.

    `number` is how many open carteles (bills without matadors) would be contracted.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        sentence = ngettext(
            "This contracts %(count)s open cartel.",
            "This contracts %(count)s open carteles.",
            number,
        )
        super().__init__(sentence % {"count": number})


class PlayedMeanwhileError(OperationError):
    """A run began after the page was loaded on which the director chose. Nothing was changed."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "Corridas in this season have been played since you opened the page, so no more "
                "were played this time."
            )
        )


def check_latest(season: Season, latest: int | None) -> None:
    """Raise `PlayedMeanwhileError` if a run began after the run with this key.

    None means that the caller knows of no run.
    """
    if latest is not None and Run.objects.filter(season=season, pk__gt=latest).exists():
        raise PlayedMeanwhileError


def run_season(
    *,
    season: Season,
    goal: Goal,
    at: dt.datetime,
    stop_on: Sequence[StopOn] = (),
    by: User | None = None,
    posts: Collection[int] | None = None,
    latest: int | None = None,
    carteles: int | None = None,
    within: bool = False,
) -> tuple[Run, bool]:
    """Create a run, the job that continues a season, and notify the workers.

    The results of corridas that are being broadcast are posted first and belong to the run.

    `posts` contains the ids of those that the caller agrees to post; None agrees to all. Raises
    `OnAirError` if another one is being broadcast. `latest` is the key of the latest run that the
    caller knows. Raises `PlayedMeanwhileError` if there is a later one, so that a form that is sent
    twice has no second effect. `carteles` is the number of open carteles (bills without matadors)
    that the caller agrees to have contracted; None agrees to all. Raises `CartelesError` if there
    are more, unless the director has agreed to contracting in this season before.

    Returns the run, and whether a worker was notified. If the message broker is unavailable, the
    run waits for it. If `within` a transaction of the caller, workers are notified on commit.
    Raises `OperationError` if nothing is left to play, a run is in progress, the date is past, or
    fewer than one corrida is requested.
    """
    run = prepare_run(
        season=season,
        goal=goal,
        at=at,
        stop_on=stop_on,
        by=by,
        posts=posts,
        latest=latest,
        carteles=carteles,
    )
    if not run.active:
        return run, True
    return run, enqueue("corridas.tasks.run_season", run.pk, on_commit=within)


@transaction.atomic
def prepare_run(
    *,
    season: Season,
    goal: Goal,
    at: dt.datetime,
    stop_on: Sequence[StopOn] = (),
    by: User | None = None,
    posts: Collection[int] | None = None,
    latest: int | None = None,
    carteles: int | None = None,
) -> Run:
    """Create a run like `run_season`, for a caller that executes it itself."""
    if goal.corridas is not None and goal.corridas < 1:
        raise OperationError(_("Choose at least one corrida to play."), "corridas")
    check_awake(Circuit.objects.select_for_update().get(pk=season.circuit_id))
    check_latest(season, latest)
    taken = carteles_contracted(season, goal, stop_on)
    if carteles is not None and not has_agreed(season, by):
        _check_carteles(carteles, taken)
    on_air = _check_sand(season, posts)
    until = goal.until or dt.date(season.year, 12, 31)
    waiting = Corrida.objects.filter(season=season, state=Corrida.State.ANNOUNCED, date__lte=until)
    left = (waiting.filter(feria=goal.feria) if goal.feria else waiting).count()
    if not left:
        raise OperationError(
            _("There are no corridas left to play up to the date that you chose."), "until"
        )
    run = Run.objects.create(
        season=season,
        asked_by=by,
        until=until,
        most=goal.corridas,
        feria=goal.feria,
        stop_on=write(stop_on),
        total=min(left, goal.corridas or left),
        carteles=taken,
        asked_at=at,
    )
    _clear_the_sand(run, on_air, at)
    return run


def carteles_contracted(season: Season, goal: Goal, stop_on: Collection[StopOn] = ()) -> int:
    """Return how many corridas would get matadors during a run. Two queries.

    Reserved corridas do not count, because their promoters decide about them.
    """
    if StopOn.CARTELES in stop_on:
        return 0
    waiting = Corrida.objects.filter(season=season, state=Corrida.State.ANNOUNCED)
    open_carteles = waiting.filter(cartel=None, reservation=None)
    still_open = list(open_carteles.values_list("date", flat=True))
    if goal.feria:
        waiting = waiting.filter(feria=goal.feria)
    if goal.until:
        waiting = waiting.filter(date__lte=goal.until)
    days = waiting.order_by("date", "pk").values_list("date", flat=True)
    return contracted_by_run(
        list(days[: goal.corridas]), still_open, at_once=played_at_once(write(stop_on))
    )


def has_agreed(season: Season, by: User | None) -> bool:
    """Return whether a director has already agreed to contract matadors for open corridas."""
    return Run.objects.filter(season=season, asked_by=by, carteles__gt=0).exists()


def _check_carteles(agreed: int | None, taken: int) -> None:
    if agreed is not None and taken > agreed:
        raise CartelesError(taken)


def _check_sand(season: Season, posts: Collection[int] | None) -> list[Corrida]:
    """Return the corridas that are being broadcast, and cancel corridas that are queued for a
    broadcast.

    Raises `OnAirError` if `posts` does not contain all that are being broadcast.
    """
    if Run.objects.filter(season=season, state__in=Run.ACTIVE).exists():
        raise OperationError(_("The season is already being played."))
    on_air = list(Corrida.objects.on_air().filter(season=season).order_by("date", "pk"))
    if posts is not None and not {corrida.pk for corrida in on_air} <= set(posts):
        raise OnAirError
    queued = Corrida.objects.filter(season=season, state=Corrida.State.QUEUED)
    queued.update(state=Corrida.State.ANNOUNCED, pace_ms=None, queued_at=None)
    return on_air


def _clear_the_sand(run: Run, on_air: Sequence[Corrida], at: dt.datetime) -> None:
    """Post the corridas that are being broadcast, because later dates depend on their results.

    They belong to the run. If one of them changes the leader, and the run is to stop on that, the
    run ends before it plays anything.
    """
    if not on_air:
        return
    watches_lead = StopOn.LEADER in read(run.stop_on)
    leader = leader_of(run.season) if watches_lead else None
    changed = None
    for corrida in on_air:
        post_now(corrida.pk, at=at, run=run)
        after = leader_of(run.season) if watches_lead else None
        changed = corrida if leader is not None and after != leader else changed
        leader = after
    run.last = changed or on_air[-1]
    run.save(update_fields=["last"])
    keys = [corrida.pk for corrida in on_air]
    transaction.on_commit(lambda: announce_posting(keys))
    if changed is not None:
        run.end(at=at, state=Run.State.STOPPED, reason=StopOn.LEADER.value)
        run.refresh_from_db()
        notifications.run_ended(run, run.reason, at)


def request_stop(*, run: Run) -> None:
    """Request that a run stops after its current corridas.

    Raises `OperationError` if the run has ended.
    """
    requested = Run.objects.filter(pk=run.pk, state__in=Run.ACTIVE).update(stop_requested=True)
    if not requested:
        raise OperationError(_("This run of corridas has already ended."))


@transaction.atomic
def open_next_season(
    *, circuit: Circuit, at: dt.datetime, leave_failed: bool = False, year: int | None = None
) -> Season:
    """Play the winter after a finished season, and plan and return the next season.

    `year` is the season that the caller saw. If its winter has been played meanwhile, nothing
    happens, so that a form that is sent twice has no second effect. With `leave_failed`, corridas
    that could not be played are left out of the season for good. Raises `OperationError` if there
    is no season, the circuit is frozen, or corridas are still to be played, being broadcast, or
    assigned to a real table.
    """
    circuit = Circuit.objects.select_for_update(of=("self",)).get(pk=circuit.pk)
    if (
        year is not None
        and circuit.seasons.filter(year=year, winter__done_at__isnull=False).exists()
    ):
        following = circuit.seasons.filter(year=year + 1).first()
        if following is not None:
            return following
    season = circuit.seasons.filter(winter__done_at=None).order_by("year").first()
    if season is None:
        raise OperationError(_("%s has no season that can be ended.") % circuit)
    check_awake(circuit)
    check_seasons(circuit)
    try:
        with refusing_lasting_errors():
            return winter_over(
                season,
                at=at,
                fresh=Seed.fresh,
                on_winter=notifications.winter_over,
                leave_failed=leave_failed,
            )
    except NotOverError as error:
        raise OperationError(what_is_in_the_way(error.left)) from error


@contextmanager
def refusing_lasting_errors() -> Iterator[None]:
    """Convert errors of an invalid roster or calendar to `OperationError`.

    The message says what must be corrected.
    """
    try:
        yield
    except CalendarError as error:
        raise OperationError(calendar_fault(error)) from error
    except LASTING as error:
        raise OperationError(translated(sentence_of(error))) from error


def what_is_in_the_way(left: UnfinishedCorridas) -> str:
    """Return a sentence that says why the winter cannot be played yet, or "" if it can."""
    if left.running:
        return _("The season is being played. Stop it first.")
    if left.waiting:
        sentence = ngettext(
            "%(count)s corrida is still to be played.",
            "%(count)s corridas are still to be played.",
            left.waiting,
        )
        return sentence % {"count": left.waiting}
    if left.on_the_sand:
        return _("A corrida is on air. Wait until it has ended, or post its results.")
    if left.at_tables:
        sentence = ngettext(
            "%(count)s corrida is being played at a real table. It returns to the season "
            "when its result is entered or its deadline passes.",
            "%(count)s corridas are being played at real tables. They return to the season "
            "when their results are entered or their deadlines pass.",
            left.at_tables,
        )
        return sentence % {"count": left.at_tables}
    if left.failed:
        sentence = ngettext(
            "%(count)s corrida could not be played. Try again, or leave it out of the season.",
            "%(count)s corridas could not be played. Try again, or leave them out of the season.",
            left.failed,
        )
        return sentence % {"count": left.failed}
    return ""


def queue_corrida(
    *,
    corrida: Corrida,
    pace_ms: int,
    at: dt.datetime,
    carteles: int | None = None,
    within: bool = False,
) -> bool:
    """Queue an announced corrida to be broadcast as soon as a worker is free.

    `carteles` is the number of open carteles (bills without matadors) that the caller agrees to
    have contracted; None agrees to all. Raises `CartelesError` if there are more. Returns whether a
    worker was notified. If the message broker is unavailable, the corrida waits for it. If `within`
    a transaction of the caller, workers are notified on commit. Raises `OperationError` for an
    invalid pace, for a corrida without matadors or in another state, or during a run of its season.
    """
    check_pace(pace_ms)
    with transaction.atomic():
        _lock(corrida)
        _check_waiting(corrida)
        _check_carteles(carteles, carteles_contracted_by(corrida))
        _hang_cartel(corrida, at)
        _check_free_for_the_sand(corrida)
        check_sand(corrida.season.circuit)
        corrida.state, corrida.queued_at, corrida.pace_ms = Corrida.State.QUEUED, at, pace_ms
        corrida.attempts, corrida.error = 0, ""
        corrida.save(update_fields=["state", "queued_at", "pace_ms", "attempts", "error"])
    return enqueue("corridas.tasks.play_corrida", corrida.pk, on_commit=within)


def carteles_contracted_by(corrida: Corrida) -> int:
    """Return how many corridas get matadors before a corrida is broadcast. One query."""
    rows = Corrida.objects.filter(
        Q(state=Corrida.State.ANNOUNCED) | Q(pk=corrida.pk),
        season=corrida.season_id,
        cartel=None,
        reservation=None,
    )
    return contracted_by_one(corrida.date, list(rows.values_list("date", flat=True)))


@transaction.atomic
def fill_open_carteles(*, season: Season, feria: int | None, at: dt.datetime) -> int:
    """Contract matadors now for the corridas without matadors of a feria, or for those outside all
    ferias.

    Returns how many corridas got matadors. Raises `OperationError` if the circuit is frozen, the
    season is being played, no corrida is open, or too few matadors are free.
    """
    check_awake(Circuit.objects.select_for_update().get(pk=season.circuit_id))
    check_season_not_run(season)
    rows = Corrida.objects.filter(
        season=season,
        feria=feria,
        state=Corrida.State.ANNOUNCED,
        cartel=None,
        reservation=None,
    )
    keys = set(rows.values_list("pk", flat=True))
    if not keys:
        raise OperationError(_("No cartel is open here any more."))
    with refusing_lasting_errors():
        number = announce_only(season, keys, fresh=Seed.fresh, at=at)
    if not number:
        raise OperationError(_("Fewer than three matadors are available on these days."))
    return number


def _lock(corrida: Corrida) -> None:
    """Lock the circuit for this transaction and reload the corrida.

    Raises `OperationError` if the circuit is frozen or archived.
    """
    check_awake(Circuit.objects.select_for_update().get(seasons=corrida.season_id))
    corrida.refresh_from_db()


def _check_waiting(corrida: Corrida) -> None:
    if corrida.state not in (Corrida.State.ANNOUNCED, Corrida.State.FAILED):
        raise OperationError(
            _("%(corrida)s is no longer waiting to be played. Its state is now “%(state)s”.")
            % {"corrida": corrida, "state": corrida.get_state_display()}
        )
    if Winter.objects.filter(season=corrida.season_id, done_at__isnull=False).exists():
        raise OperationError(
            _("The winter after this season has ended, so the corrida can no longer be changed.")
        )
    check_season_not_run(corrida.season)


def check_season_not_run(season: Season) -> None:
    """Raise `OperationError` during a run of a season."""
    if Run.objects.filter(season=season, state__in=Run.ACTIVE).exists():
        raise OperationError(_("The season is being played. Stop it first."))


def _hang_cartel(corrida: Corrida, at: dt.datetime) -> None:
    if corrida.state == Corrida.State.FAILED:  # so that matadors are contracted
        Corrida.objects.filter(pk=corrida.pk).update(state=Corrida.State.ANNOUNCED)
    with refusing_lasting_errors():
        prepare(corrida.season, corrida.date, Seed.fresh, at=at)
    corrida.refresh_from_db()
    if not hasattr(corrida, "cartel"):
        raise OperationError(_("Fewer than three matadors are available on %s.") % corrida.date)


def _check_free_for_the_sand(corrida: Corrida) -> None:
    """Raise `OperationError` if a matador is in another corrida that is queued or on air.

    He might be injured there.
    """
    if not Corrida.objects.filter(pk=corrida.pk).free_for_the_sand().exists():
        raise OperationError(
            _(
                "One of this corrida’s matadors is still fighting in another corrida. Wait until "
                "the other corrida has ended."
            ),
            "corrida",
        )


def retry_corrida(*, corrida: Corrida, at: dt.datetime, within: bool = False) -> bool:
    """Retry a failed corrida at the pace with which it was queued.

    `within` has the same meaning as in `queue_corrida`.
    """
    pace_ms = corrida.pace_ms or corrida.season.circuit.pace_ms
    return queue_corrida(corrida=corrida, pace_ms=pace_ms, at=at, within=within)


def cut_short(*, corrida: Corrida, at: dt.datetime) -> None:
    """Post the results of a corrida that is being broadcast at once.

    Viewers still see the remaining cards at their own pace.
    """
    if not post_now(corrida.pk, at=at):
        raise OperationError(_("%s is not on air.") % corrida)
    transaction.on_commit(lambda: announce_posting([corrida.pk]))


def set_cartel(
    *,
    corrida: Corrida,
    matadors: Sequence[Matador],
    herd: Ganaderia | None = None,
    bulls: Sequence[int] = (),
) -> None:
    """Set the matadors, the herd and the bulls of a corrida.

    `bulls` are the branding numbers of six bulls that the herd offers, or empty. Raises
    `OperationError` unless there are three different matadors, all of them free and not injured,
    and the corrida has not begun. Also raises it during a run of the season, because the run
    contracts matadors from data that it loaded before.
    """
    with transaction.atomic():
        _lock(corrida)
        if reason := why_cartel_stays(corrida):
            raise OperationError(reason)
        _check_three(matadors)
        reasons = cartel_queries.refusals(corrida, matadors)
        for matador in matadors:
            if matador.pk in reasons:
                raise OperationError(reasons[matador.pk].sentence, "matadors")
        if left_out := cartel_queries.left_out(corrida, matadors):
            raise OperationError(left_out, "matadors")
        if herd and (refusal := cartel_queries.herd_refusal(corrida, herd)):
            raise OperationError(refusal.sentence, "herd")
        if bulls and len(set(bulls)) != BULLS:
            raise OperationError(_("A cartel needs six bulls."), "bulls")
        herd = herd or _default_herd(corrida)
        _fill(corrida, matadors, herd, bulls)


def _fill(
    corrida: Corrida, matadors: Sequence[Matador], herd: Ganaderia, bulls: Sequence[int]
) -> None:
    chosen = [matador.pk for matador in matadors]
    try:
        fill_by_hand(corrida, chosen, herd, fresh=Seed.fresh, bulls=bulls)
    except EncierroError as error:
        sentence = _("%s can’t send these six bulls. Choose other bulls.") % herd
        raise OperationError(sentence, "bulls" if bulls else "herd") from error
    except LASTING as error:
        raise OperationError(translated(sentence_of(error)), "matadors") from error


def why_cartel_stays(corrida: Corrida) -> str:
    """Return a sentence that says why a corrida's matadors cannot be changed, or ""."""
    try:
        check_awake(corrida.season.circuit)
    except OperationError as error:
        return str(error)
    if corrida.state != Corrida.State.ANNOUNCED:
        return _("The cartel of this corrida can no longer be changed: %s.") % corrida
    run = Run.objects.filter(season=OuterRef("season"), state__in=Run.ACTIVE)
    signing = Reservation.objects.filter(pk=OuterRef("pk")).exclude(stage=Reservation.Stage.OVER)
    row = Corrida.objects.filter(pk=corrida.pk)
    for is_run, is_signed in row.values_list(Exists(run), Exists(signing)):
        if is_run:
            return _("The season is being played. Stop it first.")
        if is_signed:
            return _("The matadors of this corrida are signed one by one.")
    return ""


def _check_three(matadors: Sequence[Matador]) -> None:
    keys = [matador.pk for matador in matadors]
    if len(keys) != 3:
        raise OperationError(_("A cartel needs three matadors."), "matadors")
    for matador in matadors:
        if keys.count(matador.pk) > 1:
            raise OperationError(_("%s is on the cartel twice.") % matador, "matadors")


def _default_herd(corrida: Corrida) -> Ganaderia:
    if hasattr(corrida, "cartel"):
        return corrida.cartel.ganaderia
    herds = Ganaderia.objects.filter(circuit=corrida.season.circuit_id, archived_at=None)
    herd = herds.filter(continent=corrida.plaza.continent).first()
    if herd is None:
        raise OperationError(
            _("There is no herd on the same continent as %s.") % corrida.plaza.city, "herd"
        )
    return herd
