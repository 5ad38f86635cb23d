"""Benchmark of many watchers of one broadcast: how late events arrive, and how many are lost."""

import asyncio
import math
import resource
import subprocess
import time
import zlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import cast

GRACE = 2.0  # seconds after the last moment in which it may still arrive
PATIENCE = 60.0  # seconds in which all must have been let in


@dataclass
class Received:
    """What connections to one broadcast received: when each event was complete, by its number, and
    the bytes on the wire of the first event of each connection and of those after it.
    """

    arrivals: dict[int, list[float]] = field(default_factory=dict)
    first: list[int] = field(default_factory=list)
    later: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Watched:
    """What the watchers of a broadcast measured.

    Delays are the seconds from the time an event is due to its arrival. Memory is in bytes, or 0 if
    unknown.
    """

    watchers: int
    moments: int
    lost: int
    early: int
    median: float
    p99: float
    worst: float
    bytes_a_connection: float
    received: Received

    def line(self) -> str:
        memory = f", {self.bytes_a_connection / 1024:.1f} KB a connection"
        return (
            f"{self.watchers} watchers, {self.moments} moments: {self.lost} lost, "
            f"{self.early} early, median {self.median * 1e3:.0f} ms, "
            f"99th percentile {self.p99 * 1e3:.0f} ms, worst {self.worst * 1e3:.0f} ms"
            f"{memory if self.bytes_a_connection else ''}"
        )


# Request headers that a browser sends for a stream. If the server stores them, they cost memory.
BROWSER = (
    ("Host", "localhost"),
    ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
    ("Accept", "text/event-stream"),
    ("Accept-Language", "es-ES,es;q=0.8,en-US;q=0.5,en;q=0.3"),
    ("Accept-Encoding", "gzip, deflate, br, zstd"),
    ("Referer", "http://localhost/corridas/1/"),
    ("Cookie", "theme=dark; django_language=es"),
    ("Sec-Fetch-Dest", "empty"),
    ("Sec-Fetch-Mode", "cors"),
    ("Sec-Fetch-Site", "same-origin"),
    ("Connection", "keep-alive"),
    ("Pragma", "no-cache"),
    ("Cache-Control", "no-cache"),
)
# Buffer that all connections use in turn, so that reading allocates no memory.
BUFFER = bytearray(1 << 18)


class Watcher(asyncio.BufferedProtocol):
    """One connection, which reads a compressed stream in chunks as a browser does."""

    def __init__(self, request: bytes, received: Received) -> None:
        self._request = request
        self._received = received
        self._rest = bytearray()
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS + 16)
        self._began = False
        self.answered = False
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Other event loops have their own transport classes, so the type is only declared.
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

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
        text = self._inflater.decompress(chunk)
        if text.startswith(b"id: "):
            number = int(text[4 : text.index(b"\n")])
            self._received.arrivals.setdefault(number, []).append(now)
            (self._received.later if self._began else self._received.first).append(len(chunk))
            self._began = True
        elif text.startswith(b"event: end"):
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


async def watch(
    *, port: int, path: str, moments: Sequence[float], count: int, watchers: int, pid: int
) -> Watched:
    """Watch the next `count` moments of a broadcast at `path` from `watchers` connections.

    `moments` are the instants (unix seconds) of all its events, numbered from 1. Counting begins
    when all have been let in. `pid` is the serving process. Its memory is read when one more
    connection has long been watching, when all have been let in, and after their last moment;
    the greater growth is divided among all but that first one. So fragments cached meanwhile
    count too, and what the first connection costs alone (imports, threads, the first fragment)
    does not.
    """
    request = asking(path)
    received = Received()
    alone = await connect(port, request, Received())
    await let_in([alone])
    await asyncio.sleep(GRACE)
    before = resident(pid)
    everybody = [await connect(port, request, received) for _ in range(watchers)]
    await let_in(everybody)
    letting = resident(pid)
    first = bisect_right(moments, time.time() + GRACE) + 1
    due = moments[first - 1 : first - 1 + count]
    await asyncio.sleep(due[-1] + GRACE - time.time())
    a_connection = (max(letting, resident(pid)) - before) / watchers
    for watcher in (alone, *everybody):
        watcher.leave()
    await asyncio.wait([watcher.done for watcher in everybody])
    return judge(received, due, watchers, a_connection, first)


def asking(path: str) -> bytes:
    heads = "".join(f"{name}: {value}\r\n" for name, value in BROWSER)
    return f"GET {path} HTTP/1.1\r\n{heads}\r\n".encode()


async def let_in(everybody: Sequence[Watcher]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not all(watcher.answered for watcher in everybody):
            await asyncio.sleep(0.1)


async def connect(port: int, request: bytes, received: Received) -> Watcher:
    _, watcher = await asyncio.get_running_loop().create_connection(
        lambda: Watcher(request, received), "127.0.0.1", port
    )
    return watcher


def judge(
    received: Received,
    moments: Sequence[float],
    watchers: int,
    a_connection: float,
    first: int = 1,
) -> Watched:
    numbered = dict(enumerate(moments, start=first))
    arrivals = received.arrivals.items()
    delays = [at - numbered[n] for n, seen in arrivals for at in seen if n in numbered]
    return judged(delays, received, watchers=watchers, each=len(moments), a_connection=a_connection)


def judged(
    delays: Sequence[float],
    received: Received,
    *,
    watchers: int,
    each: int,
    a_connection: float = 0.0,
) -> Watched:
    ordered = sorted(delays) or [math.inf]
    return Watched(
        watchers=watchers,
        moments=each,
        lost=watchers * each - len(delays),
        early=sum(delay < 0 for delay in ordered),
        median=median(ordered),
        p99=ordered[int(len(ordered) * 0.99)],
        worst=ordered[-1],
        bytes_a_connection=a_connection,
        received=received,
    )


def resident(pid: int) -> int:
    answer = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(answer.stdout) * 1024


def allow_connections(wanted: int) -> None:
    """Raise the limit of open sockets for this process and its children, as far as possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted * 2 + 200
    if soft < needed:
        limit = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
