"""The Celery workers of `manage.py up`: what they serve, and how a forked one runs and stops."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from celery import current_app as app
from celery.apps import beat as celery_beat
from celery.apps import worker as celery_worker
from celery.concurrency import thread
from celery.exceptions import WorkerTerminate
from celery.worker import consumer, state
from kombu import Connection

from server.processes import Child

log = logging.getLogger(__name__)

CELERY = [sys.executable, "-m", "celery", "--app", "config", "--quiet"]
# Maximum number of processes for bots.
MAX_BOT_PROCESSES = 4
# How much lower the priority of long tasks is.
NICE: Final = 5
# Seconds for the tasks of a forked worker when it stops. Those not done then run again.
STOP_TIMEOUT: Final = 0.2
# Tasks that are not run again, because a letter must not be sent twice.
AT_MOST_ONCE: Final = {"accounts.tasks.send_letters"}
# Seconds for those tasks.
AT_MOST_ONCE_TIMEOUT: Final = 5.0
# Seconds that a worker waits for a task at a time. It returns its tasks after that.
POLL_TIMEOUT: Final = 0.25
# Seconds after which a worker looks again for a broker that is away.
RECONNECT: Final[dict[str, Any]] = {
    "interval_start": 0.2,
    "interval_step": 0.2,
    "interval_max": 1.0,
}
# Seconds until a worker that does not end is killed.
PATIENCE: Final = 10.0


class Consumer(consumer.Consumer):
    """Reconnects within a second to a broker that is back. Celery's own waits 2, 4, 6 s, …"""

    def ensure_connected(self, conn: Connection) -> Connection:
        def note(error: Exception, interval: float) -> None:
            log.warning("The broker is away, trying again in %.1f s: %s", interval, error)

        conn.ensure_connection(note, callback=state.maybe_shutdown, **RECONNECT)
        self.first_connection_attempt = False
        return conn


class Threads(thread.TaskPool):
    """Threads that nobody waits for in a cold shutdown: their tasks have been returned."""

    def terminate_job(self, pid: int, number: int | None = None) -> None:
        """Do nothing: a thread cannot be ended, but its process ends in a moment."""

    def on_stop(self) -> None:
        if state.should_terminate:
            # Out of the signal handler, on to returning what was not acknowledged.
            raise WorkerTerminate(0)
        super().on_stop()


class _StoppingWorker(celery_worker.Worker):
    """A worker that waits briefly for its tasks, and longer for those that run at most once."""

    def set_process_status(self, info: str) -> None:
        """Keep the name of the forked process."""

    def wait_for_soft_shutdown(self) -> None:  # type: ignore[override]  # as in Celery itself
        until = time.monotonic() + AT_MOST_ONCE_TIMEOUT
        if state.active_requests:
            time.sleep(STOP_TIMEOUT)
        while time.monotonic() < until and any(
            request.name in AT_MOST_ONCE for request in tuple(state.active_requests)
        ):
            time.sleep(STOP_TIMEOUT / 4)


@dataclass(frozen=True, kw_only=True)
class Worker:
    """A worker for some queues, which has the name of the first.

    When stopped it returns its current tasks to their queues. `concurrency` tasks run at a time:
    in threads if it is forked, which share memory, otherwise in processes.
    """

    name: str
    queues: Sequence[str]
    concurrency: int = 1
    nice: int = 0
    beat: bool = False
    number: int = 1

    @property
    def hostname(self) -> str:
        return f"{self.queues[0]}{self.number if self.number > 1 else ''}@{socket.gethostname()}"

    def child(self, fork: bool) -> Child:
        command = [*CELERY, "worker", "--without-gossip", "--without-mingle"]
        command += ["--queues", ",".join(self.queues)]
        command += ["--concurrency", str(self.concurrency), "--hostname", self.hostname]
        command += ["--beat"] if self.beat else []
        if self.nice and shutil.which("nice"):
            command = ["nice", "-n", str(self.nice), *command]
        run, patience = (self.run, PATIENCE) if fork else (None, 15.0)
        return Child(self.name, command, run, signal.SIGQUIT, patience)

    def run(self) -> None:
        """Run the worker in this process, until it is stopped. Does not return."""
        os.nice(self.nice)
        app.conf.broker_transport_options["polling_interval"] = POLL_TIMEOUT
        options: dict[str, Any] = {"without_gossip": True, "without_mingle": True, "quiet": True}
        worker = app.subclass_with_self(_StoppingWorker)(
            hostname=self.hostname,
            queues=list(self.queues),
            concurrency=self.concurrency,
            pool_cls=Threads,
            **options,
        )
        worker.start()
        logging.shutdown()
        # Not sys.exit, which would wait for tasks that have been returned.
        os._exit(worker.exitcode or 0)


def workers(fork: bool) -> list[Child]:
    """Return a worker for corridas and sweeps, one for long tasks, those for tables, and the clock,
    which tells them what is due.

    The first can play a corrida while a sweep runs. Long tasks have a lower priority if there
    are fewer cores than workers.
    """
    thinking = min(MAX_BOT_PROCESSES, max(1, (os.cpu_count() or 2) // 2))
    live = Worker(name="worker", queues=("live", "celery"), concurrency=2, beat=not fork)
    long = Worker(name="worker of long runs", queues=("long",), nice=NICE)
    if not fork:
        tables = [Worker(name="tables' worker", queues=("tables",), concurrency=thinking)]
        return [worker.child(fork) for worker in (live, long, *tables)]
    tables = [  # each a process, since threads would not think at the same time
        Worker(
            name=f"tables' worker{f' {number}' if number > 1 else ''}",
            queues=("tables",),
            number=number,
        )
        for number in range(1, thinking + 1)
    ]
    children = [worker.child(fork) for worker in (live, long, *tables)]
    return [*children, Child("clock", run=run_clock)]


class _Clock(celery_beat.Beat):
    def set_process_title(self) -> None:
        """Keep the name of the forked process."""


def run_clock() -> None:
    app.subclass_with_self(_Clock)(quiet=True).run()
