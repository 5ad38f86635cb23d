"""`manage.py verify_winters`: check every finished winter against its published commitment."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from corridas.models import Winter
from corridas.simulation import verify


class Command(BaseCommand):
    """Recalculates commitments and replays winters from their seeds. Fails if anything differs."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--circuit", help="slug of a circuit; default: all")

    def handle(self, *args: Any, **options: Any) -> None:
        over = Winter.objects.filter(
            done_at__isnull=False, season__circuit__incomplete=False
        ).select_related("season__circuit")
        if options["circuit"]:
            over = over.filter(season__circuit__slug=options["circuit"])
        keys = list(over.order_by("season__year", "pk").values_list("pk", flat=True))
        verdicts = [self._say(over.get(pk=key)) for key in tqdm(keys, unit="winter", disable=None)]
        self.stdout.write(f"{verdicts.count(False)} winters are as promised.")
        if any(verdicts):
            raise CommandError(f"{verdicts.count(True)} winters are not as promised.")

    def _say(self, winter: Winter) -> bool:
        differences = verify.check_winter(winter)
        for name, claimed, actual in differences:
            self.stdout.write(f"{winter.season}, {name}: {claimed!r} is kept, {actual!r} follows.")
        return bool(differences)
