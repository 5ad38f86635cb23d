"""`manage.py play_seasons`: simulate seasons and the winters after them in this process."""

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
    """Simulates and posts the seasons of a circuit one after another, with the winter after each.

    The signals SIGINT (Ctrl-C) and SIGTERM stop it after the current corridas. If the process is
    killed, no corrida is left incomplete. The next call continues at that point.
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


def _latest(circuit: Circuit) -> Season:
    season = circuit.seasons.select_related("circuit__deck").order_by("-year").first()
    if season is None:
        raise CommandError(f"{circuit} has no season yet; plan one first.")
    return season


@contextmanager
def _asked_to_stop() -> Iterator[Stopped]:
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
