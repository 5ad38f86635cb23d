"""A Celery worker killed with SIGKILL while it plays a corrida: the corrida is still played
once.
"""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.utils import timezone
from redis import Redis

from config.celery import app as celery_app
from corridas.models import Corrida
from corridas.simulation.sweep import PATIENCE
from corridas.tasks import play_corrida, sweep
from server.environment import broker
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]


@contextmanager
def worker(database: str, valkey: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a worker with one child process, connected to the database and the broker of the
    test.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    own = {"DATABASE_URL": database, "REDIS_URL": valkey, "DATA": str(folder)}
    words = "worker --queues live,celery --concurrency 1 --without-gossip --without-mingle"
    with (folder / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "config", *words.split()],
            cwd=ROOT,
            env=kept | own,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def children(process: subprocess.Popen[bytes]) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(pid) for pid in listed.read_text().split()]


@contextmanager
def hold(database: str) -> Iterator[None]:
    """Block writes of all other connections, so that a worker stops before it marks its corrida
    as started.
    """
    other = sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


@pytest.fixture
def queued(rows: str, valkey: str) -> Corrida:
    """The first corrida of the season, queued long ago, so that the periodic task considers it
    lost.
    """
    celery_app.conf.update(broker_url=broker(valkey))
    celery_app._after_fork()  # type: ignore[attr-defined]  # no connection of an earlier test
    keys = world.queue_all(world.brief())
    Corrida.objects.exclude(pk=keys[0]).update(state="announced")
    Corrida.objects.filter(pk=keys[0]).update(queued_at=timezone.now() - PATIENCE)
    return Corrida.objects.get(pk=keys[0])


def taken(valkey: str) -> bool:
    """Return whether a worker has received the message and has not acknowledged it."""
    client = Redis.from_url(valkey)
    return bool(client.hlen("unacked")) and not client.llen("celery")


def played(corrida: Corrida) -> bool:
    corrida.refresh_from_db()
    return corrida.state == "on_air"


def check(corrida: Corrida) -> None:
    Corrida.objects.filter(pk=corrida.pk).update(ends_at=timezone.now())
    sweep()
    sweep()
    corrida.refresh_from_db()
    assert corrida.is_over
    assert world.brief().posted_version == 1
    assert faults(world.brief()) == []


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="asks /proc for the worker's child"
)


@pytest.mark.nightly
@pytest.mark.slow
@needs_proc
def test_message_of_a_killed_child_process_goes_to_the_next(
    rows: str, valkey: str, queued: Corrida, tmp_path: Path
) -> None:
    with worker(rows, valkey, tmp_path) as process:
        with hold(rows):
            play_corrida.delay(queued.pk)
            wait_until(lambda: taken(valkey))
            (child,) = children(process)
            os.kill(child, signal.SIGKILL)
            wait_until(lambda: children(process) not in ([], [child]))
            assert not played(queued)
        wait_until(lambda: played(queued))
    check(queued)


@pytest.mark.slow
def test_corrida_of_a_killed_worker_is_sent_again_by_the_periodic_task(
    rows: str, valkey: str, queued: Corrida, tmp_path: Path
) -> None:
    with worker(rows, valkey, tmp_path) as process, hold(rows):
        play_corrida.delay(queued.pk)
        wait_until(lambda: taken(valkey))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert not played(queued)
    assert queued.state == "queued"
    with worker(rows, valkey, tmp_path):
        sweep()
        wait_until(lambda: played(queued))
    check(queued)
