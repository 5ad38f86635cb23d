"""Benchmark of fifty live game tables: the time from one player's click to the other's browser.

    python -m tools.bench.tables [--tables 50] [--think 4.0] [--seconds 30] [--bots 0]

The web process and the worker for tables run as `manage.py up` starts them. A client per seat
follows the seat's stream, waits, and submits the form in the fragment that it received, as a
browser does. The time is measured from the first byte of the form to the last byte of the event
with which the other seat receives that move.
"""

import argparse
import asyncio
import gc
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.table_clients import Pace, TableDelays, TableRoom, create_tables, play
from tools.bench.web_server import ROOT, WebServer, terminate, web_server

TABLES = 50
THINK = 4.0  # seconds from seeing that it is one's turn to the click, on average
SECONDS = 30.0
WARM = 5.0  # seconds of play before anything is measured
BAR = 150  # milliseconds


def measure(ground: ScratchSite) -> list[Figure]:
    return _figures(run(ground, tables=TABLES, think=THINK, seconds=SECONDS, bots=0))


def run(
    ground: ScratchSite, *, tables: int, think: float, seconds: float, bots: int
) -> TableDelays:
    """Play at so many tables of two people, and as many more with a `maestro`."""
    database = ground.folder / "tables.sqlite3"
    room = create_tables(database, tables=tables, bots=bots)
    with web_server(database) as server, worker(database, ground.folder):
        return _play(server, room, think, seconds)


def _play(server: WebServer, room: TableRoom, think: float, seconds: float) -> TableDelays:
    """Simulate the players in this process, with frozen objects for short garbage collections."""
    gc.collect()
    gc.freeze()
    try:
        pace = Pace(think=think, warm=WARM, seconds=seconds)
        return asyncio.run(play(server.port, room, pace, lambda: busy(server.pid)))
    finally:
        gc.unfreeze()


def busy(pid: int) -> float:
    """Return a process's processor seconds so far, or NaN if unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return math.nan
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def worker(database: Path, folder: Path) -> Iterator[None]:
    words = "worker --queues tables --concurrency 1 --beat"
    quiet = "--without-gossip --without-mingle"
    command = [sys.executable, "-W", "ignore", "-m", "celery", "--app", "config", "--quiet"]
    command += [*words.split(), *quiet.split(), "--schedule", str(folder / "tables-beat")]
    own = {
        "DATABASE_URL": f"sqlite:///{database}",
        "WRITES_A_MINUTE": "1000000",
        "LOG_LEVEL": "ERROR",
    }
    variables = os.environ | own
    process = subprocess.Popen(command, cwd=ROOT, env=variables, start_new_session=True)
    try:
        yield
    finally:
        terminate(process)


def _figures(heard: TableDelays) -> list[Figure]:
    delays = sorted(heard.delays) or [float("nan")]
    return [
        Figure(
            name="table_move",
            value=median(delays) * 1000,
            bar=BAR,
            unit="ms",
            note=f"median, click to the other browser; {heard.line()}",
        ),
        Figure(name="table_move_99", value=delays[int(len(delays) * 0.99)] * 1000, unit="ms"),
        Figure(
            name="table_move_cpu",
            value=heard.busy / max(1, len(heard.delays)) * 1000,
            unit="ms",
            note="of the web process a move: answer, both streams",
        ),
        Figure(name="table_moves_lost", value=heard.lost, bar=0, unit="moves"),
    ]


def main() -> None:
    from tools.bench.scratch_site import scratch_site

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--think", type=float, default=THINK)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--bots", type=int, default=0)
    args = parser.parse_args()
    with scratch_site() as where:
        heard = run(
            where,
            tables=args.tables,
            think=args.think,
            seconds=args.seconds,
            bots=args.bots,
        )
    print(heard.line())


if __name__ == "__main__":
    main()
