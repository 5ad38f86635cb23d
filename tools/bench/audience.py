"""Many watchers of broadcasts: how late events arrive, how many are lost, and what they cost."""

from __future__ import annotations

import asyncio
import gc
import math
import resource
import time
import zlib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import cast

from tools.bench.processes import resident

GRACE = 2.0  # seconds after the last moment in which it may still arrive
PATIENCE = 60.0  # seconds in which all must have been let in
# Request headers that a browser sends for a stream. If the server stores them, they cost memory.
BROWSER = """Host: localhost
User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
Accept: text/event-stream
Accept-Language: es-ES,es;q=0.8,en-US;q=0.5,en;q=0.3
Accept-Encoding: gzip, deflate, br, zstd
Referer: http://localhost/corridas/1/
Cookie: theme=dark; django_language=es
Sec-Fetch-Dest: empty
Sec-Fetch-Mode: cors
Sec-Fetch-Site: same-origin
Connection: keep-alive
Pragma: no-cache
Cache-Control: no-cache""".replace("\n", "\r\n")
# Buffer that all connections use in turn, so that reading allocates no memory.
BUFFER = bytearray(1 << 18)


@dataclass
class Audience:
    """Watchers of one broadcast, and what they received.

    `moments` are the instants (unix seconds) of all its events, numbered from 1. `arrivals` are the
    instants at which each event was complete, by its number. `first` and `later` are the bytes on
    the wire of the first event of each connection and of those after it.
    """

    port: int
    path: str
    moments: Sequence[float]
    watchers: int
    arrivals: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    first: list[int] = field(default_factory=list)
    later: list[int] = field(default_factory=list)
    due: dict[int, float] = field(default_factory=dict)

    def expect(self, count: int, begun: float) -> float:
        """Expect the next `count` moments. Return the instant of the last one."""
        first = bisect_right(self.moments, begun) + 1
        self.due = dict(enumerate(self.moments[first - 1 : first - 1 + count], start=first))
        return max(self.due.values())

    def delays(self, number: int) -> list[float]:
        """Return the seconds from the time an event is due to its arrivals."""
        return sorted(at - self.due[number] for at in self.arrivals[number]) or [math.inf]

    def lost(self) -> int:
        """Return how many events never arrived, or arrived before they were due."""
        late = (delay for number in self.due for delay in self.delays(number))
        return self.watchers * len(self.due) - sum(0 <= delay < math.inf for delay in late)


def p99_and_note(audiences: Sequence[Audience]) -> tuple[float, str]:
    """Return the 99th percentile of all delays in milliseconds, and a description of them."""
    delays = sorted(1000 * late for each in audiences for n in each.due for late in each.delays(n))
    watchers = sum(audience.watchers for audience in audiences)
    p99, note = delays[int(len(delays) * 0.99)], f"{watchers} watchers, 99th percentile"
    return p99, f"{note}; median {median(delays):.0f} ms, worst {delays[-1]:.0f} ms"


class Watcher(asyncio.BufferedProtocol):
    """One connection, which reads a compressed stream in chunks as a browser does."""

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self._rest = bytearray()
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS + 16)
        self._began = False
        self.answered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Other event loops have their own transport classes, so the type is only declared.
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(f"GET {self._audience.path} HTTP/1.1\r\n{BROWSER}\r\n\r\n".encode())

    def leave(self) -> None:
        self._transport.abort()

    def get_buffer(self, sizehint: int) -> bytearray:
        return BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        now, rest = time.time(), self._rest
        rest += BUFFER[:nbytes]
        if not self.answered:
            head, found, after = rest.partition(b"\r\n\r\n")
            if not found:
                return
            if b"content-encoding: gzip" not in head:
                raise RuntimeError("The stream is not compressed.")
            self.answered, rest[:] = True, after
        while (end := rest.find(b"\r\n")) >= 0:
            size = int(rest[:end], 16)
            if len(rest) < end + size + 4:
                break
            self._note(bytes(rest[end + 2 : end + 2 + size]), now)
            del rest[: end + size + 4]

    def _note(self, chunk: bytes, now: float) -> None:
        text, audience = self._inflater.decompress(chunk), self._audience
        if text.startswith(b"id: "):
            audience.arrivals[int(text[4 : text.index(b"\n")])].append(now)
            (audience.later if self._began else audience.first).append(len(chunk))
            self._began = True


def listen(audiences: Sequence[Audience], count: int, pid: int) -> float:
    """Let all watch the next `count` moments. Return the memory (bytes) that a connection costs.

    Counting begins when all are connected. `pid` is the process that serves the first audience.
    Existing objects are frozen (`gc.freeze`), so that garbage collections are short.
    """
    wanted = 2 * sum(audience.watchers for audience in audiences) + 200
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    gc.collect()
    gc.freeze()
    try:
        return asyncio.run(_listen(audiences, count, pid))
    finally:
        gc.unfreeze()


async def _listen(audiences: Sequence[Audience], count: int, pid: int) -> float:
    """Connect all watchers after a first one, wait for the moments, and return the memory of each.

    The memory of the process is read before all watchers connect, after that, and at the end. The
    greater growth is divided by their number. It includes fragments that are cached meanwhile, but
    not the cost of the first connection (imports, threads, the first fragment).
    """
    site = audiences[0]
    alone = await _connect(Audience(site.port, site.path, (), 1))
    await _admit([alone])
    await asyncio.sleep(GRACE)
    before = resident(pid)
    everybody = [await _connect(each) for each in audiences for _ in range(each.watchers)]
    await _admit(everybody)
    letting, begun = resident(pid), time.time() + GRACE
    last = max(audience.expect(count, begun) for audience in audiences)
    await asyncio.sleep(last + GRACE - time.time())
    there = sum(audience.watchers for audience in audiences if audience.port == site.port)
    memory = (max(letting, resident(pid)) - before) / there
    for watcher in (alone, *everybody):
        watcher.leave()
    return memory


async def _connect(audience: Audience) -> Watcher:
    loop = asyncio.get_running_loop()
    _, watcher = await loop.create_connection(lambda: Watcher(audience), "127.0.0.1", audience.port)
    return watcher


async def _admit(everybody: Sequence[Watcher]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not all(watcher.answered for watcher in everybody):
            await asyncio.sleep(0.1)
