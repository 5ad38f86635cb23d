"""`manage.py verify_corridas`: check every finished corrida against its published commitment."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from corridas.models import Corrida
from corridas.simulation import verify


class Command(BaseCommand):
    """Recalculates commitments and replays corridas from their seeds. Fails if a result differs."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--year", type=int, help="default: every season")

    def handle(self, *args: Any, **options: Any) -> None:
        played = (
            Corrida.objects.over()
            .filter(origin=Corrida.Origin.HERE, season__circuit__incomplete=False)
            .select_related("season", "plaza", "cartel__deck")
        )
        if options["year"]:
            played = played.filter(season__year=options["year"])
        broken = sum(map(self._say, tqdm(played, unit="corrida", disable=None)))
        self.stdout.write(f"{played.count() - broken} corridas are as promised.")
        if broken:
            raise CommandError(f"{broken} corridas are not as promised.")

    def _say(self, corrida: Corrida) -> bool:
        differences = verify.check(corrida)
        for difference in differences:
            self.stdout.write(f"{corrida}, {difference.name}: {difference.found!r} follows.")
        return bool(differences)
