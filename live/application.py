"""The live feed as a small ASGI application: GET /live/<kind>/<key>/ is an event stream.

`Last-Event-ID` or `?after=N` resumes after event N. Without them, a broadcast begins with the
latest moment that is due, and an endless stream with the next event.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Coroutine, Iterable
from importlib import import_module
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import get_user
from django.db import DatabaseError
from django.http import HttpRequest, parse_cookie

from core.keys import parse_key
from core.page_cache import ACCEPTS_GZIP
from live import pubsub
from live.asgi_types import Receive, Scope, Send
from live.broadcast_source import BroadcastSources, Gate, WatchingRefusedError, sources
from live.broadcasts import LogBroadcast, TimedBroadcast
from live.connections import Connection, Connections, LogConnection, TimedConnection
from live.stats import process_stats, publish_stats
from live.threads import in_thread

log = logging.getLogger(__name__)
PATH_PATTERN = re.compile(r"/live/(?P<kind>[a-z-]{1,32})/(?P<key>[A-Za-z0-9_.-]{1,128})/")


LOGGED = ("client", "method", "path", "query_string", "http_version")
MAX_CONCURRENT_CHECKS = 8  # permission checks at the same time; others wait


class Request(NamedTuple):
    """A request for an event stream: events after a number, gzip-compressed if `packed`."""

    kind: str
    key: str
    after: int | None
    packed: bool


UNKNOWN: Final = (404, b"No such broadcast.")


class Feed:
    """All broadcasts that this process sends.

    Each broadcast is read from the database once for any number of watchers.
    """

    def __init__(self, offered: BroadcastSources) -> None:
        self._offered = offered
        self._open: dict[tuple[str, str], TimedBroadcast | LogBroadcast] = {}
        self._watchers = Connections()
        self._pages = asyncio.Semaphore(1)
        self._door = asyncio.Semaphore(MAX_CONCURRENT_CHECKS)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Coroutine[Any, Any, None]:
        if scope["type"] == "lifespan":
            return self._live(receive, send)
        return self._respond(scope, receive, send)

    def cut(self) -> None:
        """Close all connections so that the server can stop. Browsers reconnect."""
        for channel in self._open.values():
            channel.close()
        self._open.clear()

    def ring(self, kind: str, key: str) -> None:
        """Read a broadcast from its source again because it has changed.

        Does nothing if it has no watchers.
        """
        if key == pubsub.ALL_KEYS:
            for channel in self._open.values():
                if channel.kind == kind:
                    channel.ring()
        elif (watched := self._open.get((kind, key))) is not None:
            watched.ring()

    def ring_all(self) -> None:
        for channel in self._open.values():
            channel.ring()

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        listening = asyncio.create_task(pubsub.listen(self.ring, self.ring_all))
        reporting = asyncio.create_task(publish_stats(process_stats))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        listening.cancel()
        reporting.cancel()
        self.cut()
        await send({"type": "lifespan.shutdown.complete"})

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, on_disconnect = read_request(scope), scope.get("on_disconnect")
        try:
            refusal = await self._refusal(scope, request)
        except DatabaseError as error:
            refusal = unavailable(error)
        forget_request(scope)
        if request is None or refusal is not None:
            await refuse(send, *(refusal or UNKNOWN))
            return
        channel = self._join(request.kind, request.key)
        connection = None
        try:
            if await channel.open():
                connection = await make_connection(channel, request, send)
        except DatabaseError as error:
            refusal = unavailable(error)
        try:
            if connection is not None:
                await connection.watch(receive, self._watchers, on_disconnect)
            else:
                await refuse(send, *(refusal or UNKNOWN))
        finally:
            self._leave_broadcast(channel)

    async def _refusal(self, scope: Scope, request: Request | None) -> tuple[int, bytes] | None:
        if scope["method"] != "GET":
            return 405, b"Only GET."
        if request is None:
            return UNKNOWN
        lost = request.after is None and b"after=" in scope["query_string"]
        if lost and self._offered.is_endless(request.kind):
            return 400, b"A cursor is a whole number from 0 on: ?after=12."
        try:
            admitted = await self._admits(request, cookie_header(scope["headers"]))
        except WatchingRefusedError as error:
            return 403, str(error).encode()
        return None if admitted else UNKNOWN

    async def _admits(self, request: Request, cookie: bytes) -> bool:
        gate = self._offered.gate(request.kind)
        if gate is None:
            return self._offered.knows(request.kind)
        async with self._door:
            return await may_watch(gate, request.key, cookie)

    def _join(self, kind: str, key: str) -> TimedBroadcast | LogBroadcast:
        channel = self._open.get((kind, key))
        if channel is None or channel.closed:
            channel = self._open[kind, key] = self._open_broadcast(kind, key)
        channel.watchers += 1
        process_stats.count_watchers(kind, key, 1)
        return channel

    def _open_broadcast(self, kind: str, key: str) -> TimedBroadcast | LogBroadcast:
        if self._offered.is_endless(kind):
            return LogBroadcast(self._offered, kind, key, self._pages)
        return TimedBroadcast(self._offered, kind, key)

    def _leave_broadcast(self, channel: TimedBroadcast | LogBroadcast) -> None:
        channel.watchers -= 1
        process_stats.count_watchers(channel.kind, channel.key, -1)
        if channel.watchers == 0:
            channel.close()
            if self._open.get((channel.kind, channel.key)) is channel:
                del self._open[channel.kind, channel.key]


def unavailable(error: DatabaseError) -> tuple[int, bytes]:
    log.error("The database could not serve the feed: %s", error)
    return 503, b"The database cannot be read at the moment."


async def make_connection(
    channel: TimedBroadcast | LogBroadcast, request: Request, send: Send
) -> Connection:
    after = request.after
    if isinstance(channel, TimedBroadcast):
        return TimedConnection(channel, after, send, packed=request.packed)
    if after is not None and after > channel.due:
        # The client may have received later events from another process, which this process has not
        # read yet.
        await channel.catch_up()
    return LogConnection(channel, after, send)


def read_request(scope: Scope) -> Request | None:
    """Return the requested stream, or None if the path is not that of a stream."""
    address = PATH_PATTERN.fullmatch(scope["path"])
    if address is None:
        return None
    kind, key = address.groups()
    return Request(kind, key, read_cursor(scope), accepts_gzip(scope["headers"]))


def read_cursor(scope: Scope) -> int | None:
    query = parse_qs(scope["query_string"].decode("latin-1")).get("after", [])
    resumed = [v.decode("latin-1") for k, v in scope["headers"] if k == b"last-event-id"]
    # A browser that reconnects uses the original URL, so its header is newer than `?after=`.
    for written in (*resumed, *query):
        if (number := parse_key(written)) is not None:
            return number
    return None


def forget_request(scope: Scope) -> None:
    """Drop the headers from the scope to save memory, since the connection lasts for hours.

    The server keeps this dictionary and logs some of its values when the response begins.
    """
    logged = {name: scope[name] for name in LOGGED if name in scope}
    scope.clear()
    scope.update(logged)


async def refuse(send: Send, status: int, sentence: bytes) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence})


feed = Feed(sources)


def accepts_gzip(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    accepted = [value.decode("latin-1") for name, value in headers if name == b"accept-encoding"]
    return any(map(ACCEPTS_GZIP.search, accepted))


def cookie_header(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    return b"; ".join(value for name, value in headers if name == b"cookie")


async def may_watch(gate: Gate, key: str, cookie: bytes) -> bool:
    cookies = parse_cookie(cookie.decode("latin-1"))
    return await in_thread(lambda: gate(key, visitor_of(cookies)))


def visitor_of(cookies: dict[str, str]) -> Any:
    """Return the user (or AnonymousUser), with the browser's session as attribute `session`.

    Guests without an account are recognised by the session alone.
    """
    request = HttpRequest()
    request.COOKIES = cookies
    engine = import_module(settings.SESSION_ENGINE)
    request.session = engine.SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    visitor: Any = get_user(request)
    visitor.session = request.session
    return visitor
