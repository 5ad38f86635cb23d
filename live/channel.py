"""One broadcast in one process: read once, drawn once a moment, for all who watch it.

A log and a clock: what is due is a function of the programme and the time, and every
watcher reads on from a cursor of their own. Nothing is pushed into a queue, so a slow
reader costs nobody anything.
"""

import asyncio
import logging
import time
from bisect import bisect_right

from cachetools import FIFOCache

from live.frames import card_frame
from live.line import Line, LineCutError
from live.programme import Channels, Programme
from live.threads import in_thread

log = logging.getLogger(__name__)

LEAD = 0.5  # seconds before it is due that a moment is drawn
POLL = 3.0  # seconds between looks at a programme to which moments may be added
FRAMES_KEPT = 128


class Channel(Line):
    """The broadcast `kind/key`, alive while somebody watches.

    `due` is the number of the last moment that may be seen, 0 before the first; `over` says
    that nothing follows it; `closed` that this channel will not come back.
    """

    def __init__(self, channels: Channels, kind: str, key: str) -> None:
        super().__init__(kind, key)
        self.over = False
        self._channels = channels
        self._programme: Programme | None = None
        self._moments: tuple[float, ...] = ()
        self._ended = False
        self._frames: FIFOCache[int, bytes] = FIFOCache(FRAMES_KEPT)
        self._drawing: dict[int, asyncio.Task[bytes]] = {}

    async def _begin(self) -> bool:
        if not await self._read():
            return False
        self._look()
        return True

    def close(self) -> None:
        """Stop following; whoever waits for news meets LineCutError."""
        for task in self._drawing.values():
            task.cancel()
        super().close()

    def ready_frame(self, number: int) -> bytes | None:
        """The event of a moment if it is drawn already."""
        return self._frames.get(number)

    async def frame(self, number: int) -> bytes:
        """The event of a moment that is due, drawn now if nobody asked for it lately."""
        ready = self._frames.get(number)
        if ready is not None:
            return ready
        drawing = self._drawing.get(number)
        if drawing is None:
            drawing = asyncio.create_task(self._draw(number))
            self._drawing[number] = drawing
        try:
            # Others may wait for the same drawing: one who leaves does not stop it.
            return await asyncio.shield(drawing)
        except asyncio.CancelledError:
            if self.closed and drawing.cancelled():
                raise LineCutError(f"{self.kind}/{self.key} was closed") from None
            raise

    async def _draw(self, number: int) -> bytes:
        programme = self._programme
        assert programme is not None
        try:
            frame = card_frame(number, await in_thread(programme.render, number))
        finally:
            self._drawing.pop(number, None)
        self._frames[number] = frame
        return frame

    async def _go_on(self) -> None:
        """Let each moment be seen when it falls due, never before, until all are."""
        while not self.over:
            await self._next()

    async def _next(self) -> None:
        if self._rung.is_set():
            self._rung.clear()
            await self._read()
        elif self.due >= len(self._moments):
            await self._wait(POLL)
            self._rung.set()
        else:
            await self._reach(self._moments[self.due])
        self._look()

    async def _reach(self, instant: float) -> None:
        await self._wait(instant - LEAD - time.time())
        if not self._rung.is_set():
            await self.frame(self.due + 1)
            await self._wait(instant - time.time())

    def _look(self) -> None:
        """Let watchers see what has fallen due meanwhile."""
        due = max(self.due, bisect_right(self._moments, time.time()))
        over = self._ended and due >= len(self._moments)
        if (due, over) != (self.due, self.over):
            self.due, self.over = due, over
            self._wake()

    async def _read(self) -> bool:
        """Take the programme as it stands; one that is gone leaves what was known."""
        loaded = await in_thread(self._channels.load, self.kind, self.key)
        if loaded is None:
            return False
        moments = tuple(loaded.moments)
        # What was drawn of other moments must not be shown for these.
        if moments[: len(self._moments)] != self._moments:
            self._frames.clear()
        self._programme, self._moments, self._ended = loaded, moments, loaded.ended
        return True
