"""Serve the live feed alone, if another process serves the pages."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from server.serving import serve


class Command(BaseCommand):
    """Serve the live feed. One process reads each broadcast once for any number of watchers.

    If several processes serve the feed, they share the watchers.
    """

    help = "Serve what is under /live/ and nothing else; pages are another process's."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8001)

    def handle(self, *args: object, **options: Any) -> None:
        serve("config.feed:application", port=options["port"])
