"""Connections of the embedded server, with time limits for requests and responses.

A slow or hostile client occupies a connection but no thread.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, cast

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from live.asgi_types import Receive, Scope, Send
from server.buffering import client_address, refuse

# Time limit for the request line and headers, from the first byte of the connection or request.
HEADER_SECONDS: Final = 10.0
HEADER_BYTES: Final = 64 * 1024
# Time limit for a body, in addition to the time that its bytes take at `BODY_RATE`.
BODY_SECONDS: Final = 20.0
BODY_RATE: Final = 16 * 1024  # bytes a second
# Time limit for reading the rest of a body after the response was sent.
UNREAD_SECONDS: Final = 5.0
# Time limit for a client to accept buffered response data.
SEND_SECONDS: Final = 30.0
# Number of open files reserved for purposes other than connections.
RESERVED_FILES: Final = 200

# Path prefix of the live feed, whose responses never end.
STREAMS: Final = "/live/"

_connections_by_address: Counter[str] = Counter()


def _forget_connection(address: str) -> None:
    _connections_by_address[address] -= 1
    if not _connections_by_address[address]:
        del _connections_by_address[address]


class TimeoutProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with time limits for slow and idle clients."""

    # uvicorn's object for the request being answered, or for the last one.
    _answered: RequestResponseCycle | None = None
    _counted = False
    _arriving: asyncio.TimerHandle | None = None
    _leaving: asyncio.TimerHandle | None = None
    _in_headers = True
    _header_bytes = 0
    _body_began = 0.0
    _body_bytes = 0
    # Number of bytes of request bodies received on this connection.
    _taken = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._counted = True
        _connections_by_address[self._address] += 1
        if (
            not settings.PROXIES
            and _connections_by_address[self._address] > settings.CONNECTIONS_AN_ADDRESS
        ):
            self._drop()
        elif len(self.connections) > max_connections():
            self._make_room()
        self._arrives_within(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._counted:
            self._counted = False
            _forget_connection(self._address)
        self._body_complete()
        self._has_left()
        self._client_gone()
        super().connection_lost(exc)

    def _drop(self) -> None:
        self._client_gone()
        self.transport.abort()

    def _client_gone(self) -> None:
        """Notify the request being answered that the client has disconnected.

        uvicorn notifies only the last request, which may be another one.
        """
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

    # Receiving requests
    def data_received(self, data: bytes) -> None:
        if self._arriving is None and self._in_headers and self._is_idle():
            self._arrives_within(HEADER_SECONDS)  # also for data that does not begin a request
        of_bodies = self._taken
        super().data_received(data)
        if self._asks_for_a_stream():
            self._become_stream()
            return
        if self._in_headers:
            self._header_bytes += len(data) - (self._taken - of_bodies)
            if self._header_bytes > HEADER_BYTES:
                self._drop()

    def send_400_response(self, msg: str) -> None:
        body = msg.encode()
        heads = (
            b"HTTP/1.1 400 Bad Request",
            b"Content-Type: text/plain; charset=utf-8",
            b"X-Content-Type-Options: nosniff",
            b"Content-Length: %d" % len(body),
            b"Connection: close",
        )
        self.transport.write(b"\r\n".join([*heads, b"", body]))
        self.transport.close()

    def on_message_begin(self) -> None:
        self._in_headers, self._header_bytes = True, 0
        self._arrives_within(HEADER_SECONDS)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._body_began, self._body_bytes = self.loop.time(), 0
        self._arrives_within(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count the bytes of a body. They extend the time limit, which the timer checks."""
        self._body_bytes += len(body)
        self._taken += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._body_complete()
        self._in_headers, self._header_bytes = True, 0
        super().on_message_complete()

    def _arrives_within(self, seconds: float) -> None:
        self._body_complete()
        self._arriving = self.loop.call_later(seconds, self._timed_out)

    def _body_complete(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _timed_out(self) -> None:
        if not self._in_headers:
            allowed = BODY_SECONDS + self._body_bytes / BODY_RATE
            left = self._body_began + allowed - self.loop.time()
            if left > 0:
                self._arrives_within(left)
                return
        self._drop()

    # Endless responses
    def _asks_for_a_stream(self) -> bool:
        cycle = self._answered
        return (
            cycle is not None
            and cycle is self.cycle
            and not cycle.more_body
            and not cycle.response_started
            and cycle.scope["path"].startswith(STREAMS)
        )

    def _become_stream(self) -> None:
        """Hand the connection over to a `StreamProtocol`, which needs less memory."""
        self._body_complete()
        self._has_left()
        del self.parser  # it refers to this protocol and would keep it in memory
        self.connections.discard(self)
        stream = StreamProtocol(self._address, self.cycle, self.connections)
        self.connections.add(stream)  # type: ignore[arg-type]  # the server only stops them
        self.transport.set_protocol(stream)

    # Sending responses
    def pause_writing(self) -> None:
        super().pause_writing()
        self._leaving = self.loop.call_later(SEND_SECONDS, self._drop)

    def resume_writing(self) -> None:
        self._has_left()
        super().resume_writing()

    def _has_left(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        waiting = self.transport.get_write_buffer_size()
        if waiting:
            self.loop.call_later(SEND_SECONDS, self._drop_if_stuck, waiting)
        if not self._in_headers:
            self.loop.call_later(UNREAD_SECONDS, self._drop)

    def _drop_if_stuck(self, before: int) -> None:
        waiting = self.transport.get_write_buffer_size()
        if waiting and waiting >= before:
            self._drop()
        elif waiting:
            self.loop.call_later(SEND_SECONDS, self._drop_if_stuck, waiting)

    # Limit the number of connections
    def _make_room(self) -> None:
        for connection in self.connections:
            if (
                isinstance(connection, TimeoutProtocol)
                and connection is not self
                and connection._in_headers
                and connection._is_idle()
            ):
                connection._drop()
                return
        self._drop()

    def _is_idle(self) -> bool:
        return self._answered is None or (self._answered.response_complete and not self.pipeline)


# Event shared by all streams, because nobody waits for it. An event per stream would take half a
# kilobyte.
_UNUSED_EVENT: Final = asyncio.Event()


class StreamProtocol(asyncio.Protocol):
    """A connection that serves a single, endless response.

    There are thousands of these, so each is small. It also replaces uvicorn's `FlowControl`.
    Further data from the client is discarded. The application need not wait for a disconnect
    message: its scope contains `on_disconnect`.
    """

    __slots__ = ("_address", "_connections", "_cycle", "_leaving", "_on_disconnect", "_writable")

    def __init__(self, address: str, cycle: RequestResponseCycle, connections: set[Any]) -> None:
        self._address = address
        self._connections = connections
        self._cycle = cycle
        self._leaving: asyncio.TimerHandle | None = None
        self._on_disconnect: Callable[[], None] | None = None
        self._writable: asyncio.Future[None] | None = None
        cast("dict[str, object]", cycle.scope)["on_disconnect"] = self.on_disconnect
        cycle.message_event = _UNUSED_EVENT
        cycle.flow.resume_reading()
        cycle.flow = self  # type: ignore[assignment]
        cycle.keep_alive = False
        cycle.on_response = self._abort_if_unsent

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self)
        _forget_connection(self._address)
        self._cycle.disconnected = True
        self.resume_writing()
        if self._on_disconnect is not None:
            self._on_disconnect()

    def on_disconnect(self, callback: Callable[[], None]) -> None:
        """Register a function to be called when the client disconnects.

        It is called at once if the client has already disconnected.
        """
        self._on_disconnect = callback
        if self._cycle.disconnected:
            callback()

    def shutdown(self) -> None:
        """Do nothing when the server stops, because the live feed ends its own streams."""

    @property
    def write_paused(self) -> bool:
        return self._writable is not None

    def pause_writing(self) -> None:
        loop = asyncio.get_running_loop()
        self._writable = loop.create_future()
        self._leaving = loop.call_later(SEND_SECONDS, self._cycle.transport.abort)

    def resume_writing(self) -> None:
        self._has_left()
        if self._writable is not None:
            self._writable.set_result(None)
            self._writable = None

    async def drain(self) -> None:
        if self._writable is not None:
            await asyncio.shield(self._writable)

    def resume_reading(self) -> None:
        """Do nothing: this protocol always reads, since it discards the data."""

    def _abort_if_unsent(self) -> None:
        transport = self._cycle.transport
        if transport.get_write_buffer_size():
            asyncio.get_running_loop().call_later(SEND_SECONDS, transport.abort)

    def _has_left(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None


class ConcurrencyLimit:
    """Limits concurrent requests per client address on sites behind a proxy.

    On sites without a proxy, `TimeoutProtocol` limits connections instead.
    """

    def __init__(self, application: Any) -> None:
        self._application = application
        self._of_address: Counter[str] = Counter()

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        if scope["type"] != "http" or not settings.PROXIES:
            return self._application(scope, receive, send)  # type: ignore[no-any-return]
        return self._limited(scope, receive, send)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
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
    """Return the maximum number of connections, which depends on the limit of open files."""
    return _max_open_files - RESERVED_FILES


def _raise_limit() -> int:
    """Raise the soft limit of open files up to the hard limit and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


_max_open_files: Final = _raise_limit()
