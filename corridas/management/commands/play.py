"""`manage.py play`: simulate a season, or several seasons with the winters between them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from corridas.circuit_queries import SHIPPED
from corridas.errors import OperationError
from corridas.management.playing import asked_to_stop, play_at_once, play_seasons
from corridas.models import Circuit, Season
from corridas.season.operations import Goal, run_season
from corridas.world.stops import StopOn


class Command(BaseCommand):
    """Simulates the current season of a circuit, in the workers or in this process.

    With `--count` or `--to`, whole seasons are simulated one after another in this process, with
    the winter after each. SIGINT (Ctrl-C) and SIGTERM then stop it after the current corridas.
    If the process is killed, no corrida is left incomplete. The next call continues at that point.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--circuit", default=SHIPPED, help="slug of the circuit")
        season = parser.add_argument_group("a single season")
        season.add_argument("--year", type=int, help="default: the latest season")
        season.add_argument("--until", type=dt.date.fromisoformat, help="last date, YYYY-MM-DD")
        season.add_argument(
            "--instant", action="store_true", help="play in this process, not in the workers"
        )
        season.add_argument(
            "--stop-on",
            action="append",
            choices=[condition.value for condition in StopOn],
            default=[],
            help="stop early if this happens; can be repeated",
        )
        seasons = parser.add_argument_group("whole seasons").add_mutually_exclusive_group()
        seasons.add_argument(
            "--count", type=int, help="number of seasons to play, including the current one"
        )
        seasons.add_argument("--to", type=int, help="year of the last season to play")

    def handle(self, *args: object, **options: Any) -> None:
        whole = options["count"] is not None or options["to"] is not None
        if whole and (options["year"] or options["until"] or options["stop_on"]):
            raise CommandError("--year, --until and --stop-on are options of a single season.")
        try:
            if whole:
                self._play_seasons(options["circuit"], options["count"], options["to"])
            else:
                self._play_season(options)
        except OperationError as error:
            raise CommandError(str(error)) from error

    def _play_season(self, options: dict[str, Any]) -> None:
        season = _season(options["circuit"], options["year"])
        goal, now = Goal(until=options["until"]), timezone.now()
        stop_on = [StopOn(value) for value in options["stop_on"]]
        if options["instant"]:
            run = play_at_once(season, goal, now, stop_on)
            why = f" ({run.reason})" if run.reason else ""
            self.stdout.write(f"{run.done} corridas of {season} played: {run.state}{why}.")
        else:
            run, broker_told = run_season(season=season, goal=goal, at=now, stop_on=stop_on)
            waits = (
                ""
                if broker_told
                else " The broker is unreachable. The workers begin when it responds again."
            )
            self.stdout.write(f"{run.total} corridas of {season} sent to the workers.{waits}")

    def _play_seasons(self, slug: str, count: int | None, to: int | None) -> None:
        season = _season(slug, None)
        last = to or season.year + (count or 0) - 1
        if last < season.year:
            raise CommandError(
                f"{season} is already later than {last}, so there is nothing to play."
            )
        with asked_to_stop() as stopped:
            ended = play_seasons(season, last, stopped)
        self.stdout.write(f"{ended} of {last - season.year + 1} seasons ended.")
        if stopped():
            self.stdout.write(f"Stopped. To continue, run `play --circuit {slug} --to {last}`.")


def _season(slug: str, year: int | None) -> Season:
    circuit = Circuit.objects.filter(slug=slug).first()
    if circuit is None:
        raise CommandError(
            f"There is no circuit {slug!r}. `found_leyendas` creates the bundled one."
        )
    seasons = circuit.seasons.filter(year=year) if year else circuit.seasons.all()
    season = seasons.select_related("circuit__deck").order_by("-year").first()
    if season is None:
        raise CommandError(f"{circuit} has no season {year or 'yet. Plan one first'}.")
    return season
