"""Those who watch: a cursor for each, and one look now and then at all of them.

A connection lasts for hours and there are thousands, so it holds little: the server's own
task sends, a second one waits for the reader to leave, and no connection has a timer.
"""

import asyncio
import logging
from typing import Any

from live.asgi import Receive, Send
from live.channel import Channel, LineCutError
from live.frames import COMMENT, END, OPENING

log = logging.getLogger(__name__)

CATCH_UP = 1000  # moments sent at most to one who comes back
STALLED = 30.0  # seconds after which a reader who takes nothing is let go
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class Watcher:
    """One connection: a cursor that runs after the channel."""

    __slots__ = ("_busy", "_channel", "_cursor", "_gone", "_seen", "_send", "_task")

    def __init__(self, channel: Channel, after: int | None, send: Send) -> None:
        latest = channel.due
        begin = max(latest - 1, 0) if after is None else min(after, latest)
        self._channel = channel
        self._cursor = max(begin, latest - CATCH_UP)
        self._send = send
        self._task: asyncio.Task[Any] | None = None
        self._busy = True  # until the first bytes are taken
        self._gone = False
        self._seen = -1

    async def watch(self, receive: Receive, among: "Watchers") -> None:
        """Send what is due, and what falls due, until it ends or the reader leaves.

        Meanwhile `among` looks whether the reader takes what is sent.
        """
        self._task = asyncio.current_task()
        among.add(self)
        leaving = asyncio.create_task(self._wait_for_leave(receive))
        try:
            await self._run()
        except asyncio.CancelledError:
            if not self._was_let_go():
                raise
        finally:
            leaving.cancel()
            among.discard(self)

    def look(self) -> None:
        """Let a reader go who has taken nothing since the look before."""
        if self._busy and self._cursor == self._seen:
            self._let_go()
        # A reader who had nothing to take begins anew.
        self._seen = self._cursor if self._busy else -1

    def _let_go(self) -> None:
        if self._task is not None and not self._gone:
            self._gone = True
            self._task.cancel()

    def _was_let_go(self) -> bool:
        """Whether this cancellation was our own, and nobody else's besides."""
        return self._gone and self._task is not None and self._task.uncancel() == 0

    async def _wait_for_leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._let_go()

    async def _run(self) -> None:
        """Send moment after moment; few steps in it, for it runs for everybody at once."""
        channel = self._channel
        await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        try:
            await self._write(OPENING)
            while not await self._caught_up():
                await channel.news()
                if self._cursor >= channel.due and not channel.over:
                    await self._write(COMMENT)
            await self._write(END)
        except LineCutError:
            log.debug("A line was cut")
        await self._write(b"", more=False)

    async def _caught_up(self) -> bool:
        """Send all that is due; whether the broadcast is over with it."""
        channel = self._channel
        while self._cursor < channel.due:
            number = self._cursor + 1
            await self._write(channel.ready_frame(number) or await channel.frame(number))
            self._cursor = number
        if channel.over:
            # The last moment goes to everybody before the end goes to anybody.
            await asyncio.sleep(0)
        return channel.over

    async def _write(self, body: bytes, *, more: bool = True) -> None:
        self._busy = True
        await self._send({"type": "http.response.body", "body": body, "more_body": more})
        self._busy = False


class Watchers:
    """All connections of a process; those who take nothing are let go."""

    def __init__(self) -> None:
        self._all: set[Watcher] = set()
        self._looking: asyncio.Task[None] | None = None

    def add(self, watcher: Watcher) -> None:
        """Look after one more."""
        self._all.add(watcher)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    def discard(self, watcher: Watcher) -> None:
        """Look after one less."""
        self._all.discard(watcher)

    async def _look(self) -> None:
        while self._all:
            await asyncio.sleep(STALLED)
            for watcher in tuple(self._all):
                watcher.look()
