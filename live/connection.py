"""One connection: who is there, whether they take what they are sent, and when they leave.

A connection lasts for hours and there are thousands, so it holds little: the server's own
task sends, a second one waits for the reader to leave, and no connection has a timer.
"""

import asyncio
from abc import ABC, abstractmethod
from typing import Any

from live.asgi import Receive, Send
from live.tally import tally

STALLED = 30.0  # seconds after which a reader who takes nothing is let go
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class Connection(ABC):
    """A reader with a cursor: the number of the last event they were sent."""

    __slots__ = ("_busy", "_cursor", "_gone", "_seen", "_send", "_task")

    def __init__(self, cursor: int, send: Send) -> None:
        self._cursor = cursor
        self._send = send
        self._task: asyncio.Task[Any] | None = None
        self._busy = True  # until the first bytes are taken
        self._gone = False
        self._seen = -1

    @abstractmethod
    async def _run(self) -> None:
        """Send the answer, from its head to its end."""

    async def watch(self, receive: Receive, among: "Connections") -> None:
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

    async def _write(self, body: bytes, *, more: bool = True) -> None:
        self._busy = True
        tally.sent += 1
        await self._send({"type": "http.response.body", "body": body, "more_body": more})
        self._busy = False


class Connections:
    """All connections of a process; those who take nothing are let go."""

    def __init__(self) -> None:
        self._all: set[Connection] = set()
        self._looking: asyncio.Task[None] | None = None

    def add(self, connection: Connection) -> None:
        """Look after one more."""
        self._all.add(connection)
        tally.clients += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    def discard(self, connection: Connection) -> None:
        """Look after one less."""
        self._all.discard(connection)
        tally.clients -= 1

    async def _look(self) -> None:
        while self._all:
            await asyncio.sleep(STALLED)
            for connection in tuple(self._all):
                connection.look()
