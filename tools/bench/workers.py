"""Benchmark of two thousand queued corridas, played by one worker process and by two.

Rows and messages exist before the first worker starts. The first tenth and the last tenth of the
corridas are not timed, so that starting and running out of work do not count.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import psycopg
from redis import Redis

from tools.bench.figures import Figure
from tools.bench.postgres import Postgres, postgres
from tools.bench.scratch_site import ScratchSite
from tools.bench.web_server import ROOT, terminate

BAR = 1.8
CORRIDAS = 2000
ROUNDS = 1
PATIENCE = 120.0  # seconds
QUEUE = "live"
WORKER = (
    f"worker --pool solo --queues {QUEUE} --without-gossip --without-mingle --without-heartbeat"
)
PLAYED = "SELECT on_air_at FROM corridas_corrida WHERE on_air_at IS NOT NULL ORDER BY on_air_at"


def measure(ground: ScratchSite) -> list[Figure]:
    with postgres() as server:
        server.make("planned")
        _scene("prepare", server.url("planned"))
        rates = [(_rate(server, 1), _rate(server, 2)) for _ in range(ROUNDS)]
    single, two = (median(side) for side in zip(*rates, strict=True))
    value = median(both / alone for alone, both in rates)
    note = f"{two:.0f} corridas a second by two worker processes, {single:.0f} by one"
    return [
        Figure(name="workers", value=value, bar=BAR, at_least=True, unit="x", note=note),
        Figure(name="workers_one", value=single, unit="corridas/s"),
    ]


def _rate(server: Postgres, count: int) -> float:
    url = server.make("scratch", like="planned")
    Redis.from_url(os.environ["REDIS_URL"]).delete(QUEUE)
    _scene("queue", url)
    with _workers(url, count):
        instants = _wait_until_played(url)
    first, last = len(instants) // 10, len(instants) * 9 // 10
    return (last - first) / (instants[last] - instants[first])


@contextmanager
def _workers(url: str, count: int) -> Iterator[None]:
    command = [sys.executable, "-m", "celery", "--app", "config", "--quiet", *WORKER.split()]
    running = [
        subprocess.Popen(
            [*command, "--hostname", f"{number}@bench"],
            cwd=ROOT,
            env=_variables(url),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for number in range(count)
    ]
    try:
        yield
    finally:
        for process in running:
            terminate(process)


def _wait_until_played(url: str) -> list[float]:
    until = time.monotonic() + PATIENCE
    with psycopg.connect(url, autocommit=True) as line:
        while time.monotonic() < until:
            played = line.execute(PLAYED).fetchall()
            if len(played) >= CORRIDAS:
                return [at.timestamp() for (at,) in played]
            time.sleep(0.5)
    raise TimeoutError(f"Only {len(played)} of {CORRIDAS} corridas were played.")


def _scene(what: str, url: str) -> None:
    command = [sys.executable, "-m", "tools.bench.chaos.scene", what, str(CORRIDAS)]
    subprocess.run(command, cwd=ROOT, env=_variables(url), check=True, stdout=subprocess.DEVNULL)


def _variables(url: str) -> dict[str, str]:
    return os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
