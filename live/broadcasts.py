"""Broadcasts in one process, read and rendered once for all watchers.

The visible events follow from the broadcast's source and the time. Each watcher has a cursor, the
number of the last event sent. There are no queues, so a slow watcher does not delay others.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import deque
from itertools import islice

from cachetools import FIFOCache

from live.broadcast_source import BroadcastSource, BroadcastSources, LogPage, LogSource
from live.compression import EventFrame
from live.sse import card_event, data_event
from live.threads import in_thread

log = logging.getLogger(__name__)

# Seconds of silence after which watchers get a heartbeat. The page's script (`static/js/feed.js`)
# assumes that a connection is broken after 25 seconds of silence.
HEARTBEAT_INTERVAL = 15.0


class BroadcastClosedError(ConnectionError):
    """The broadcast was closed while it was watched. The client may reconnect."""


class Broadcast(ABC):
    """Base class: the broadcast `kind/key` in this process, active while it has watchers.

    `due` is the number of the last visible event, or 0. A `closed` broadcast is not used again.
    """

    def __init__(self, kind: str, key: str) -> None:
        self.kind, self.key = kind, key
        self.due = 0
        self.closed = False
        self.watchers = 0
        self._waiting: list[asyncio.Future[bool]] = []
        self._spoke_at = 0.0  # loop time of the last event sent to all watchers
        self._rung = asyncio.Event()
        self._opening: asyncio.Task[bool] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @abstractmethod
    async def _read_source(self) -> bool:
        """Read the broadcast from the database for the first time.

        Returns False if it does not exist.
        """

    @abstractmethod
    async def _go_on(self) -> None:
        """Send new events to watchers until the broadcast ends."""

    async def open(self) -> bool:
        """Read the source and start to follow it, once for all watchers.

        Returns False if the source does not exist.
        """
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        return await asyncio.shield(self._opening)

    async def _open(self) -> bool:
        if not await self._read_source():
            return False
        self._tasks = [
            asyncio.create_task(self._follow_source()),
            asyncio.create_task(self._beat()),
        ]
        return True

    async def _follow_source(self) -> None:
        try:
            await self._go_on()
        except BroadcastClosedError:
            log.debug("%s/%s was closed", self.kind, self.key)
        except Exception:
            log.exception("The broadcast %s/%s broke off", self.kind, self.key)
            self.close()

    def close(self) -> None:
        """Stop reading the broadcast.

        Watchers that are waiting for its next event get BroadcastClosedError.
        """
        self.closed = True
        for task in self._tasks:
            task.cancel()
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_exception(BroadcastClosedError(f"{self.kind}/{self.key} was closed"))

    def ring(self) -> None:
        """Read the broadcast from the database again soon, because it may have changed."""
        self._rung.set()

    def news(self) -> asyncio.Future[bool]:
        """Return a future that is done at the next visible event, or when a heartbeat is due.

        Its result is True if a heartbeat is due. If the broadcast is closed, this raises
        BroadcastClosedError, or the future does.
        """
        if self.closed:
            raise BroadcastClosedError(f"{self.kind}/{self.key} is closed")
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        return future

    async def _wait(self, seconds: float) -> None:
        # Wait for this number of seconds, or until `ring` reports a change of the broadcast.
        if seconds > 0:
            try:
                async with asyncio.timeout(seconds):
                    await self._rung.wait()
            except TimeoutError:
                return

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        self._spoke_at = loop.time()
        while True:
            silence = loop.time() - self._spoke_at
            if silence >= HEARTBEAT_INTERVAL:
                self._wake(heartbeat=True)
            else:
                await asyncio.sleep(HEARTBEAT_INTERVAL - silence)

    def _wake(self, *, heartbeat: bool = False, sends: bool = True) -> None:
        # With `sends`, all watchers that are up to date get data now, so the next heartbeat is due
        # later.
        if sends:
            self._spoke_at = asyncio.get_running_loop().time()
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(heartbeat)


RENDER_AHEAD = 0.5  # seconds before a moment is due at which it is rendered
TIMED_POLL_INTERVAL = 3.0  # seconds between polls for new moments
MAX_CACHED_EVENTS = 128


class TimedBroadcast(Broadcast):
    """A broadcast whose parts become visible at given times (moments).

    `due` is the number of the last visible moment, or 0. `over` means that no moment follows.
    `notice` is the source's word about the broadcast itself, which is sent to watchers.
    """

    def __init__(self, channels: BroadcastSources, kind: str, key: str) -> None:
        super().__init__(kind, key)
        self.over = False
        self.notice = ""
        self._channels = channels
        self._programme: BroadcastSource | None = None
        self._moments: tuple[float, ...] = ()
        self._ended = False
        self._frames: FIFOCache[int, EventFrame] = FIFOCache(MAX_CACHED_EVENTS)
        self._drawing: dict[int, asyncio.Task[EventFrame]] = {}

    async def _read_source(self) -> bool:
        if not await self._read():
            return False
        self._update_due()
        return True

    def close(self) -> None:
        for task in self._drawing.values():
            task.cancel()
        super().close()

    def ready_frame(self, number: int) -> EventFrame | None:
        return self._frames.get(number)

    async def frame(self, number: int) -> EventFrame:
        ready = self._frames.get(number)
        if ready is not None:
            return ready
        drawing = self._drawing.get(number)
        if drawing is None:
            drawing = asyncio.create_task(self._draw(number))
            self._drawing[number] = drawing
        try:
            # Other watchers may wait for the same rendering task, so a watcher that disconnects
            # must not cancel it.
            return await asyncio.shield(drawing)
        except asyncio.CancelledError:
            if self.closed and drawing.cancelled():
                raise BroadcastClosedError(f"{self.kind}/{self.key} was closed") from None
            raise

    async def _draw(self, number: int) -> EventFrame:
        programme = self._programme
        assert programme is not None
        try:
            text = card_event(number, await in_thread(programme.render, number))
        finally:
            self._drawing.pop(number, None)
        frame = self._frames[number] = EventFrame(text)
        return frame

    async def _go_on(self) -> None:
        """Make each moment visible when it is due, never before, until the broadcast is over."""
        while not self.over:
            await self._wait_for_moment()

    async def _wait_for_moment(self) -> None:
        if self._rung.is_set():
            self._rung.clear()
            await self._read()
        elif self.due >= len(self._moments):
            await self._wait(TIMED_POLL_INTERVAL)
            self._rung.set()
        else:
            await self._reach(self._moments[self.due])
        self._update_due()

    async def _reach(self, instant: float) -> None:
        await self._wait(instant - RENDER_AHEAD - time.time())
        if not self._rung.is_set():
            await self.frame(self.due + 1)
            await self._wait(instant - time.time())

    def _update_due(self) -> None:
        due = max(self.due, bisect_right(self._moments, time.time()))
        over = self._ended and due >= len(self._moments)
        if (due, over) != (self.due, self.over):
            self.due, self.over = due, over
            self._wake()

    async def _read(self) -> bool:
        """Read the broadcast from the database again.

        If it no longer exists, the moments read before stay.
        """
        loaded = await in_thread(self._channels.load, self.kind, self.key)
        if loaded is None:
            return False
        moments = tuple(loaded.moments)
        # If earlier moments have changed, discard the frames that were rendered for them.
        if moments[: len(self._moments)] != self._moments:
            self._frames.clear()
        self._programme, self._moments, self._ended = loaded, moments, loaded.ended
        if loaded.notice != self.notice:
            self.notice = loaded.notice
            self._wake()
        return True


LOG_POLL_INTERVAL = 3.0  # seconds between polls without a pub/sub message
MAX_RECENT_EVENTS = 512  # events in memory for watchers that are nearly up to date


class LogBroadcast(Broadcast):
    """The endless log `kind/key`, read once for all watchers.

    Watchers that are behind the events in memory read pages from the database. The whole process
    reads one such page at a time, so that latecomers do not delay the others.
    """

    def __init__(
        self, channels: BroadcastSources, kind: str, key: str, pages: asyncio.Semaphore
    ) -> None:
        super().__init__(kind, key)
        self._channels = channels
        self._log: LogSource | None = None
        self._numbers: deque[int] = deque()
        self._frames: deque[bytes] = deque()
        self._floor = 0  # all events after this number are in memory
        self._pages = pages
        self._reading = asyncio.Lock()

    async def _read_source(self) -> bool:
        self._log = await in_thread(self._channels.log, self.kind, self.key)
        if self._log is None:
            return False
        self.due = self._floor = await in_thread(self._log.newest)
        return True

    async def _go_on(self) -> None:
        while True:
            await self._wait(LOG_POLL_INTERVAL)
            self._rung.clear()
            await self.catch_up()

    async def catch_up(self) -> None:
        assert self._log is not None
        async with self._reading:
            newest = await in_thread(self._log.newest)
            while self.due < newest:
                self._add_page(await in_thread(self._log.page_after, self.due))

    def _add_page(self, stretch: LogPage) -> None:
        for number, data in stretch.events:
            self._numbers.append(number)
            self._frames.append(data_event(number, data))
        while len(self._numbers) > MAX_RECENT_EVENTS:
            self._floor = self._numbers.popleft()
            self._frames.popleft()
        self.due = stretch.reached
        # The page may contain no event for this stream. Then watchers get nothing now.
        self._wake(sends=bool(stretch.events))

    async def bytes_after(self, cursor: int) -> tuple[bytes, int]:
        """Return the next bytes for a watcher with this cursor, and the new cursor."""
        if cursor >= self._floor:
            first = bisect_right(self._numbers, cursor)
            return b"".join(islice(self._frames, first, None)), self.due
        assert self._log is not None
        async with self._pages:
            stretch = await in_thread(self._log.page_after, cursor)
        return b"".join(data_event(*event) for event in stretch.events), stretch.reached
