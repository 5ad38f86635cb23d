"""Those who follow a stream without an end, from any number on."""

import asyncio
import logging

from live.asgi import Send
from live.connection import HEADERS, Connection
from live.frames import COMMENT, OPENING, comment, place_frame
from live.line import LineCutError
from live.stream import Stream

log = logging.getLogger(__name__)

LIFETIME = 3600.0
"""Seconds after which the line is ended, for the reader to connect again: who may follow is asked
at every connection, and nobody follows for days by a right they had once."""
FAR = 1000
"""Numbers passed over in silence, after which a reader is told how far they have come: who is cut
off then need not be led through all of them again."""
AHEAD = "no event has the number %d yet, the last is %d: you are told what comes after that"


class Follower(Connection):
    """One connection to a stream.

    A reader's browser names the last number it was sent. Where much is told that is not for them
    that number would stay behind, so now and then they are sent one alone (`_named` is the last).
    """

    __slots__ = ("_ends", "_named", "_opening", "_stream")

    def __init__(self, stream: Stream, after: int | None, send: Send) -> None:
        newest = stream.due
        ahead = after is not None and after > newest
        super().__init__(newest if after is None else min(after, newest), send)
        self._stream = stream
        said = comment(AHEAD % (after, newest)) if ahead else b""
        self._named = self._cursor
        self._opening = OPENING + said + place_frame(self._named)
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
                    await self._write(COMMENT + self._place(1))
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
            if far := self._place(FAR):
                await self._write(far)

    def _place(self, least: int) -> bytes:
        """How far they have come, where that is at least so much beyond what they were told."""
        if self._cursor - self._named < least:
            return b""
        self._named = self._cursor
        return place_frame(self._named)
