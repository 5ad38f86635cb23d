"""Benchmark of two thousand queued corridas, played by one worker process and by two.

Rows and messages exist before the first worker starts. The first tenth and the last tenth of the
corridas are not timed, so that starting and running out of work do not count.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack

import psycopg
from redis import Redis

from tools.bench.elsewhere import call
from tools.bench.figures import Figure
from tools.bench.postgres import Postgres, postgres
from tools.bench.scratch_site import ScratchSite
from tools.bench.web_server import running

CORRIDAS = 2000
PATIENCE = 120.0  # seconds
QUEUE = "live"
WORKER = (
    f"-m celery --app config --quiet worker --pool solo --queues {QUEUE}"
    " --without-gossip --without-mingle --without-heartbeat --hostname"
)
PLAYED = "SELECT on_air_at FROM corridas_corrida WHERE on_air_at IS NOT NULL ORDER BY on_air_at"
SETTINGS = "config.settings"


def measure(_: ScratchSite) -> Iterator[Figure]:
    with postgres() as server:
        own = {"DATABASE_URL": server.make("planned"), "DJANGO_SETTINGS_MODULE": SETTINGS}
        call("chaos.scene.prepare", CORRIDAS, **own)
        one, two = _rate(server, 1), _rate(server, 2)
    note = f"{two:.0f} corridas a second by two worker processes, {one:.0f} by one"
    yield Figure("workers", two / one, bar=1.8, at_least=True, unit="x", note=note)
    yield Figure("workers_one", one, unit="corridas/s")


def _rate(server: Postgres, count: int) -> float:
    url = server.make("scratch", like="planned")
    own = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": SETTINGS}
    Redis.from_url(os.environ["REDIS_URL"]).delete(QUEUE)
    call("chaos.scene.queue", CORRIDAS, **own)
    with ExitStack() as house:
        for number in range(count):
            command = [sys.executable, *WORKER.split(), f"{number}@bench"]
            house.enter_context(running(command, **own))
        instants = _wait_until_played(url)
    first, last = len(instants) // 10, len(instants) * 9 // 10
    return (last - first) / (instants[last] - instants[first])


def _wait_until_played(url: str) -> list[float]:
    until = time.monotonic() + PATIENCE
    with psycopg.connect(url, autocommit=True) as line:
        while time.monotonic() < until:
            played = line.execute(PLAYED).fetchall()
            if len(played) >= CORRIDAS:
                return [at.timestamp() for (at,) in played]
            time.sleep(0.5)
    raise TimeoutError(f"Only {len(played)} of {CORRIDAS} corridas were played.")
