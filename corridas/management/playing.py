"""Play seasons of a circuit in this process, with a progress bar."""

from __future__ import annotations

import datetime as dt
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from django.core.management.base import CommandError
from django.utils import timezone
from tqdm import tqdm

from core.jobs import DATABASE_ERRORS, describe
from corridas import notifications
from corridas.models import Corrida, Run, Season
from corridas.season.operations import Goal, open_next_season, prepare_run, request_stop
from corridas.simulation.breakdowns import sentence_of, translated
from corridas.simulation.post import post_now
from corridas.simulation.run import chunks, note_breakdown
from corridas.world.stops import StopOn
from fairness import Seed

Stopped = Callable[[], bool]


def play_at_once(
    season: Season, goal: Goal, at: dt.datetime, stop_on: Sequence[StopOn] = ()
) -> Run:
    """Simulate a season up to a goal in this process, with a progress bar."""
    run = prepare_run(season=season, goal=goal, at=at, stop_on=stop_on)
    with (
        ending_in_a_sentence(run),
        tqdm(total=run.total, unit="corrida", disable=None) as bar,
    ):
        for progress in chunks(
            run.pk, clock=timezone.now, fresh=Seed.fresh, on_end=notifications.run_ended
        ):
            bar.update(progress.done - bar.n)
            if progress.last:
                bar.set_postfix_str(str(progress.last.date))
    return Run.objects.get(pk=run.pk)


@contextmanager
def ending_in_a_sentence(run: Run) -> Iterator[None]:
    """Context manager that ends the run if an error occurs in its block.

    Otherwise the run would look active for ever. Raise `CommandError` with a message for the user;
    `--traceback` shows the original error.
    """
    try:
        yield
    except KeyboardInterrupt:
        Run.objects.filter(pk=run.pk, state__in=Run.ACTIVE).update(
            state=Run.State.STOPPED, reason="asked", ended_at=timezone.now()
        )
        raise CommandError(
            f"{run.season} was stopped. Run the command again to continue."
        ) from None
    except Exception as error:
        sentence, at = sentence_of(error), timezone.now()
        # if the database fails, a worker of the site continues the run later
        with suppress(*DATABASE_ERRORS):
            note_breakdown(
                run.pk, sentence, at=at, on_failure=notifications.run_broken, lasting=True
            )
        raise CommandError(f"{run.season}: {translated(sentence)} ({describe(error)})") from error


def play_seasons(season: Season, last: int, stopped: Stopped) -> int:
    """Simulate up to the end of the season `last` and its winter.

    Return the number of seasons completed.
    """
    ended = 0
    bar = tqdm(total=last - season.year + 1, unit="season", disable=None)
    with bar:
        while season.year <= last and not stopped():
            bar.set_postfix_str(str(season.year))
            if _play(season, stopped):
                season = open_next_season(
                    circuit=season.circuit, at=timezone.now(), leave_failed=True
                )
                ended += 1
                bar.update()
    return ended


def _play(season: Season, stopped: Stopped) -> bool:
    """Simulate a season. Return whether it is complete."""
    run = _run(season)
    if run is not None:
        with ending_in_a_sentence(run):
            for progress in chunks(
                run.pk, clock=timezone.now, fresh=Seed.fresh, on_end=notifications.run_ended
            ):
                if progress.active and stopped():
                    request_stop(run=progress)
        if progress.state == Run.State.STOPPED:
            return False
    for corrida in Corrida.objects.on_air().filter(season=season):
        post_now(corrida.pk, at=timezone.now(), run=run)
    return True


def _run(season: Season) -> Run | None:
    """Return the run to simulate: one left by a killed process, or else a new one.

    Return None if all corridas of the season have been played.
    """
    left = Run.objects.filter(season=season, state__in=Run.ACTIVE).first()
    if left is not None or not Corrida.objects.to_come().filter(season=season).exists():
        return left
    return prepare_run(season=season, goal=Goal(), at=timezone.now())


@contextmanager
def asked_to_stop() -> Iterator[Stopped]:
    """Yield a function that returns whether SIGINT or SIGTERM has been received.

    The first signal only sets this flag. A second signal has its usual effect.
    """
    asked = []

    def ask(number: int, _frame: object) -> None:
        asked.append(number)
        signal.signal(number, before[signal.Signals(number)])

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
