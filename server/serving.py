"""Serve an ASGI application with uvicorn."""

from __future__ import annotations

import logging
import socket
from typing import Final

import uvicorn
from django.conf import settings

from live.application import feed
from server.accepting import FairAcceptor
from server.connections import TimeoutProtocol

# Seconds that responses in progress get to finish when the server stops.
SHUTDOWN_TIMEOUT: Final = 3
BACKLOG: Final = 4096
# Seconds for which an idle connection stays open for the next request.
IDLE_SECONDS: Final = 5
# Seconds for which an idle connection from a proxy stays open. The proxy must be the one that
# closes idle connections. A request that it sends on a connection that the server has just closed
# is lost, and a form is not sent again. Caddy closes idle connections after 120 s, nginx after 60
# s.
PROXY_IDLE_SECONDS: Final = 150


class Server(uvicorn.Server):
    """uvicorn server that stops at once, because it first closes the live feed's connections.

    Browsers reconnect. With an `acceptor`, it shares its socket with other processes.
    """

    def __init__(self, config: uvicorn.Config, acceptor: FairAcceptor | None) -> None:
        super().__init__(config)
        self._acceptor = acceptor

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self._acceptor is None:
            await super().startup(sockets)
            return
        await super().startup([])  # the acceptor accepts connections, not uvicorn
        connections = self.server_state.connections
        self._acceptor.open(self._protocol, lambda: len(connections), BACKLOG)

    def _protocol(self) -> TimeoutProtocol:
        return TimeoutProtocol(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def on_tick(self, counter: int) -> bool:
        if self._acceptor is not None:
            self._acceptor.publish_count()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._acceptor is not None:
            self._acceptor.close()
        feed.cut()
        await super().shutdown(sockets)


def serve(
    application: str,
    *,
    port: int = 0,
    fd: int | None = None,
    acceptor: FairAcceptor | None = None,
) -> None:
    """Serve until stopped. `fd` is the number of an open socket, which replaces the port."""
    config = uvicorn.Config(
        application,
        host=settings.HOST,
        port=port,
        fd=fd,
        interface="asgi3",
        lifespan="on",
        log_level=logging.getLogger().level,
        log_config=None,  # logging is already configured
        access_log=False,
        # uvicorn must not evaluate proxy headers. The site evaluates them itself if PROXIES is set.
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        http=TimeoutProtocol,
        timeout_keep_alive=PROXY_IDLE_SECONDS if settings.PROXIES else IDLE_SECONDS,
        ws="none",
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    )
    Server(config, acceptor).run()
