"""`manage.py rebuild_escalafon`: recalculate rankings, records and awards from the lidias."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from corridas.models import Circuit, Season
from corridas.simulation.derived_book import rebuild_book
from corridas.simulation.post import rebuild


class Command(BaseCommand):
    """Recalculates rankings and record books from the results and reports differences.

    They are corrected unless `--check` is given.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="compare only")
        parser.add_argument("--circuit", help="slug of one circuit; else all of them")

    def handle(self, *args: Any, **options: Any) -> None:
        check = options["check"]
        circuits = Circuit.objects.order_by("slug")
        if options["circuit"]:
            circuits = circuits.filter(slug=options["circuit"])
            if not circuits:
                raise CommandError(f"There is no circuit {options['circuit']!r}.")
        differing = sum(self._circuit(circuit, check) for circuit in circuits)
        if check and differing:
            raise CommandError(f"{differing} figures differ. Run without --check to correct them.")

    def _circuit(self, circuit: Circuit, check: bool) -> int:
        """Rebuild one circuit and return the number of differences.

        Its seasons come first, because the record book is calculated from them.
        """
        differing = 0
        seasons = Season.objects.filter(circuit=circuit).select_related("circuit").order_by("year")
        for season in seasons:
            differences = rebuild(season, write_rows=not check)
            differing += self._report(str(season), differences)
        differences = rebuild_book(circuit, write_rows=not check)
        return differing + self._report(f"{circuit}, record book", differences)

    def _report(self, whose: str, differences: list[str]) -> int:
        for difference in differences:
            self.stdout.write(f"{whose}: {difference}")
        self.stdout.write(
            f"{whose}: {'agrees' if not differences else f'{len(differences)} differ'}"
        )
        return len(differences)
