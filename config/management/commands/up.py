"""Start the whole site: broker, database and rosters, workers, web; end it with Ctrl-C."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.environment import SettingError, unwritable_data_error
from config.processes import Child, ChildError, StopSignal, stop_together
from config.valkey import NoValkeyError, Valkey

log = logging.getLogger(__name__)

MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]
CELERY = [sys.executable, "-m", "celery", "--app", "config", "--quiet"]
WORKER = "--loglevel WARNING --without-gossip --without-mingle"
MAX_BOT_PROCESSES = 4
# Maximum number of processes for bots.
SITE: Final = "up"
# Name of this process among those of its site.
MAX_LOCK_BYTES: Final = 1024
# Bytes of the lock file, for any number of processes.
ORPHAN_TIMEOUT: Final = 20.0
# Seconds in which the processes of a killed site end.
SHM: Final = "/dev/shm"  # noqa: S108  TemporaryDirectory makes a folder of our own there
METRICS_FOLDER: Final = SHM if os.access(SHM, os.W_OK) else None
# Shared metrics of page processes. In memory, since a process writing them to a full disk is
# killed.
NICE = ["nice", "-n", "5"] if shutil.which("nice") else []


class Command(BaseCommand):
    """Starts broker, tables and rosters, workers, web. Stops web, workers, then the broker."""

    help = "Start the whole site on this machine. PORT and DATA choose port and data folder."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until stopped, or until a process cannot be kept running."""
        try:
            with StopSignal() as stop, ExitStack() as house:
                self._run(stop, house)
        except (NoValkeyError, ChildError, SettingError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(str(unwritable_data_error(settings.DATA_DIR, error))) from error

    def _run(self, stop: StopSignal, house: ExitStack) -> None:
        locked = house.enter_context(lock_data_folder(settings.DATA_DIR, stop))
        door = house.enter_context(bind(settings.HOST, settings.PORT))
        environment, broker = self._environment(house, locked)
        prepare = Child("preparation", [*MANAGE, "prepare"], files=[locked.fileno()])
        house.callback(prepare.stop)
        prepare.start(environment)
        write_lock(locked, [prepare], broker)
        if not stop.wait_until(lambda: ended_well(prepare), lambda: None):
            return
        at_work, servers = workers(), web_processes(door)
        children = [*at_work, *servers]
        house.callback(stop_together, at_work)
        house.callback(stop_together, servers)
        for child in children:
            child.files = [*child.files, locked.fileno()]
            child.start(environment)
        write_lock(locked, children, broker)

        def keep() -> None:
            revived = [child.revive(environment) for child in children]
            if broker is not None:
                revived.append(broker.revive())
            if any(revived):
                write_lock(locked, children, broker)

        self._stand(stop, children, keep)

    def _stand(self, stop: StopSignal, children: list[Child], keep: Callable[[], None]) -> None:
        """Start serving, and restart processes that end."""

        def check() -> None:
            for child in children:
                child.check()

        if stop.wait_until(lambda: is_listening(settings.HOST, settings.PORT), check):
            self.stdout.write(f"Temporada is at {site_address()} (Ctrl-C ends it)")
            if settings.LOCAL_CHAIR_REFUSED:
                self.stdout.write(f"Sign in to direct: {'; '.join(settings.LOCAL_CHAIR_REFUSED)}.")
            self.stdout.flush()
            stop.wait(keep)
        self.stdout.write("Closing the gates ...")

    def _environment(
        self, house: ExitStack, locked: IO[str]
    ) -> tuple[dict[str, str], Valkey | None]:
        """Return the processes' environment, and the broker if it is ours.

        The environment has the broker's address and whether local sign-in as director is
        allowed.
        """
        environment = dict(os.environ, DATA=str(settings.DATA_DIR))
        shared = tempfile.TemporaryDirectory(prefix="temporada-metrics-", dir=METRICS_FOLDER)
        environment["PROMETHEUS_MULTIPROC_DIR"] = house.enter_context(shared)
        if not settings.LOCAL_CHAIR_REFUSED:
            environment["TEMPORADA_LOCAL"] = "1"
        if environment.get("REDIS_URL", "").strip():
            return environment, None
        broker = Valkey(settings.DATA_DIR / "valkey", kept=True, files=[locked.fileno()])
        house.callback(broker.stop)
        broker.start()
        environment["REDIS_URL"] = broker.url
        return environment, broker


def worker(name: str, *queues: str, concurrency: int = 1, beat: bool = False) -> Child:
    """Return a worker for some queues. When stopped it returns its current task to the queue."""
    options = f"--queues {','.join(queues)} --concurrency {concurrency} --hostname {queues[0]}@%h"
    command = [*CELERY, "worker", *options.split(), *WORKER.split(), *(["--beat"] if beat else [])]
    return Child(name, command, signal.SIGQUIT, patience=15.0)


def workers() -> list[Child]:
    """Return a worker with the scheduler for corridas and sweeps, one for long tasks, one for
    tables.

    The first can play a corrida while a sweep runs. Long tasks have a lower priority if there
    are fewer cores than workers.
    """
    thinking = min(MAX_BOT_PROCESSES, max(1, (os.cpu_count() or 2) // 2))
    long = worker("worker of long runs", "long")
    long.command = [*NICE, *long.command]
    return [
        worker("worker", "live", "celery", concurrency=2, beat=True),
        long,
        worker("tables' worker", "tables", concurrency=thinking),
    ]


def web_processes(door: socket.socket) -> list[Child]:
    command, files = [*MANAGE, "web", "--fd", str(door.fileno())], [door.fileno()]
    names = ["web server", "second web server"][: min(settings.PAGE_PROCESSES, os.cpu_count() or 1)]
    return [Child(name, command, files=files) for name in names]


def ended_well(child: Child) -> bool:
    """Return True if a process with a single job has finished.

    Raises SystemExit if it failed. It has printed the reason.
    """
    assert child.process is not None
    if child.process.poll():
        raise SystemExit(1)
    return child.process.returncode == 0


def bind(host: str, port: int) -> socket.socket:
    """Bind the site's socket before anything is started. Raises SettingError if it is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host.strip("[]"), port))
    except OSError as error:
        door.close()
        raise SettingError(
            f"Port {port} of {host} cannot be had ({error.strerror}): "
            f"choose another, for instance PORT={port + 1 if port < 65535 else 8000}."
        ) from error
    return door


def lock_data_folder(data: Path, stop: StopSignal) -> IO[str]:
    """Lock the data folder while any process of this site is running.

    Waits for the processes of a killed site to end. Raises SettingError with their names if
    they do not, or if another site is running.
    """
    data.mkdir(parents=True, exist_ok=True)
    # Not to append: what is written down stands at its beginning.
    file = os.fdopen(os.open(data / "up.lock", os.O_RDWR | os.O_CREAT, 0o644), "r+")
    until = time.monotonic() + ORPHAN_TIMEOUT

    def check() -> None:
        running = still_running(file)
        if SITE in running.values() or time.monotonic() > until:
            named = ", ".join(f"{name} {pid}" for pid, name in running.items())
            raise SettingError(
                f"Another site runs in {data}{f' ({named})' if named else ''}: end it, or choose "
                "another folder with DATA=."
            )

    if not stop.wait_until(lambda: try_lock(file), check):
        raise SettingError("Told to stop before another site had ended.")
    write_lock(file, [], None)
    return file


def try_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def write_lock(file: IO[str], children: list[Child], broker: Valkey | None) -> None:
    pids = {os.getpid(): SITE}
    if broker is not None:
        pids[broker.pid] = "broker"
    pids |= {child.process.pid: child.name for child in children if child.process is not None}
    words = "".join(f"{pid} {name}\n" for pid, name in pids.items())
    # What is written over needs no space on a disk that has none.
    try:
        os.pwrite(file.fileno(), words.ljust(MAX_LOCK_BYTES, "\n").encode(), 0)
    except OSError as error:
        log.warning("Which processes run could not be written down: %s", error)


def still_running(file: IO[str]) -> dict[int, str]:
    file.seek(0)
    written = [line.split(" ", 1) for line in file.read().splitlines() if " " in line]
    return {int(pid): name for pid, name in written if pid.isdigit() and is_running(int(pid))}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def is_listening(host: str, port: int) -> bool:
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    try:
        with socket.create_connection((reachable.strip("[]"), port), timeout=1):
            return True
    except OSError:
        return False


def site_address() -> str:
    host = "localhost" if settings.HOST in {"127.0.0.1", "0.0.0.0"} else settings.HOST  # noqa: S104
    return f"http://{host}:{settings.PORT}/"
