"""Serve pages and feed from one process."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from server.serving import serve


class Command(BaseCommand):
    """The web process. `up` passes it a socket, otherwise it binds HOST and a port."""

    help = "Serve the site's pages and its feed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--fd", type=int, help="an open socket, handed over by its number")

    def handle(self, *args: Any, **options: Any) -> None:
        serve(
            "config.asgi:application",
            host=settings.HOST,
            port=options["port"],
            fd=options["fd"],
        )
