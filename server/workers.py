"""The Celery workers of `manage.py up`: their queues, and how forked workers run and stop."""

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
# Maximum number of worker processes for bots' moves at game tables.
MAX_BOT_PROCESSES = 4
# Niceness of the worker for long tasks, which lowers its priority.
NICE: Final = 5
# Seconds that a forked worker waits for running tasks when it stops. Unfinished tasks run again
# later.
STOP_TIMEOUT: Final = 0.2
# Names of tasks that are not run again after an interruption, because an email must not be sent
# twice.
AT_MOST_ONCE: Final = {"accounts.tasks.send_letters"}
# Seconds that a forked worker waits for the tasks that must not run twice when it stops.
AT_MOST_ONCE_TIMEOUT: Final = 5.0
# Seconds of a single request for tasks to the broker. After it, a worker that is stopping returns
# its tasks to their queues.
POLL_TIMEOUT: Final = 0.25
# Seconds between attempts to reconnect to a broker that is unreachable.
RECONNECT: Final[dict[str, Any]] = {
    "interval_start": 0.2,
    "interval_step": 0.2,
    "interval_max": 1.0,
}
# Seconds after which a forked worker that does not stop is killed.
PATIENCE: Final = 10.0


class Consumer(consumer.Consumer):
    """Celery consumer that reconnects within a second once the broker is back.

    Celery's own consumer waits 2, 4, 6 seconds and so on.
    """

    def ensure_connected(self, conn: Connection) -> Connection:
        def note(error: Exception, interval: float) -> None:
            log.warning("The broker is unreachable, trying again in %.1f s: %s", interval, error)

        conn.ensure_connection(note, callback=state.maybe_shutdown, **RECONNECT)
        self.first_connection_attempt = False
        return conn


class Threads(thread.TaskPool):
    """Celery thread pool that does not wait for running tasks in a cold shutdown.

    These tasks have been returned to their queues.
    """

    def terminate_job(self, pid: int, number: int | None = None) -> None:
        """Do nothing: a thread cannot be terminated, and its process ends in a moment anyway."""

    def on_stop(self) -> None:
        if state.should_terminate:
            # Leave the signal handler, so that the worker returns unacknowledged tasks to their
            # queues.
            raise WorkerTerminate(0)
        super().on_stop()


class _StoppingWorker(celery_worker.Worker):
    """Celery worker that stops quickly, but waits longer for tasks that must run only once."""

    def set_process_status(self, info: str) -> None:
        """Do nothing, so that the forked process keeps its name."""

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
    """Configuration of a Celery worker, which is named after its first queue.

    When it stops, it returns its running tasks to their queues. It runs `concurrency` tasks at the
    same time: in threads, which share memory, if it is forked, otherwise in processes.
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
        """Run the worker in this process until it is stopped. Does not return."""
        os.nice(self.nice)
        app.conf.broker_transport_options["polling_interval"] = POLL_TIMEOUT
        options: dict[str, object] = {"without_gossip": True, "without_mingle": True, "quiet": True}
        worker = app.subclass_with_self(_StoppingWorker)(
            hostname=self.hostname,
            queues=list(self.queues),
            concurrency=self.concurrency,
            pool_cls=Threads,
            **options,
        )
        worker.start()
        logging.shutdown()
        # sys.exit would wait for the threads of tasks that have been returned to their queues.
        os._exit(worker.exitcode or 0)


def workers(fork: bool) -> list[Child]:
    """Return the Celery workers of a site, and the scheduler of periodic tasks.

    There is a worker for corridas and short tasks, one for long tasks, and one or more for game
    tables. The first one has two threads, so that it can play a corrida while a periodic task runs.
    The worker for long tasks has a lower priority.
    """
    thinking = min(MAX_BOT_PROCESSES, max(1, (os.cpu_count() or 2) // 2))
    live = Worker(name="worker", queues=("live", "celery"), concurrency=2, beat=not fork)
    long = Worker(name="worker of long runs", queues=("long",), nice=NICE)
    if not fork:
        tables = [Worker(name="tables' worker", queues=("tables",), concurrency=thinking)]
        return [worker.child(fork) for worker in (live, long, *tables)]
    tables = [  # one process each: bots' threads would not run in parallel
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
        """Do nothing, so that the forked process keeps its name."""


def run_clock() -> None:
    app.subclass_with_self(_Clock)(quiet=True).run()
