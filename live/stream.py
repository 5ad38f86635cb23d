"""A broadcast without an end in one process: the last events at hand, all others read in pages."""

import asyncio
import logging
from bisect import bisect_right
from collections import deque
from itertools import islice

from live.frames import event_frame
from live.line import Line
from live.programme import Channels, Log, Stretch
from live.threads import in_thread

log = logging.getLogger(__name__)

POLL = 3.0  # seconds between looks where no doorbell is heard
AT_HAND = 512  # events kept for all who are nearly up to date


class Stream(Line):
    """The log `kind/key`, read on once for all who watch.

    A watcher who is behind what is at hand reads pages from the rows; one page at a time for the
    whole process, so that who comes back after a year holds up nobody who is up to date.
    """

    def __init__(self, channels: Channels, kind: str, key: str, pages: asyncio.Semaphore) -> None:
        super().__init__(kind, key)
        self._channels = channels
        self._log: Log | None = None
        self._numbers: deque[int] = deque()
        self._frames: deque[bytes] = deque()
        self._floor = 0  # everything after it is at hand
        self._pages = pages
        self._reading = asyncio.Lock()

    async def _begin(self) -> bool:
        self._log = await in_thread(self._channels.log, self.kind, self.key)
        if self._log is None:
            return False
        self.due = self._floor = await in_thread(self._log.newest)
        return True

    async def _go_on(self) -> None:
        while True:
            await self._wait(POLL)
            self._rung.clear()
            await self.catch_up()

    async def catch_up(self) -> None:
        """Read on to the newest event."""
        assert self._log is not None
        async with self._reading:
            newest = await in_thread(self._log.newest)
            while self.due < newest:
                self._take(await in_thread(self._log.after, self.due))

    def _take(self, stretch: Stretch) -> None:
        for number, data in stretch.events:
            self._numbers.append(number)
            self._frames.append(event_frame(number, data))
        while len(self._numbers) > AT_HAND:
            self._floor = self._numbers.popleft()
            self._frames.popleft()
        self.due = stretch.reached
        self._wake()

    async def after(self, cursor: int) -> tuple[bytes, int]:
        """What a watcher at this cursor is sent next, in one piece, and their cursor after it."""
        if cursor >= self._floor:
            first = bisect_right(self._numbers, cursor)
            return b"".join(islice(self._frames, first, None)), self.due
        assert self._log is not None
        async with self._pages:
            stretch = await in_thread(self._log.after, cursor)
        return b"".join(event_frame(*event) for event in stretch.events), stretch.reached
