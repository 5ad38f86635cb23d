"""Those who follow a stream without an end, from any number on."""

import asyncio
import logging

from live.asgi import Send
from live.connection import HEADERS, Connection
from live.frames import COMMENT, OPENING, comment
from live.line import LineCutError
from live.stream import Stream

log = logging.getLogger(__name__)

LIFETIME = 3600.0
"""Seconds after which the line is ended, for the reader to connect again: who may follow is asked
at every connection, and nobody follows for days by a right they had once."""
AHEAD = "no event has the number %d yet, the last is %d: you are told what comes after that"


class Follower(Connection):
    """One connection to a stream."""

    __slots__ = ("_ends", "_opening", "_stream")

    def __init__(self, stream: Stream, after: int | None, send: Send) -> None:
        newest = stream.due
        ahead = after is not None and after > newest
        super().__init__(newest if after is None else min(after, newest), send)
        self._stream = stream
        self._opening = OPENING + (comment(AHEAD % (after, newest)) if ahead else b"")
        self._ends = asyncio.get_running_loop().time() + LIFETIME

    async def _run(self) -> None:
        """Send what there is and what comes, each event once, in the order of the numbers."""
        stream, loop = self._stream, asyncio.get_running_loop()
        await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        try:
            await self._write(self._opening)
            while loop.time() < self._ends:
                await self._catch_up()
                await stream.news()
                if self._cursor >= stream.due:
                    await self._write(COMMENT)
        except LineCutError:
            log.debug("A line was cut")
        await self._write(b"", more=False)

    async def _catch_up(self) -> None:
        while self._cursor < self._stream.due:
            frames, cursor = await self._stream.after(self._cursor)
            if frames:
                await self._write(frames)
            # Another may have read on meanwhile, and nobody goes back.
            self._cursor = max(cursor, self._cursor)
