"""A thousand watchers of a real corrida, a card a second, on the process that serves the pages.

    python -m tools.bench.watchers [--watchers 1000] [--moments 20] [--pace 1.0] [--bytes 16000]

measures the feed alone, with a made-up broadcast.
"""

import argparse
import asyncio
import datetime as dt
import gc
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean

from tools.bench.audience import Watched, allow_connections, watch
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.web_server import (
    ROOT,
    Client,
    WebServer,
    free_port,
    terminate,
    wait_for,
    web_server,
)

WATCHERS = 1000
MOMENTS = 20
PACE = 1.0  # seconds a card
SETTLE = 8.0  # seconds before a made-up broadcast begins
DELAY_BAR = 100  # milliseconds
MEMORY_BAR = 10  # kilobytes a connection
BYTES_BAR = 600  # of a card, for who is connected
MOST_BAR = 2500
JOINING_BAR = 6000


def measure(ground: ScratchSite) -> list[Figure]:
    """Measure the delay of a card after it is due, what was lost, and memory per connection."""
    allow_connections(WATCHERS)
    database = ground.copy(ground.planned, "watched")
    with web_server(database) as server:
        corrida, moments = _put_on_air(database)
        with Client(server.port) as client:
            client.size(f"/corridas/{corrida}/")  # viewers request the page before the feed
        watched = _watch(server, f"/live/corrida-en/{corrida}/", moments)
    return _figures(watched)


def _put_on_air(database: Path) -> tuple[int, list[float]]:
    from corridas.models.corridas import PASEILLO_MS
    from tools.bench import seasons
    from tools.bench.database import close_database, use_database

    use_database(database)
    at = dt.datetime.now(dt.UTC) - dt.timedelta(milliseconds=PASEILLO_MS)
    corrida = seasons.put_on_air(at=at, pace_ms=int(PACE * 1000))
    cards = [len(draws) for draws in corrida.lidias.values_list("draws", flat=True)]
    close_database()
    return corrida.pk, corrida.timeline(cards).moments(at.timestamp())


def _watch(server: WebServer, path: str, moments: list[float]) -> Watched:
    """Simulate the watchers in this process, with frozen objects for short garbage collections."""
    gc.collect()
    gc.freeze()
    try:
        return asyncio.run(
            watch(
                port=server.port,
                path=path,
                moments=moments,
                count=MOMENTS,
                watchers=WATCHERS,
                pid=server.pid,
            )
        )
    finally:
        gc.unfreeze()


def _figures(watched: Watched) -> list[Figure]:
    return [
        Figure(
            name="watchers",
            value=watched.p99 * 1000,
            bar=DELAY_BAR,
            unit="ms",
            note=f"99th percentile; {watched.line()}",
        ),
        Figure(name="watchers_median", value=watched.median * 1000, unit="ms"),
        Figure(name="watchers_lost", value=watched.lost + watched.early, bar=0, unit="moments"),
        Figure(
            name="watchers_memory",
            value=watched.bytes_a_connection / 1024,
            bar=MEMORY_BAR,
            unit="KB",
            note="a connection",
        ),
        Figure(
            name="watchers_bytes",
            value=mean(watched.received.later),
            bar=BYTES_BAR,
            unit="bytes",
            note="of a card on the wire, mean",
        ),
        Figure(name="watchers_bytes_most", value=max(watched.received.later), bar=MOST_BAR),
        Figure(
            name="watchers_bytes_joining",
            value=max(watched.received.first),
            bar=JOINING_BAR,
            note="the first card of who joins",
        ),
    ]


def measure_synthetic(*, watchers: int, moments: int, pace: float, size: int) -> Watched:
    """Open `watchers` connections to the feed alone, with `moments` events of `size` bytes."""
    allow_connections(watchers)
    port, start = free_port(), time.time() + SETTLE
    arguments = [str(value) for value in (port, start, moments, pace, size)]
    server = subprocess.Popen([sys.executable, "-m", "tools.bench.synthetic", *arguments], cwd=ROOT)
    try:
        wait_for(port)
        due = [start + pace * place for place in range(moments)]
        path = "/live/synthetic/a/"
        return asyncio.run(
            watch(
                port=port,
                path=path,
                moments=due,
                count=moments,
                watchers=watchers,
                pid=server.pid,
            )
        )
    finally:
        terminate(server)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=WATCHERS)
    parser.add_argument("--moments", type=int, default=MOMENTS)
    parser.add_argument("--pace", type=float, default=PACE)
    parser.add_argument("--bytes", type=int, default=16_000)
    args = parser.parse_args()
    watched = measure_synthetic(
        watchers=args.watchers, moments=args.moments, pace=args.pace, size=args.bytes
    )
    print(watched.line())


if __name__ == "__main__":
    main()
