"""A forked Celery worker that is stopped: what happens to its task."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery import Celery
from kombu import Connection
from kombu.utils import functional
from redis import Redis

import server.workers
from server.environment import broker as broker_url
from server.processes import Child
from server.valkey import Valkey
from server.workers import (
    NICE,
    PATIENCE,
    STOP_TIMEOUT,
    Consumer,
    Worker,
    _StoppingWorker,
    workers,
)
from tests.site import ROOT, inherited
from tests.waiting import wait_until

WORKER = """
import sys, time
import django
django.setup()
from pathlib import Path
from config.celery import app
from server.workers import AT_MOST_ONCE, Worker

name = sys.argv[1]
AT_MOST_ONCE.add("once")

@app.task(name=name)
def probe(file, seconds):
    Path(file).write_text("begun")
    time.sleep(seconds)
    Path(file).write_text("done")

Worker(name="probe", queues=("probe",)).run()
"""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Valkey]:
    server = Valkey(tmp_path / "valkey")
    server.start()
    yield server
    server.stop()


def begin_worker(broker: Valkey, file: Path, name: str, seconds: float) -> subprocess.Popen[bytes]:
    """Start a worker and give it a task, and wait until the task has begun."""
    variables = {"DJANGO_SETTINGS_MODULE": "config.settings", "REDIS_URL": broker.url}
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, name],
        cwd=ROOT,
        env=inherited() | {"DATA": str(file.parent)} | variables,
    )
    url = broker.url.replace("unix://", "redis+socket://", 1)
    with Celery(broker=url, set_as_current=False) as sender:
        sender.send_task(name, [str(file), seconds], queue="probe")
    wait_until(lambda: file.exists() and file.read_text() == "begun")
    return worker


def stop(worker: subprocess.Popen[bytes]) -> float:
    """Stop the worker and return how many seconds that took."""
    began = time.monotonic()
    os.kill(worker.pid, signal.SIGQUIT)
    assert worker.wait(20) == 0
    return time.monotonic() - began


@pytest.mark.slow
def test_unfinished_task_returns_to_its_queue(broker: Valkey, tmp_path: Path) -> None:
    file = tmp_path / "probe"
    worker = begin_worker(broker, file, "again", 60)
    assert stop(worker) < 30
    assert file.read_text() == "begun"
    with Redis.from_url(broker.url) as client:
        assert client.llen("probe") == 1
        assert client.hlen("unacked") == 0


@pytest.mark.slow
def test_task_that_cannot_be_repeated_is_finished_first(broker: Valkey, tmp_path: Path) -> None:
    file = tmp_path / "probe"
    worker = begin_worker(broker, file, "once", 1.5)
    stop(worker)
    assert file.read_text() == "done"
    with Redis.from_url(broker.url) as client:
        assert client.llen("probe") == 0
        assert client.hlen("unacked") == 0


@pytest.mark.slow
def test_worker_with_one_process_does_not_stop_itself(tmp_path: Path) -> None:
    told = "import config.celery as worker; worker.worker_process_init.send(sender=None)"
    variables = inherited() | {"DATA": str(tmp_path)}
    subprocess.run([sys.executable, "-c", told], check=True, cwd=ROOT, env=variables)


@pytest.mark.slow
def test_worker_looks_for_its_broker_at_least_every_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, slept = Valkey(tmp_path / "valkey"), list[float]()

    def sleep(seconds: float) -> None:
        if seconds:
            slept.append(round(seconds, 1))
            if len(slept) == 6:  # once: kombu also calls it with no seconds
                server.start()

    monkeypatch.setattr(functional, "sleep", sleep)
    try:
        with Connection(broker_url(server.url)) as connection:
            assert Consumer.ensure_connected(Consumer.__new__(Consumer), connection).connected
    finally:
        server.stop()
    assert slept == [0.2, 0.4, 0.6, 0.8, 1.0, 1.0]


def option(child: Child, name: str) -> str:
    assert child.command
    return child.command[list(child.command).index(name) + 1]


@pytest.mark.parametrize("fork", [True, False])
@pytest.mark.parametrize(
    ("cores", "thinking"),
    [(None, 1), (1, 1), (3, 1), (4, 2), (7, 3), (8, 4), (9, 4), (64, 4)],
)
def test_every_worker_has_a_unique_name_on_any_machine(
    monkeypatch: pytest.MonkeyPatch, fork: bool, cores: int | None, thinking: int
) -> None:
    """The status page counts workers by name, and Celery confuses two workers of the same name."""
    monkeypatch.setattr("server.workers.os.cpu_count", lambda: cores)
    children = workers(fork)
    celery = [child for child in children if child.command]
    names = [option(child, "--hostname") for child in celery]
    assert len(set(names)) == len(names)
    assert len({child.name for child in children}) == len(children)
    tables = [child for child in celery if option(child, "--queues") == "tables"]
    assert [option(child, "--concurrency") for child in tables] == (
        ["1"] * thinking if fork else [str(thinking)]
    )
    beats = [child for child in children if child.name == "clock" or "--beat" in child.command]
    assert len(beats) == 1


def test_forked_workers_have_queues_threads_and_priorities_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One process more schedules the periodic tasks."""
    monkeypatch.setattr("server.workers.os.cpu_count", lambda: 4)
    *celery, clock = workers(fork=True)
    assert (clock.name, clock.command, clock.run is not None) == ("clock", (), True)
    found = [getattr(child.run, "__self__", None) for child in celery]
    assert [
        (tuple(one.queues), one.concurrency, one.nice, one.beat, one.number)
        for one in found
        if isinstance(one, Worker)
    ] == [
        (("live", "celery"), 2, 0, False, 1),
        (("long",), 1, NICE, False, 1),
        (("tables",), 1, 0, False, 1),
        (("tables",), 1, 0, False, 2),
    ]
    assert {child.farewell for child in celery} == {signal.SIGQUIT}
    assert {child.patience for child in celery} == {PATIENCE}


def test_workers_that_are_not_forked_run_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the worker for long tasks has a lower priority, and the first one schedules tasks."""
    monkeypatch.setattr("server.workers.os.cpu_count", lambda: 4)
    monkeypatch.setattr("server.workers.shutil.which", lambda name: f"/usr/bin/{name}")
    live, long, tables = workers(fork=False)
    assert [option(child, "--queues") for child in (live, long, tables)] == [
        *("live,celery", "long", "tables"),
    ]
    assert [option(child, "--concurrency") for child in (live, long, tables)] == ["2", "1", "2"]
    assert [child.command[:3] == ["nice", "-n", "5"] for child in (live, long, tables)] == [
        *(False, True, False),
    ]
    assert ["--beat" in child.command for child in (live, long, tables)] == [True, False, False]
    assert {child.run for child in (live, long, tables)} == {None}
    assert {child.patience for child in (live, long, tables)} == {15.0}
    monkeypatch.setattr("server.workers.shutil.which", lambda name: None)
    assert "nice" not in workers(fork=False)[1].command


@pytest.mark.parametrize(
    ("tasks", "waits"),
    [
        ([], 0.0),
        (["corridas.tasks.simulate"], 0.2),
        (["accounts.tasks.send_letters"], 5.0),
        (["corridas.tasks.simulate", "accounts.tasks.send_letters"], 5.0),
    ],
)
def test_only_tasks_that_cannot_be_repeated_delay_the_end_of_a_worker(
    monkeypatch: pytest.MonkeyPatch, tasks: list[str], waits: float
) -> None:
    now = [100.0]
    clock = SimpleNamespace(
        monotonic=lambda: now[0], sleep=lambda seconds: now.append(now.pop() + seconds)
    )
    monkeypatch.setattr(server.workers, "time", clock)
    running = [SimpleNamespace(name=name) for name in tasks]
    monkeypatch.setattr(server.workers, "state", SimpleNamespace(active_requests=running))
    _StoppingWorker.wait_for_soft_shutdown(SimpleNamespace())  # type: ignore[arg-type]
    assert now[0] - 100 == pytest.approx(waits, abs=STOP_TIMEOUT)
