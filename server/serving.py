"""Serving an ASGI application with uvicorn."""

from __future__ import annotations

import logging
import socket
from typing import Final

import uvicorn

from live.application import feed
from server.connections import TimeoutProtocol

SHUTDOWN_TIMEOUT: Final = 3
# Seconds for responses under way when the server stops.
BACKLOG: Final = 4096


class Server(uvicorn.Server):
    """Stops at once by closing the feed's connections first. Browsers reconnect."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        feed.cut()
        await super().shutdown(sockets)


def serve(application: str, *, host: str, port: int, fd: int | None = None) -> None:
    """Serve until stopped. `fd` is an open socket that replaces the port."""
    config = uvicorn.Config(
        application,
        host=host,
        port=port,
        fd=fd,
        interface="asgi3",
        lifespan="on",
        log_level=logging.getLogger().level,
        log_config=None,  # the site's own logging stands already
        access_log=False,
        # Believing a proxy is for sites that say they have one.
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        http=TimeoutProtocol,
        ws="none",
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )
    Server(config).run()
