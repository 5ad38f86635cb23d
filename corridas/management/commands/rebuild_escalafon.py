"""`manage.py rebuild_escalafon`: derive the counters anew from the lidias."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from corridas import simulation
from corridas.models import Season


class Command(BaseCommand):
    """Compares, or with no `--check` also puts right, the escalafón of every season."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """`--check` changes nothing and fails where a figure differs."""
        parser.add_argument("--check", action="store_true", help="compare only")

    def handle(self, *args: Any, **options: Any) -> None:
        """Go through the seasons, say what differs."""
        check = options["check"]
        differing = 0
        for season in Season.objects.select_related("circuit").order_by("year"):
            found = simulation.rebuild(season, write_rows=not check)
            for difference in found:
                self.stdout.write(f"{season}: {difference}")
            self.stdout.write(f"{season}: {'agrees' if not found else f'{len(found)} differ'}")
            differing += len(found)
        if check and differing:
            raise CommandError(f"{differing} figures differ; call it without --check to mend them.")
