"""`manage.py found_leyendas`: create the shipped circuit with its roster and a current season."""

from __future__ import annotations

import datetime as dt

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from corridas import notifications
from corridas.circuit_queries import SHIPPED
from corridas.circuits.operations import found_leyendas
from corridas.management.playing import play_at_once
from corridas.models import Circuit, Corrida
from corridas.season.operations import Goal
from corridas.simulation.play import play_on_air
from corridas.simulation.post import post_due
from corridas.simulation.sweep import next_for_the_sand
from fairness import Seed

# Month and day up to which the first season is simulated at once, so that a new site has results to
# show.
OPENING = (4, 10)


class Command(BaseCommand):
    """Creates the shipped circuit if it is missing, and puts a corrida on air."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--bare", action="store_true", help="play nothing yet")

    def handle(self, *args: object, **options: object) -> None:
        now = timezone.now()
        known = Circuit.objects.filter(slug=SHIPPED).exists()
        circuit = found_leyendas(year=now.year)
        if options["bare"]:
            return
        if not known:
            season = circuit.seasons.get()
            play_at_once(season, Goal(until=dt.date(season.year, *OPENING)), now)
            self.stdout.write(f"{Corrida.objects.over().count()} corridas of {season} played.")
        self._put_on_air()

    def _put_on_air(self) -> None:
        """Put a corrida on air at once, before the first worker has started."""
        now = timezone.now()
        post_due(at=now)
        for corrida in next_for_the_sand(
            at=now, fresh=Seed.fresh, on_winter=notifications.winter_over
        ):
            play_on_air(corrida, at=now)
