"""What all broadcasts have in common: they are read once for all, and wake who waits for news."""

import asyncio
import logging
from abc import ABC, abstractmethod

log = logging.getLogger(__name__)

HEARTBEAT = 15.0  # seconds between comments on a quiet line


class LineCutError(ConnectionError):
    """The line was closed while somebody watched; they may connect again."""


class Line(ABC):
    """The broadcast `kind/key` in this process, alive while somebody watches.

    `due` is the number of the last event that may be seen, 0 before the first; `closed` says that
    this line will not come back.
    """

    def __init__(self, kind: str, key: str) -> None:
        self.kind, self.key = kind, key
        self.due = 0
        self.closed = False
        self.watchers = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._rung = asyncio.Event()
        self._opening: asyncio.Task[bool] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @abstractmethod
    async def _begin(self) -> bool:
        """Read what there is; False where there is nothing of this key."""

    @abstractmethod
    async def _go_on(self) -> None:
        """Follow, as long as there is something to follow."""

    async def open(self) -> bool:
        """Read the broadcast and follow it, once for all; False where there is none."""
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        return await asyncio.shield(self._opening)

    async def _open(self) -> bool:
        if not await self._begin():
            return False
        self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._beat())]
        return True

    async def _follow(self) -> None:
        try:
            await self._go_on()
        except LineCutError:
            log.debug("%s/%s was closed", self.kind, self.key)
        except Exception:
            log.exception("The broadcast %s/%s broke off", self.kind, self.key)
            self.close()

    def close(self) -> None:
        """Stop following; whoever waits for news meets LineCutError."""
        self.closed = True
        for task in self._tasks:
            task.cancel()
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_exception(LineCutError(f"{self.kind}/{self.key} was closed"))

    def ring(self) -> None:
        """Something may have changed: read again."""
        self._rung.set()

    def news(self) -> asyncio.Future[None]:
        """Done when something may be seen that could not before, or it is time for a comment.

        Raises LineCutError, or ends with it, when the line is closed.
        """
        if self.closed:
            raise LineCutError(f"{self.kind}/{self.key} is closed")
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        return future

    async def _wait(self, seconds: float) -> None:
        """Wait so long, or until the doorbell rings."""
        if seconds > 0:
            try:
                async with asyncio.timeout(seconds):
                    await self._rung.wait()
            except TimeoutError:
                return

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT)
            self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)
