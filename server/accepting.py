"""Distribute connections evenly among processes that listen on the same socket."""

from __future__ import annotations

import asyncio
import mmap
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

# Seconds that a process pauses so that a process with fewer connections can accept the next one.
PAUSE: Final = 0.005
# Seconds to wait after accepting a connection failed, for example because too many files are open.
FAILURE_PAUSE: Final = 1.0
# Connection count that marks a process which has stopped accepting connections.
GONE: Final = 2**32 - 1


def connection_counts(processes: int) -> memoryview:
    """Return a connection counter for each process, in memory shared with forked processes."""
    return memoryview(mmap.mmap(-1, 4 * processes)).cast("I")


class FairAcceptor:
    """Accepts connections for one of several processes that share a socket.

    The system wakes all processes for a new connection, and the fastest could accept all waiting
    connections. So a process with more connections than another one pauses briefly. Then it accepts
    a connection anyway, because the other process may be busy or dead.
    """

    def __init__(self, listening: socket.socket, counts: memoryview, place: int) -> None:
        self._listening, self._counts, self._place = listening, counts, place
        self._opening: set[asyncio.Task[object]] = set()
        self._count: Callable[[], int] = lambda: 0
        self._timer: asyncio.TimerHandle | None = None

    def open(
        self, protocol: Callable[[], asyncio.Protocol], count: Callable[[], int], backlog: int
    ) -> None:
        """Start to accept connections.

        `count` returns the number of connections that this process has.
        """
        self._protocol, self._count = protocol, count
        self._listening.setblocking(False)
        self._listening.listen(backlog)
        self._loop = asyncio.get_running_loop()
        self._watch_counts()

    def close(self) -> None:
        """Stop accepting connections from the shared socket."""
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._listening)
        self._counts[self._place] = GONE

    def publish_count(self) -> None:
        """Publish this process's number of connections to the other processes."""
        self._counts[self._place] = self._count() + len(self._opening)

    def _watch_counts(self) -> None:
        self.publish_count()
        self._loop.add_reader(self._listening, self._take_turn)

    def _take_turn(self) -> None:
        self.publish_count()
        if self._counts[self._place] > min(self._counts):
            self._pause(PAUSE)
        else:
            self._accept()

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening)
        self._timer = self._loop.call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._watch_counts()
        self._accept()

    def _accept(self) -> None:
        try:
            accepted, _address = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # another process was faster, or the client has gone
        except OSError:
            self._pause(FAILURE_PAUSE)
            return
        accepted.setblocking(False)
        task = self._loop.create_task(self._open(accepted))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)
        self.publish_count()

    async def _open(self, accepted: socket.socket) -> None:
        with suppress(OSError):  # the client has closed it meanwhile
            await self._loop.connect_accepted_socket(self._protocol, accepted)
