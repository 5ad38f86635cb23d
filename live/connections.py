"""Connections of watchers: sending events, and detecting stalled and disconnected clients.

There are thousands of connections, and each lasts for hours, so each is kept small. The server's
own task sends the events, the server calls a function when the client disconnects, and connections
have no timers. With other ASGI servers, each connection needs a second task that waits for the
disconnect message.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from typing import Any

from live.asgi_types import OnDisconnect, Receive, Send
from live.broadcasts import BroadcastClosedError, LogBroadcast, TimedBroadcast
from live.compression import STREAM_HEADER, stored_block
from live.sse import END_EVENT, HEARTBEAT_EVENT, NOTICE_EVENT, RETRY, comment, id_only
from live.stats import process_stats

STALL_TIMEOUT = 30.0  # seconds after which a stalled client is disconnected
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"vary", b"Accept-Encoding"),
]
PACKED_HEADERS = [*HEADERS, (b"content-encoding", b"gzip")]


class Connection(ABC):
    """A client that is connected to an event stream.

    Its cursor is the number of the last event sent.
    """

    __slots__ = ("_busy", "_cursor", "_gone", "_seen", "_send", "_task")

    def __init__(self, cursor: int, send: Send) -> None:
        self._cursor = cursor
        self._send = send
        self._task: asyncio.Task[Any] | None = None
        self._busy = True  # until the first bytes have been accepted
        self._gone = False
        self._seen = -1

    @abstractmethod
    async def _send_response(self) -> None:
        """Send the body of the response: events, until the stream ends."""

    async def watch(
        self, receive: Receive, among: Connections, on_disconnect: OnDisconnect | None = None
    ) -> None:
        """Send events when they are due, until the broadcast ends or the client disconnects.

        Meanwhile `among` disconnects the client if it accepts no data.
        """
        self._task = asyncio.current_task()
        among.add(self)
        leaving = None
        if on_disconnect is None:
            leaving = asyncio.create_task(self._wait_for_leave(receive))
        else:
            on_disconnect(self._let_go)
        try:
            await self._send_response()
        except asyncio.CancelledError:
            if not self._was_let_go():
                raise
        finally:
            if leaving is not None:
                leaving.cancel()
            among.discard(self)

    def drop_if_stalled(self) -> None:
        if self._busy and self._cursor == self._seen:
            self._let_go()
        # A client to which nothing had to be sent has not stalled. Its next check starts from the
        # beginning.
        self._seen = self._cursor if self._busy else -1

    def _let_go(self) -> None:
        if self._task is not None and not self._gone:
            self._gone = True
            self._task.cancel()

    def _was_let_go(self) -> bool:
        """Return True if the task was cancelled only by this class, not by the server or
        another task.
        """
        return self._gone and self._task is not None and self._task.uncancel() == 0

    async def _wait_for_leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._let_go()

    async def _write(self, body: bytes, *, more: bool = True) -> None:
        self._busy = True
        process_stats.sent += 1
        await self._send({"type": "http.response.body", "body": body, "more_body": more})
        self._busy = False


class Connections:
    """All event stream connections of a process.

    It disconnects clients that accept no data for too long.
    """

    def __init__(self) -> None:
        self._all: set[Connection] = set()
        self._looking: asyncio.Task[None] | None = None

    def add(self, connection: Connection) -> None:
        self._all.add(connection)
        process_stats.clients += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._drop_stalled())

    def discard(self, connection: Connection) -> None:
        self._all.discard(connection)
        process_stats.clients -= 1

    async def _drop_stalled(self) -> None:
        while self._all:
            await asyncio.sleep(STALL_TIMEOUT)
            for connection in tuple(self._all):
                connection.drop_if_stalled()


log = logging.getLogger(__name__)

MAX_CATCH_UP = 1000  # maximum number of moments sent on reconnection


class TimedConnection(Connection):
    """A connection to a broadcast whose parts become visible at given times.

    It is compressed if `packed`.
    """

    __slots__ = ("_channel", "_last", "_noticed", "_packed")

    def __init__(
        self, channel: TimedBroadcast, after: int | None, send: Send, *, packed: bool
    ) -> None:
        latest = channel.due
        begin = max(latest - 1, 0) if after is None else min(after, latest)
        super().__init__(max(begin, latest - MAX_CATCH_UP), send)
        self._channel = channel
        self._noticed = ""
        self._packed = packed
        # The text of the last event frame sent, or None if other bytes were sent after it.
        self._last: bytes | None = None

    async def _send_response(self) -> None:
        """Send each moment. This is short, since it runs for all watchers at the same time."""
        channel = self._channel
        headers = PACKED_HEADERS if self._packed else HEADERS
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        try:
            await self._write((STREAM_HEADER if self._packed else b"") + self._plain(RETRY))
            while not await self._caught_up():
                if await channel.news():
                    await self._write(self._plain(HEARTBEAT_EVENT))
            await self._write(self._plain(END_EVENT))
        except BroadcastClosedError:
            log.debug("A line was cut")
        await self._write(b"", more=False)

    async def _caught_up(self) -> bool:
        channel = self._channel
        if channel.notice != self._noticed:
            self._noticed = channel.notice
            await self._write(self._plain(NOTICE_EVENT % channel.notice.encode()))
        while self._cursor < channel.due:
            number = self._cursor + 1
            frame = channel.ready_frame(number) or await channel.frame(number)
            await self._write(frame.packed(self._last) if self._packed else frame.text)
            self._last = frame.text
            self._cursor = number
        if channel.over:
            # Let the tasks of all other connections send the last moment before this connection
            # ends.
            await asyncio.sleep(0)
        return channel.over

    def _plain(self, text: bytes) -> bytes:
        """Return a text that is not an event frame, such as a heartbeat, ready to be sent.

        The next frame must not be compressed against an earlier frame.
        """
        self._last = None
        return stored_block(text) if self._packed else text


# Seconds after which clients must reconnect. Permissions are checked on connection, so that a user
# who loses permission cannot follow a stream for days.
MAX_LIFETIME = 3600.0
# If a client has skipped this many event numbers, it is sent the current number, so that the server
# need not scan them again when it reconnects.
ID_INTERVAL = 1000
AHEAD_COMMENT = "no event has the number %d yet, the last is %d: the stream continues after it"


class LogConnection(Connection):
    """A connection to an endless stream.

    A browser resumes after the last number that it received. If many events are not for this
    reader, that number would be far behind. So the current number is sent alone now and then.
    `_named` is the last number sent.
    """

    __slots__ = ("_ends", "_named", "_opening", "_stream")

    def __init__(self, stream: LogBroadcast, after: int | None, send: Send) -> None:
        newest = stream.due
        ahead = after is not None and after > newest
        super().__init__(newest if after is None else min(after, newest), send)
        self._stream = stream
        said = comment(AHEAD_COMMENT % (after, newest)) if ahead else b""
        self._named = self._cursor
        self._opening = RETRY + said + id_only(self._named)
        self._ends = asyncio.get_running_loop().time() + MAX_LIFETIME

    async def _send_response(self) -> None:
        """Send past and new events, each once, in the order of their numbers."""
        stream, loop = self._stream, asyncio.get_running_loop()
        await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        try:
            await self._write(self._opening)
            while loop.time() < self._ends:
                await self._catch_up()
                if await stream.news():
                    await self._write(self._cursor_event(1) + HEARTBEAT_EVENT)
        except BroadcastClosedError:
            log.debug("A line was cut")
        await self._write(b"", more=False)

    async def _catch_up(self) -> None:
        while self._cursor < self._stream.due:
            frames, cursor = await self._stream.bytes_after(self._cursor)
            if frames:
                await self._write(frames)
            # Another connection may have advanced the broadcast meanwhile. The cursor never goes
            # back.
            self._cursor = max(cursor, self._cursor)
            if far := self._cursor_event(ID_INTERVAL):
                await self._write(far)

    def _cursor_event(self, least: int) -> bytes:
        """Return an event that contains only the cursor, or nothing.

        It is sent if the cursor is at least `least` numbers beyond the last one sent.
        """
        if self._cursor - self._named < least:
            return b""
        self._named = self._cursor
        return id_only(self._named)
