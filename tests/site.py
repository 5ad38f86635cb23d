"""The site as real processes, for tests that need it whole."""

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

PORTS = range(18_000, 28_000)
"""Below those that systems give to whoever asks for any port, so that nobody is given one of them
between its choice and the start of the server it was chosen for."""

KEY = "ZLto_oqe3bXscjedZwT7ek4fmCNN6RhvwEbbHvQ48bodtbZEEQBoCZSRihoEfcvFp14"
"""A SECRET_KEY that a site for others accepts."""

_claims: list[IO[str]] = []


def inherited() -> dict[str, str]:
    """What processes of a site see of the variables of the tests."""
    return {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG", "TMPDIR"}}


def prepare(data: Path) -> None:
    """Make a data folder ready, as the first start of a site does."""
    _manage("prepare", data)


def migrate(data: Path) -> None:
    """Bring the tables of a data folder up to date, and nothing else."""
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
    """A port for this process alone: no other test is given it before this process ends."""
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

    The folder is a copy of `prepared`, if that is given; `variables` are set besides.
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
        """The process that was started first, the parent of all."""
        assert self._process is not None
        return self._process.pid

    def environment(self) -> dict[str, str]:
        """What the site's processes see."""
        own = {"DATA": str(self.data), "PORT": str(self.port), "PYTHONUNBUFFERED": "1"}
        return inherited() | own | self._variables

    def start(self) -> None:
        """Start and wait until the front page answers."""
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
            with urlopen(self.url + "/", timeout=30):  # else it is asked again
                return True
        except HTTPError:
            return True  # it answers, if only to say what is wrong
        except OSError:
            return False

    def interrupt(self) -> int:
        """Press Ctrl-C and wait for the end; its exit status.

        Its parts are given some forty seconds to go in, one after another.
        """
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(PATIENCE)

    def stop(self) -> None:
        """End it politely; it ends its own children."""
        if self._process is not None and self._process.poll() is None:
            self.interrupt()
