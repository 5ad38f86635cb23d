"""The site as real processes, for tests that need it whole."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Site:
    """`manage.py up` in a data folder on a free port.

    `variables` are set besides.
    """

    def __init__(self, data: Path, **variables: str) -> None:
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
        kept = {k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG", "TMPDIR"}}
        own = {"DATA": str(self.data), "PORT": str(self.port), "PYTHONUNBUFFERED": "1"}
        return kept | own | self._variables

    def start(self, within: float = 120.0) -> None:
        """Start and wait until the front page answers; `within` seconds."""
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
        self._wait_until_it_answers(within)

    def _wait_until_it_answers(self, within: float) -> None:
        assert self._process is not None
        until = time.monotonic() + within
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with urlopen(self.url + "/", timeout=5):
                    return
            except HTTPError:
                return  # it answers, if only to say what is wrong
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise AssertionError(f"The site did not start:\n{self.output.read_text()}")

    def interrupt(self, within: float = 60.0) -> int:
        """Press Ctrl-C and wait for the end, `within` seconds; its exit status.

        Its parts are given some forty seconds to go in, one after another.
        """
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(within)

    def stop(self) -> None:
        """End it politely; it ends its own children."""
        if self._process is not None and self._process.poll() is None:
            self.interrupt()
