"""Serve pages and feed from one process."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from config.server import serve


class Command(BaseCommand):
    """The web process; `up` hands it a socket, elsewhere it binds HOST and a port."""

    help = "Serve the site's pages and its feed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """A port, or an open socket's number."""
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--fd", type=int, help="an open socket, handed over by its number")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until told to stop."""
        serve(
            "config.asgi:application",
            host=settings.HOST,
            port=options["port"],
            fd=options["fd"],
        )
