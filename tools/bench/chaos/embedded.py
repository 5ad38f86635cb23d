"""The site as `manage.py up` runs it, on SQLite and the embedded broker, with processes to kill."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from tools.bench.chaos.parts import PYTHON, Part, session
from tools.bench.chaos.site import PATIENCE, RunningSite
from tools.bench.web_server import ROOT, free_port, wait_for

# Number of requests that one visitor may send in a minute (WRITES_A_MINUTE).
LIMIT: Final = 240
# Factor by which the limit may be exceeded in a minute in which broker and pages are killed.
OVER: Final = 1.5
KINDS: Final = {
    "up",
    "broker",
    "worker",
    "worker of long runs",
    "tables' worker",
    "clock",
    "web server",
    "web server 2",
}


class NamedProcess(Part):
    """A process that `up` has started and starts again; found in the lock of the folder."""

    def __init__(self, kind: str, lock: Path) -> None:
        super().__init__(kind, (), lock)
        self._lock = lock

    def pids(self) -> list[int]:
        with suppress(OSError):
            for line in self._lock.read_text().splitlines():
                pid, _blank, name = line.partition(" ")
                if name == self.kind:
                    return session(int(pid))
        return []

    def look(self) -> None:
        """Do nothing, because `up` restarts this process."""


class Up(Part):
    """The `up` process, restarted as an init system would.

    The processes that it had started end by themselves.
    """

    def pids(self) -> list[int]:
        return super().pids()[:1]

    def stop(self) -> None:
        if self._process is not None and self.alive():
            self._process.send_signal(signal.SIGINT)
        if self._process is not None:
            self._process.wait(PATIENCE)

    def _end_session(self) -> None:
        """Do nothing, because the processes of its session end without help."""


@dataclass
class Port:
    """Where visitors find the site."""

    port: int


class Embedded(RunningSite):
    """Context manager for the site. `parts` are the processes that may be killed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._data = folder / "data"
        self.front = Port(free_port())
        own = {"PORT": str(self.front.port), "REDIS_URL": ""}
        command = [PYTHON, "manage.py", "up"]
        self._up = Up("up", command, folder / "up.log", **own)
        self._named = [
            NamedProcess(kind, self._data / "up.lock") for kind in sorted(KINDS - {"up"})
        ]
        self._variables = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATA": str(self._data),
            "REDIS_URL": f"unix://{folder}/nobody.sock",  # sweeps find what is queued
        }
        self.knocking = ConnectionProbe(self.front.port)

    @property
    def parts(self) -> list[Part]:
        return [self._up, *self._named]

    def __enter__(self) -> "Embedded":
        os.environ |= self._variables
        self._data.mkdir()
        return self

    def serve(self) -> None:
        self._up.start()
        wait_for(self.front.port, within=60)
        self.knocking.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.knocking.stop()
        self._up.stop()
        if error is not None or os.environ.get("KEEP_LOGS"):
            self.keep_logs()

    def faults(self) -> list[str]:
        """Return errors found after the site has ended. Database rows are checked elsewhere."""
        self.knocking.stop()
        self._up.stop()
        left = [f"{pid} was left behind: {words}" for pid, words in self._orphans().items()]
        return [*left, *self.knocking.faults()]

    def _orphans(self) -> dict[int, str]:
        """Return the processes that still hold the lock of the data folder."""
        lock, orphans = (self._data / "up.lock").resolve(), {}
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if any(descriptor.readlink() == lock for descriptor in (entry / "fd").iterdir()):
                    words = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                    orphans[int(entry.name)] = words.decode().strip()
        return orphans

    def scene(self, what: str, corridas: int) -> dict[str, Any]:
        command = [sys.executable, "-m", "tools.bench.chaos.scene", what, str(corridas)]
        done = subprocess.run(
            command, cwd=ROOT, check=True, timeout=PATIENCE, stdout=subprocess.PIPE
        )
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    def count(self, query: str) -> int:
        """Return the number that a query selects, or -1 while the database is unreachable."""
        file = f"file:{self._data}/temporada.sqlite3?mode=ro"
        try:
            with sqlite3.connect(file, uri=True, timeout=5) as line:
                return int(line.execute(query).fetchone()[0])
        except sqlite3.Error:
            return -1


class ConnectionProbe:
    """A visitor who sends twenty requests a second, and counts the accepted ones per minute."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._knock, daemon=True)
        self.passed: Counter[int] = Counter()
        self.sent: Counter[int] = Counter()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(PATIENCE)

    def faults(self) -> list[str]:
        """Return the minutes in which the rate limit was exceeded."""
        return [
            f"{passed} of {self.sent[minute]} passed in a minute in which {LIMIT} may"
            for minute, passed in self.passed.items()
            if passed > OVER * LIMIT
        ]

    def _knock(self) -> None:
        while not self._over.wait(0.05):
            minute = int(time.time()) // 60
            with suppress(OSError, HTTPException):
                self.sent[minute] += 1
                self.passed[minute] += self._status() != 429

    def _status(self) -> int:
        line = HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            line.request("POST", "/accounts/preferences/", body=b"language=es")
            return line.getresponse().status
        finally:
            line.close()
