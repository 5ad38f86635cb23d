"""The feed as a small ASGI application: GET /live/<kind>/<key>/ is a stream of events.

`Last-Event-ID` or `?after=N` resumes after the event N; without them the stream begins
with the latest moment that is due.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from live import doorbell
from live.channel import Channel, LineCutError
from live.frames import COMMENT, END, OPENING
from live.programme import Channels, channels
from live.visitor import may_watch

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

ADDRESS = re.compile(r"/live/(?P<kind>[a-z-]{1,32})/(?P<key>[A-Za-z0-9_.-]{1,64})/")
CATCH_UP = 1000  # moments sent at most to one who comes back
STALLED = 30.0  # seconds after which a reader who takes nothing is let go
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class Feed:
    """All broadcasts of one process, each followed once however many watch."""

    def __init__(self, offered: Channels) -> None:
        self._offered = offered
        self._open: dict[tuple[str, str], Channel] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection, or follow the server's start and end."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    def cut(self) -> None:
        """Close every line, so that the server can stop; browsers connect again."""
        for channel in self._open.values():
            channel.close()
        self._open.clear()

    def ring(self, kind: str, key: str) -> None:
        """The programme has changed; nothing happens where nobody watches it."""
        channel = self._open.get((kind, key))
        if channel is not None:
            channel.ring()

    def ring_all(self) -> None:
        """Any programme may have changed."""
        for channel in self._open.values():
            channel.ring()

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        listening = asyncio.create_task(doorbell.listen(self.ring, self.ring_all))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        listening.cancel()
        self.cut()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = ADDRESS.fullmatch(scope["path"])
        if scope["method"] != "GET":
            await refuse(send, 405, b"Only GET.")
        elif address and await self._admits(address["kind"], address["key"], scope):
            await self._serve(address["kind"], address["key"], scope, receive, send)
        else:
            await refuse(send, 404, b"No such broadcast.")

    async def _admits(self, kind: str, key: str, scope: Scope) -> bool:
        gate = self._offered.gate(kind)
        if gate is None:
            return self._offered.knows(kind)
        return await may_watch(gate, key, scope["headers"])

    async def _serve(self, kind: str, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        channel = self._join(kind, key)
        try:
            if await channel.open():
                await Watcher(channel, cursor(scope), send).watch(receive)
            else:
                await refuse(send, 404, b"No such broadcast.")
        finally:
            self._leave(channel)

    def _join(self, kind: str, key: str) -> Channel:
        channel = self._open.get((kind, key))
        if channel is None or channel.closed:
            channel = self._open[kind, key] = Channel(self._offered, kind, key)
        channel.watchers += 1
        return channel

    def _leave(self, channel: Channel) -> None:
        channel.watchers -= 1
        if channel.watchers == 0:
            channel.close()
            if self._open.get((channel.kind, channel.key)) is channel:
                del self._open[channel.kind, channel.key]


class Watcher:
    """One connection: a cursor that runs after the channel."""

    __slots__ = ("_busy", "_channel", "_cursor", "_send")

    def __init__(self, channel: Channel, after: int | None, send: Send) -> None:
        latest = channel.due
        begin = max(latest - 1, 0) if after is None else min(after, latest)
        self._channel = channel
        self._cursor = max(begin, latest - CATCH_UP)
        self._send = send
        self._busy = False

    async def watch(self, receive: Receive) -> None:
        """Send what is due, and what falls due, until it ends or the reader leaves."""
        sending = asyncio.create_task(self._run())
        leaving = asyncio.create_task(_left(receive))
        try:
            await self._until_one_is_done(sending, leaving)
        finally:
            leaving.cancel()
            sending.cancel()
        if sending.done() and not sending.cancelled():
            sending.result()

    async def _until_one_is_done(self, *tasks: asyncio.Task[None]) -> None:
        """Wait, and look now and then whether the reader still takes what is sent."""
        done: set[asyncio.Task[None]] = set()
        stalled = False
        while not done and not stalled:
            before = self._cursor
            done, _ = await asyncio.wait(
                tasks, timeout=STALLED, return_when=asyncio.FIRST_COMPLETED
            )
            stalled = self._busy and self._cursor == before

    async def _run(self) -> None:
        await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        try:
            await self._write(OPENING)
            await self._follow()
            await self._write(END)
        except LineCutError:
            log.debug("A line was cut")
        await self._send({"type": "http.response.body", "body": b""})

    async def _follow(self) -> None:
        """Send moment after moment; few steps in it, for it runs for everybody at once."""
        channel = self._channel
        while True:
            while self._cursor < channel.due:
                number = self._cursor + 1
                await self._write(channel.ready_frame(number) or await channel.frame(number))
                self._cursor = number
            if channel.over:
                # The last moment goes to everybody before the end goes to anybody.
                return await asyncio.sleep(0)
            await channel.news()
            if self._cursor >= channel.due and not channel.over:
                await self._write(COMMENT)

    async def _write(self, body: bytes) -> None:
        self._busy = True
        await self._send({"type": "http.response.body", "body": body, "more_body": True})
        self._busy = False


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def cursor(scope: Scope) -> int | None:
    """The number after which to go on; None where the reader names none or nonsense."""
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("after", [])
    resumed = [v.decode("latin-1") for k, v in scope["headers"] if k == b"last-event-id"]
    # A browser that reconnects still has the old address: its header is the newer word.
    for written in (*resumed, *asked):
        if written.isascii() and written.isdigit() and len(written) < 10:
            return int(written)
    return None


async def refuse(send: Send, status: int, sentence: bytes) -> None:
    """A short answer in plain text."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence})


feed = Feed(channels)
