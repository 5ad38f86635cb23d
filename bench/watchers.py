"""Many watchers of one broadcast on one process: how late is a moment, and is any lost?

`measure_synthetic()` starts the feed in a process of its own with a made-up broadcast.
`watch()` watches a broadcast of any running server, given when its moments fall due.

    python -m bench.watchers [--watchers 1000] [--moments 20] [--pace 1.0] [--bytes 16000]
"""

import argparse
import asyncio
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import cast

import uvloop

ROOT = Path(__file__).resolve().parent.parent
SETTLE = 6.0  # seconds in which all connections are made before the first moment


@dataclass(frozen=True)
class Watched:
    """What the watchers saw. Delays in seconds from due to arrival, memory in bytes."""

    watchers: int
    moments: int
    lost: int
    early: int
    median: float
    p99: float
    worst: float
    bytes_a_connection: float

    def line(self) -> str:
        """The figures in one line."""
        return (
            f"{self.watchers} watchers, {self.moments} moments: {self.lost} lost, "
            f"{self.early} early, median {self.median * 1e3:.0f} ms, "
            f"99th percentile {self.p99 * 1e3:.0f} ms, worst {self.worst * 1e3:.0f} ms, "
            f"{self.bytes_a_connection / 1024:.1f} KB a connection"
        )


# Read into by every connection in turn and emptied at once: no memory is asked for a read.
BUFFER = bytearray(1 << 18)
HEAD = 60  # bytes of an event, chunk size before it, in which its number stands


class Watcher(asyncio.BufferedProtocol):
    """One connection: notes when the last byte of each numbered event arrived."""

    def __init__(self, request: bytes, arrivals: dict[int, list[float]]) -> None:
        self._request = request
        self._arrivals = arrivals
        self._rest = bytearray()
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the broadcast."""
        # Other loops have transports of their own making, so the type is only told.
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Where the next bytes go."""
        return BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """Take the events that are whole."""
        now = time.time()
        read = self._rest + BUFFER[:nbytes] if self._rest else BUFFER[:nbytes]
        begin, end = 0, read.find(b"\n\n")
        while end >= 0:
            self._note(read[begin : min(begin + HEAD, end)], now)
            begin, end = end + 2, read.find(b"\n\n", end + 2)
        self._rest = read[begin:]

    def _note(self, head: bytearray, now: float) -> None:
        at = head.find(b"id: ")
        if at >= 0:
            number = int(head[at + 4 : head.index(b"\n", at)])
            self._arrivals.setdefault(number, []).append(now)
        elif b"event: end" in head:
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The stream is over."""
        if not self.done.done():
            self.done.set_result(None)


async def watch(
    *, port: int, path: str, moments: Sequence[float], watchers: int, pid: int, first: int = 1
) -> Watched:
    """Watch the broadcast at `path` from `watchers` connections to its end.

    `moments` are the instants (unix seconds) of the events numbered from `first`, all of
    them to come; `pid` is the serving process, whose memory is read before and after
    everybody has connected.
    """
    request = f"GET {path}?after={first - 1} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    arrivals: dict[int, list[float]] = {}
    await _connect(port, request, {})  # what the first connection costs is not a connection's
    before = resident(pid)
    everybody = [await _connect(port, request, arrivals) for _ in range(watchers)]
    await asyncio.sleep(1.0)
    a_connection = (resident(pid) - before) / watchers
    ending = max(moments) + 10 - time.time()
    await asyncio.wait([watcher.done for watcher in everybody], timeout=ending)
    return judge(arrivals, moments, watchers, a_connection, first)


async def _connect(port: int, request: bytes, arrivals: dict[int, list[float]]) -> Watcher:
    _, watcher = await asyncio.get_running_loop().create_connection(
        lambda: Watcher(request, arrivals), "127.0.0.1", port
    )
    return watcher


def judge(
    arrivals: dict[int, list[float]],
    moments: Sequence[float],
    watchers: int,
    a_connection: float,
    first: int = 1,
) -> Watched:
    """The figures of what arrived."""
    numbered = dict(enumerate(moments, start=first))
    delays = sorted(at - numbered[n] for n, seen in arrivals.items() for at in seen)
    return Watched(
        watchers=watchers,
        moments=len(moments),
        lost=watchers * len(moments) - len(delays),
        early=sum(delay < 0 for delay in delays),
        median=median(delays),
        p99=delays[int(len(delays) * 0.99)],
        worst=delays[-1],
        bytes_a_connection=a_connection,
    )


def resident(pid: int) -> int:
    """The memory a process holds at this moment, in bytes."""
    answer = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return int(answer.stdout) * 1024


def measure_synthetic(
    *, watchers: int = 1000, moments: int = 20, pace: float = 1.0, size: int = 16_000
) -> Watched:
    """`watchers` connections to the feed alone, `moments` events of `size` bytes."""
    allow_connections(watchers)
    port, start = free_port(), time.time() + SETTLE
    asked = [str(value) for value in (port, start, moments, pace, size)]
    server = subprocess.Popen([sys.executable, "-m", "bench.synthetic", *asked], cwd=ROOT)
    try:
        wait_for(port)
        due = [start + pace * place for place in range(moments)]
        return uvloop.run(
            watch(
                port=port,
                path="/live/synthetic/a/",
                moments=due,
                watchers=watchers,
                pid=server.pid,
            )
        )
    finally:
        server.terminate()
        server.wait()


def allow_connections(wanted: int) -> None:
    """Let this process and those it starts open so many sockets, as far as the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted * 2 + 200
    if soft < needed:
        limit = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, within: float = 20.0) -> None:
    """Wait until somebody listens; raises TimeoutError after `within` seconds."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"Nobody listens on port {port}.")


def main() -> None:
    """Measure and print one line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--moments", type=int, default=20)
    parser.add_argument("--pace", type=float, default=1.0)
    parser.add_argument("--bytes", type=int, default=16_000)
    asked = parser.parse_args()
    seen = measure_synthetic(
        watchers=asked.watchers, moments=asked.moments, pace=asked.pace, size=asked.bytes
    )
    print(seen.line())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main()
