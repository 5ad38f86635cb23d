"""Distribute connections evenly among the processes that listen on a socket."""

from __future__ import annotations

import asyncio
import mmap
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

# Seconds that a process waits so that one with fewer connections can accept the next.
PAUSE: Final = 0.005
# Seconds to wait after `accept` failed, for example because too many files are open.
FAILURE_PAUSE: Final = 1.0
# The count of a process that has stopped accepting.
GONE: Final = 2**32 - 1


def connection_counts(processes: int) -> memoryview:
    """Return a counter for each process, in memory shared with forked processes."""
    return memoryview(mmap.mmap(-1, 4 * processes)).cast("I")


class FairAcceptor:
    """Accepts the connections of one of several processes, one at a time.

    The system wakes all of them for a new connection, and whichever comes first could take
    everything that waits. So a process that holds more than another leaves the socket alone for a
    moment. Afterwards it takes one all the same: the other may be busy, or dead.
    """

    def __init__(self, listening: socket.socket, counts: memoryview, place: int) -> None:
        self._listening, self._counts, self._place = listening, counts, place
        self._opening: set[asyncio.Task[object]] = set()
        self._count: Callable[[], int] = lambda: 0
        self._timer: asyncio.TimerHandle | None = None

    def open(
        self, protocol: Callable[[], asyncio.Protocol], count: Callable[[], int], backlog: int
    ) -> None:
        """Accept connections from now on. `count` tells how many this process holds."""
        self._protocol, self._count = protocol, count
        self._listening.setblocking(False)
        self._listening.listen(backlog)
        self._loop = asyncio.get_running_loop()
        self._watch()

    def close(self) -> None:
        """Stop accepting connections."""
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._listening)
        self._counts[self._place] = GONE

    def tell(self) -> None:
        """Tell the other processes how many connections this one holds."""
        self._counts[self._place] = self._count() + len(self._opening)

    def _watch(self) -> None:
        self.tell()
        self._loop.add_reader(self._listening, self._take_turn)

    def _take_turn(self) -> None:
        self.tell()
        if self._counts[self._place] > min(self._counts):
            self._pause(PAUSE)
        else:
            self._accept()

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listening)
        self._timer = self._loop.call_later(seconds, self._resume)

    def _resume(self) -> None:
        self._watch()
        self._accept()

    def _accept(self) -> None:
        try:
            accepted, _address = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # another process was quicker, or the visitor has gone
        except OSError:
            self._pause(FAILURE_PAUSE)
            return
        accepted.setblocking(False)
        task = self._loop.create_task(self._open(accepted))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)
        self.tell()

    async def _open(self, accepted: socket.socket) -> None:
        with suppress(OSError):  # it was closed meanwhile
            await self._loop.connect_accepted_socket(self._protocol, accepted)
