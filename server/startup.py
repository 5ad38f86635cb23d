"""First steps of `manage.py up`: lock the data folder, bind the port, start the broker.

This happens before Django's settings are read, because the settings contain the address of the
broker and are read only once per process. The site's processes are forked from the process that has
read them.
"""

from __future__ import annotations

import fcntl
import logging
import os
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from server.data_folder import FILE_MODE
from server.environment import (
    EarlySettings,
    Environment,
    SettingError,
    create_data_folder,
    unwritable_data_error,
)
from server.processes import Child, StopSignal
from server.valkey import NoValkeyError, Valkey

log = logging.getLogger(__name__)

# Name of the process of `manage.py up` in the lock file.
SITE: Final = "up"
# Size of the lock file in bytes, enough for any number of processes.
MAX_LOCK_BYTES: Final = 1024
# Seconds to wait for the processes of a site that was killed to end.
ORPHAN_TIMEOUT: Final = 20.0
SHM: Final = "/dev/shm"  # noqa: S108  TemporaryDirectory makes a folder of our own there
# Folder for the metrics that page processes share. It is in memory, because a process that writes
# to a memory-mapped file on a full disk is killed.
METRICS_FOLDER: Final = SHM if os.access(SHM, os.W_OK) else None


@dataclass(frozen=True)
class Startup:
    """A site that is starting: its lock file, its socket, and the embedded broker if there is one.

    With `fork`, its processes are forked from this one. Otherwise each is started by a command.
    """

    stop: StopSignal
    lock: IO[str]
    socket: socket.socket
    broker: Valkey | None
    fork: bool

    def write_lock(self, children: Sequence[Child]) -> None:
        """Write the ids and names of the running processes to the lock file."""
        pids = {os.getpid(): SITE}
        if self.broker is not None:
            pids[self.broker.pid] = "broker"
        pids |= {child.process.pid: child.name for child in children if child.process is not None}
        words = "".join(f"{pid} {name}\n" for pid, name in pids.items())
        # Overwriting the file in place needs no free disk space.
        try:
            os.pwrite(self.lock.fileno(), words.ljust(MAX_LOCK_BYTES, "\n").encode(), 0)
        except OSError as error:
            log.warning("Which processes run could not be written down: %s", error)


# The site that `manage.py up` starts in this process, or None before the start.
site: Startup | None = None


@contextmanager
def started() -> Iterator[Startup]:
    """Yield the site of this process, and set environment variables for the settings.

    Raises SettingError if the site cannot start.
    """
    early = EarlySettings.from_environment(Environment(os.environ))
    try:
        with StopSignal() as stop, ExitStack() as house:
            lock = house.enter_context(_lock_data_folder(early.data_dir, stop))
            bound = house.enter_context(bind(early.host, early.port))
            broker = _set_environment(house, early, lock)
            startup = Startup(stop, lock, bound, broker, early.fork)
            startup.write_lock([])
            yield startup
    except NoValkeyError as error:
        raise SettingError(str(error)) from error
    except OSError as error:
        raise unwritable_data_error(early.data_dir, error) from error


def _set_environment(house: ExitStack, early: EarlySettings, lock: IO[str]) -> Valkey | None:
    """Set environment variables for this process and its children.

    Returns the embedded broker, or None if REDIS_URL names another one.
    """
    os.environ["DATA"] = str(early.data_dir)
    shared = tempfile.TemporaryDirectory(prefix="temporada-metrics-", dir=METRICS_FOLDER)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = house.enter_context(shared)
    if not early.local_chair_refused:
        os.environ["TEMPORADA_LOCAL"] = "1"
    if os.environ.get("REDIS_URL", "").strip():
        return None
    broker = Valkey(early.data_dir / "valkey", kept=True, files=[lock.fileno()])
    house.callback(broker.stop)
    broker.start()
    os.environ["REDIS_URL"] = broker.url
    return broker


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the site's port, before any process is started.

    Raises SettingError if the port is in use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host.strip("[]"), port))
    except OSError as error:
        bound.close()
        raise SettingError(
            f"Port {port} of {host} cannot be had ({error.strerror}): "
            f"choose another, for instance PORT={port + 1 if port < 65535 else 8000}."
        ) from error
    return bound


def _lock_data_folder(data: Path, stop: StopSignal) -> IO[str]:
    """Lock the data folder as long as any process of this site is running.

    Waits for the processes of a killed site to end. Raises SettingError with their names if they do
    not end, or if another site is running.
    """
    create_data_folder(data)
    # Not in append mode, because `write_lock` writes at the beginning of the file.
    file = os.fdopen(os.open(data / "up.lock", os.O_RDWR | os.O_CREAT, FILE_MODE), "r+")
    until = time.monotonic() + ORPHAN_TIMEOUT

    def check() -> None:
        running = _still_running(file)
        if SITE in running.values() or time.monotonic() > until:
            named = ", ".join(f"{name} {pid}" for pid, name in running.items())
            raise SettingError(
                f"Another site runs in {data}{f' ({named})' if named else ''}: end it, or choose "
                "another folder with DATA=."
            )

    if not stop.wait_until(lambda: _try_lock(file), check):
        raise SettingError("Stopped while waiting for another site to end.")
    return file


def _try_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _still_running(file: IO[str]) -> dict[int, str]:
    file.seek(0)
    written = [line.split(" ", 1) for line in file.read().splitlines() if " " in line]
    return {int(pid): name for pid, name in written if pid.isdigit() and _is_running(int(pid))}


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
