"""`manage.py play_season`: simulate a season, in the workers or in this process."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from core.jobs import DATABASE_ERRORS, describe
from corridas import notifications
from corridas.circuit_queries import SHIPPED
from corridas.errors import OperationError
from corridas.models import Circuit, Run, Season
from corridas.season.operations import Goal, prepare_run, run_season
from corridas.simulation.breakdowns import sentence_of, translated
from corridas.simulation.run import chunks, note_breakdown
from corridas.world.stops import StopOn
from fairness import Seed


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
        raise CommandError(f"{run.season} is stopped; call this again to go on.") from None
    except Exception as error:
        sentence, at = sentence_of(error), timezone.now()
        # if the database fails, a worker of the site continues the run later
        with suppress(*DATABASE_ERRORS):
            note_breakdown(
                run.pk, sentence, at=at, on_failure=notifications.run_broken, lasting=True
            )
        raise CommandError(f"{run.season}: {translated(sentence)} ({describe(error)})") from error


class Command(BaseCommand):
    """Simulates the current season of a circuit up to a date or to its end."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--circuit", default=SHIPPED, help="slug of the circuit")
        parser.add_argument("--year", type=int, help="default: the latest season")
        parser.add_argument("--until", type=dt.date.fromisoformat, help="last date, YYYY-MM-DD")
        parser.add_argument("--instant", action="store_true", help="play here and now")
        parser.add_argument(
            "--stop-on",
            action="append",
            choices=[condition.value for condition in StopOn],
            default=[],
            help="stop early if this happens; may be given several times",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        season = self._season(options["circuit"], options["year"])
        goal, now = Goal(until=options["until"]), timezone.now()
        stop_on = [StopOn(value) for value in options["stop_on"]]
        try:
            if options["instant"]:
                run = play_at_once(season, goal, now, stop_on)
                why = f" ({run.reason})" if run.reason else ""
                self.stdout.write(f"{run.done} corridas of {season} played: {run.state}{why}.")
            else:
                run, broker_told = run_season(season=season, goal=goal, at=now, stop_on=stop_on)
                waits = "" if broker_told else " They begin when the broker is reachable again."
                self.stdout.write(f"{run.total} corridas of {season} handed to the workers.{waits}")
        except OperationError as error:
            raise CommandError(str(error)) from error

    def _season(self, slug: str, year: int | None) -> Season:
        circuit = Circuit.objects.filter(slug=slug).first()
        if circuit is None:
            raise CommandError(f"There is no circuit {slug!r}; found_leyendas founds one.")
        seasons = circuit.seasons.filter(year=year) if year else circuit.seasons.all()
        season = seasons.select_related("circuit").first()
        if season is None:
            raise CommandError(f"{circuit} has no season {year or ''}.")
        return season
