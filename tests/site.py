"""Runs the site as real processes, for tests of the whole site."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parent.parent

# Ports for test servers. They are below the range from which systems assign free ports, so no other
# program gets a port between its choice and the start of the server.
PORTS = range(18_000, 28_000)

# A SECRET_KEY that is strong enough for a public site.
KEY = "ZLto_oqe3bXscjedZwT7ek4fmCNN6RhvwEbbHvQ48bodtbZEEQBoCZSRihoEfcvFp14"

_claims: list[IO[str]] = []


def inherited() -> dict[str, str]:
    """Return the environment variables that processes of the site inherit from the tests."""
    return {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG", "TMPDIR"}}


def prepare(data: Path) -> None:
    """Prepare a data folder as the first start of a site does."""
    _manage("prepare", data)


def migrate(data: Path) -> None:
    """Run only the migrations of a data folder."""
    _manage("migrate", data)


def _manage(command: str, data: Path) -> None:
    subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=ROOT,
        env=inherited() | {"DATA": str(data)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


def free_port() -> int:
    """Return a port that no other test uses until this process ends."""
    folder = Path(tempfile.gettempdir()) / f"temporada-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    for port in PORTS:
        claim = (folder / str(port)).open("w")
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
        else:
            _claims.append(claim)
            return port
    raise OSError("No port is free.")


class Site:
    """`manage.py up` in a data folder on a free port.

    The folder is a copy of `prepared`, if given. `variables` are additional environment variables.
    """

    def __init__(self, data: Path, prepared: Path | None = None, **variables: str) -> None:
        if prepared:
            shutil.copytree(prepared, data)
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._variables = variables
        self._process: subprocess.Popen[str] | None = None
        self.output = data.parent / f"{data.name}.log"

    @property
    def pid(self) -> int:
        """Return the process id of the parent process."""
        assert self._process is not None
        return self._process.pid

    def environment(self) -> dict[str, str]:
        """Return the environment variables of the site's processes."""
        own = {"DATA": str(self.data), "PORT": str(self.port), "PYTHONUNBUFFERED": "1"}
        return inherited() | own | self._variables

    def start(self) -> None:
        """Start the site and wait until its front page answers."""
        with self.output.open("w") as output:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env=self.environment(),
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
        process = self._process
        try:
            wait_until(lambda: process.poll() is not None or self._answers())
            assert process.poll() is None
        except AssertionError:
            self.stop()
            raise AssertionError(f"The site did not start:\n{self.output.read_text()}") from None

    def _answers(self) -> bool:
        try:
            with urlopen(self.url + "/", timeout=30):  # on an error it is tried again
                return True
        except HTTPError:
            return True  # the site is running, even if it answers with an error
        except OSError:
            return False

    def interrupt(self) -> int:
        """Press Ctrl-C, wait for the end and return the exit status.

        The child processes get about forty seconds to end one after another.
        """
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(PATIENCE)

    def stop(self) -> None:
        """Stop the parent process with a signal; it ends its child processes."""
        if self._process is not None and self._process.poll() is None:
            self.interrupt()
