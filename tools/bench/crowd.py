"""Benchmark of thousands of watchers of ten corridas, each with a card a second, on one process."""

import asyncio
import datetime as dt
import gc
import time
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.bench.audience import (
    GRACE,
    Received,
    Watched,
    allow_connections,
    asking,
    connect,
    judged,
    let_in,
)
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.web_server import web_server

CORRIDAS = 10
WATCHERS = (2000, 5000)  # of all together
MOMENTS = 15
PACE = 1.0  # seconds a card
DELAY_BAR = 250  # milliseconds


class Shown(NamedTuple):
    """A broadcast: the path of its stream, and the times of its moments."""

    feed: str
    moments: Sequence[float]


def measure(ground: ScratchSite) -> list[Figure]:
    allow_connections(max(WATCHERS))
    return [figure for watchers in WATCHERS for figure in _measure(ground, watchers)]


def _measure(ground: ScratchSite, watchers: int) -> list[Figure]:
    database = ground.copy(ground.planned, "crowd")
    with web_server(database, "feed") as server:
        watched = _watch(server.port, _put_on_air(database), watchers)
    name, note = f"watchers_{watchers}", f"{CORRIDAS} corridas, {watched.line()}"
    return [
        Figure(
            name=name,
            value=watched.p99 * 1000,
            bar=DELAY_BAR,
            unit="ms",
            note=f"99th percentile; {note}",
        ),
        Figure(name=f"{name}_lost", value=watched.lost + watched.early, bar=0, unit="moments"),
    ]


def _put_on_air(database: Path) -> list[Shown]:
    from corridas.models.corridas import PASEILLO_MS
    from tools.bench import seasons
    from tools.bench.database import close_database, use_database

    use_database(database)
    begin = dt.datetime.now(dt.UTC) - dt.timedelta(milliseconds=PASEILLO_MS)
    on_air = []
    for place in range(CORRIDAS):
        at = begin + dt.timedelta(seconds=PACE / CORRIDAS * place)
        corrida = seasons.put_on_air(at=at, pace_ms=int(PACE * 1000))
        cards = [len(draws) for draws in corrida.lidias.values_list("draws", flat=True)]
        moments = corrida.timeline(cards).moments(at.timestamp())
        on_air.append(Shown(f"/live/corrida-en/{corrida.pk}/", moments))
    close_database()
    return on_air


def _watch(port: int, on_air: Sequence[Shown], watchers: int) -> Watched:
    gc.collect()
    gc.freeze()
    try:
        return asyncio.run(_watch_all(port, on_air, watchers))
    finally:
        gc.unfreeze()


async def _watch_all(port: int, on_air: Sequence[Shown], watchers: int) -> Watched:
    received = [Received() for _ in on_air]
    everybody = [
        await connect(port, asking(item.feed), here)
        for item, here in zip(on_air, received, strict=True)
        for _ in range(watchers // len(on_air))
    ]
    await let_in(everybody)
    begun = time.time() + GRACE
    due = [_numbered(item.moments, begun) for item in on_air]
    await asyncio.sleep(max(max(item.values()) for item in due) + GRACE - time.time())
    for watcher in everybody:
        watcher.leave()
    delays = [
        at - numbers[number]
        for numbers, here in zip(due, received, strict=True)
        for number, ats in here.arrivals.items()
        if number in numbers
        for at in ats
    ]
    return judged(delays, received[0], watchers=watchers, each=MOMENTS)


def _numbered(moments: Sequence[float], begun: float) -> dict[int, float]:
    first = bisect_right(moments, begun) + 1
    return dict(enumerate(moments[first - 1 : first - 1 + MOMENTS], start=first))
