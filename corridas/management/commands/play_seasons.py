"""`manage.py play_seasons`: play seasons with their winters in this process, one after another."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from tqdm import tqdm

from corridas import notifications
from corridas.circuit_queries import SHIPPED
from corridas.errors import OperationError
from corridas.management.commands.play_season import ending_in_a_sentence
from corridas.models import Circuit, Corrida, Run, Season
from corridas.season.operations import Goal, open_next_season, prepare_run, request_stop
from corridas.simulation.post import post_now
from corridas.simulation.run import chunks
from fairness import Seed

Stopped = Callable[[], bool]


class Command(BaseCommand):
    """Plays, stores and posts the seasons of a circuit, and the winter after each.

    Interrupted (Ctrl-C, or a polite end of the process) it stops after the corridas it is at;
    killed, it leaves whole corridas only. Called again it goes on where it stopped.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--circuit", default=SHIPPED, help="slug of the circuit")
        far = parser.add_mutually_exclusive_group()
        far.add_argument("--count", type=int, default=1, help="seasons to end, that under way too")
        far.add_argument("--to", type=int, help="the last year to end")

    def handle(self, *args: Any, **options: Any) -> None:
        circuit = Circuit.objects.filter(slug=options["circuit"]).first()
        if circuit is None:
            raise CommandError(f"There is no circuit {options['circuit']!r}.")
        season = _latest(circuit)
        last = options["to"] or season.year + options["count"] - 1
        if last < season.year:
            raise CommandError(f"{season} is under way already; there is nothing to do.")
        with _asked_to_stop() as stopped:
            try:
                ended = play_seasons(season, last, stopped)
            except OperationError as error:
                raise CommandError(str(error)) from error
        self.stdout.write(f"{ended} of {last - season.year + 1} seasons ended.")
        if stopped():
            self.stdout.write(f"Stopped; go on with --circuit {circuit.slug} --to {last}.")


def play_seasons(season: Season, last: int, stopped: Stopped) -> int:
    """Play to the end of the season of year `last` and its winter; return the number of seasons."""
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
    """Continue a season; return whether it is complete."""
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
    """Return the run to play, new or left by a killed process; None where all is played."""
    left = Run.objects.filter(season=season, state__in=Run.ACTIVE).first()
    if left is not None or not Corrida.objects.to_come().filter(season=season).exists():
        return left
    return prepare_run(season=season, goal=Goal(), at=timezone.now())


def _latest(circuit: Circuit) -> Season:
    season = circuit.seasons.select_related("circuit__deck").order_by("-year").first()
    if season is None:
        raise CommandError(f"{circuit} has no season yet; plan one first.")
    return season


@contextmanager
def _asked_to_stop() -> Iterator[Stopped]:
    """Within this context the first interrupt asks to stop; a second one acts as usual."""
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
