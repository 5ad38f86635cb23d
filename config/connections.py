"""Connections of the embedded server: how long a request may take to arrive, an answer to leave.

A visitor whose connection is slow, or who means harm, costs a connection and nothing else.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from config.buffering import client_address, refuse
from live.asgi_types import Receive, Scope, Send

HEADER_SECONDS: Final = 10.0
"""For the line and the headers of a request, from the connection's or the request's first byte."""
HEADER_BYTES: Final = 64 * 1024
BODY_SECONDS: Final = 20.0
"""For a body, beside what its bytes take at `BODY_RATE`."""
BODY_RATE: Final = 16 * 1024  # bytes a second
UNREAD_SECONDS: Final = 5.0
"""For which the rest of a body is taken whose request is answered already."""
SEND_SECONDS: Final = 30.0
"""In which what a connection holds of an answer must be taken."""
RESERVED_FILES: Final = 200
"""Open files that are not connections."""

_connections_by_address: Counter[str] = Counter()


class TimeoutProtocol(HttpToolsProtocol):
    """HTTP by uvicorn, in which nobody keeps a connection by doing nothing."""

    _answered: RequestResponseCycle | None = None
    """The request that is being answered, or was last."""
    _counted = False
    _arriving: asyncio.TimerHandle | None = None
    _leaving: asyncio.TimerHandle | None = None
    _in_headers = True
    _header_bytes = 0
    _body_began = 0.0
    _body_bytes = 0
    _taken = 0
    """Bytes of all bodies of this connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless its address has enough of them."""
        super().connection_made(transport)
        self._counted = True
        _connections_by_address[self._address] += 1
        if (
            not settings.PROXIES
            and _connections_by_address[self._address] > settings.CONNECTIONS_AN_ADDRESS
        ):
            self._cut()
        elif len(self.connections) > max_connections():
            self._make_room()
        self._arrives_within(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        if self._counted:
            self._counted = False
            _connections_by_address[self._address] -= 1
            if not _connections_by_address[self._address]:
                del _connections_by_address[self._address]
        self._has_arrived()
        self._has_left()
        self._nobody_is_there()
        super().connection_lost(exc)

    def _cut(self) -> None:
        """End the connection at once, whatever it still holds."""
        self._nobody_is_there()
        self.transport.abort()

    def _nobody_is_there(self) -> None:
        """Tell who is answering; uvicorn tells the last of several requests alone."""
        self.pipeline.clear()
        if self._answered is not None and not self._answered.response_complete:
            self._answered.disconnected = True
            self._answered.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    # What arrives -------------------------------------------------------------------------
    def data_received(self, data: bytes) -> None:
        """Take bytes; headers without an end are cut off."""
        if self._arriving is None and self._in_headers and self._is_idle():
            self._arrives_within(HEADER_SECONDS)  # empty lines begin no request
        of_bodies = self._taken
        super().data_received(data)
        if self._in_headers:
            self._header_bytes += len(data) - (self._taken - of_bodies)
            if self._header_bytes > HEADER_BYTES:
                self._cut()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        told = msg.encode()
        heads = (
            b"HTTP/1.1 400 Bad Request",
            b"Content-Type: text/plain; charset=utf-8",
            b"X-Content-Type-Options: nosniff",
            b"Content-Length: %d" % len(told),
            b"Connection: close",
        )
        self.transport.write(b"\r\n".join([*heads, b"", told]))
        self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_headers, self._header_bytes = True, 0
        self._arrives_within(HEADER_SECONDS)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its body begins."""
        self._in_headers = False
        self._body_began, self._body_bytes = self.loop.time(), 0
        self._arrives_within(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Every byte of a body is worth some time, which the timer counts when it is due."""
        self._body_bytes += len(body)
        self._taken += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """It has arrived whole."""
        self._has_arrived()
        self._in_headers, self._header_bytes = True, 0
        super().on_message_complete()

    def _arrives_within(self, seconds: float) -> None:
        self._has_arrived()
        self._arriving = self.loop.call_later(seconds, self._came_too_late)

    def _has_arrived(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _came_too_late(self) -> None:
        """Cut the connection, unless its body comes fast enough."""
        if not self._in_headers:
            allowed = BODY_SECONDS + self._body_bytes / BODY_RATE
            left = self._body_began + allowed - self.loop.time()
            if left > 0:
                self._arrives_within(left)
                return
        self._cut()

    # What leaves --------------------------------------------------------------------------
    def pause_writing(self) -> None:
        """More waits than a connection may hold; it must be taken in a while."""
        super().pause_writing()
        self._leaving = self.loop.call_later(SEND_SECONDS, self._cut)

    def resume_writing(self) -> None:
        """It was taken."""
        self._has_left()
        super().resume_writing()

    def _has_left(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    def on_response_complete(self) -> None:
        """The last bytes must be taken too, and what is still sent is not read for long."""
        super().on_response_complete()
        waiting = self.transport.get_write_buffer_size()
        if waiting:
            self.loop.call_later(SEND_SECONDS, self._drop_if_stuck, waiting)
        if not self._in_headers:
            self.loop.call_later(UNREAD_SECONDS, self._cut)

    def _drop_if_stuck(self, before: int) -> None:
        """Cut it where nothing was taken; who took something gets as long again."""
        waiting = self.transport.get_write_buffer_size()
        if waiting and waiting >= before:
            self._cut()
        elif waiting:
            self.loop.call_later(SEND_SECONDS, self._drop_if_stuck, waiting)

    # How many there may be ----------------------------------------------------------------
    def _make_room(self) -> None:
        """Cut a connection that asks for nothing; where all ask for something, this one."""
        for one in self.connections:
            if isinstance(one, TimeoutProtocol) and one is not self and one._asks_for_nothing():
                one._cut()
                return
        self._cut()

    def _asks_for_nothing(self) -> bool:
        return self._in_headers and self._is_idle()

    def _is_idle(self) -> bool:
        return self._answered is None or (self._answered.response_complete and not self.pipeline)


class ConcurrencyLimit:
    """An application of which nobody behind our proxies asks too many things at once.

    Without a proxy connections are counted instead, by the protocol.
    """

    def __init__(self, application: Any) -> None:
        self._application = application
        self._of_address: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http" or not settings.PROXIES:
            await self._application(scope, receive, send)
            return
        address = client_address(scope)
        if self._of_address[address] >= settings.CONNECTIONS_AN_ADDRESS:
            await refuse(send, 429, b"Too many requests at once from your address.")
            return
        self._of_address[address] += 1
        try:
            await self._application(scope, receive, send)
        finally:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]


def max_connections() -> int:
    """As many as this process may have open files, but for those it needs itself."""
    return _max_open_files - RESERVED_FILES


def _raise_limit() -> int:
    """As many open files as the system lets one have without asking."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


_max_open_files: Final = _raise_limit()
