"""Serve pages and feed from one process."""

import socket
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

PATIENCE = 3  # seconds for answers under way when the server stops


class Server(uvicorn.Server):
    """Stops at once: open feeds are cut first, browsers come back to them."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Cut the lines, let answers under way be finished."""
        from live.application import feed

        feed.cut()
        await super().shutdown(sockets)


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
        config = uvicorn.Config(
            "config.asgi:application",
            host=settings.HOST,
            port=options["port"],
            fd=options["fd"],
            lifespan="on",
            log_level="warning",
            access_log=False,
            # Believing a proxy is for sites that say they have one.
            proxy_headers=False,
            server_header=False,
            backlog=4096,
            timeout_graceful_shutdown=PATIENCE,
        )
        Server(config).run()
