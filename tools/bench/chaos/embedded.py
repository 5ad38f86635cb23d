"""The site as `manage.py up` runs it, on SQLite and the embedded broker, with processes to kill."""

import os
import signal
import sqlite3
from collections import Counter
from contextlib import suppress
from pathlib import Path
from time import time

from tools.bench.chaos.parts import PYTHON, Part
from tools.bench.chaos.site import Site
from tools.bench.chaos.visitors import Visitor
from tools.bench.processes import session
from tools.bench.web_server import free_port, wait_for

# Number of requests that one visitor may send in a minute (WRITES_A_MINUTE).
LIMIT = 240
# Factor by which the limit may be exceeded in a minute in which broker and pages are killed.
OVER = 1.5
# The processes of `up`, by their names in its lock file.
KINDS = (
    "broker",
    "clock",
    "tables' worker",
    "web server",
    "web server 2",
    "worker",
    "worker of long runs",
)


class NamedProcess(Part):
    """A process that `up` has started and starts again; found in the lock of the folder."""

    def pids(self) -> list[int]:
        with suppress(OSError):
            for line in self._log.read_text().splitlines():
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
        if self._process is not None:
            if self.alive():
                self._process.send_signal(signal.SIGINT)
            self._process.wait()

    def _end_session(self) -> None:
        """Do nothing, because the processes of its session end without help."""


class Embedded(Site):
    """`manage.py up` in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.data, self.port = folder / "data", free_port()
        command = [PYTHON, "manage.py", "up"]
        self._up = Up("up", command, folder / "up.log", PORT=str(self.port), REDIS_URL="")
        self._lock = self.data / "up.lock"
        self.parts = [self._up, *(NamedProcess(kind, (), self._lock) for kind in KINDS)]
        self.visitors: list[Visitor] = [ConnectionProbe(self.port)]

    def prepare(self) -> None:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATA": str(self.data),
            "REDIS_URL": f"unix://{self.folder}/nobody.sock",  # sweeps find what is queued
        }
        self.data.mkdir(exist_ok=True)

    def serve(self) -> None:
        self._up.start()
        wait_for(self.port, within=60)
        for visitor in self.visitors:
            visitor.start()

    def stop(self) -> None:
        for visitor in self.visitors:
            visitor.stop()
        self._up.stop()

    def faults(self) -> list[str]:
        """Return the faults seen by visitors, and processes that remain after the end."""
        self.stop()
        left = [f"{pid} was left behind: {words}" for pid, words in self._orphans().items()]
        return [*left, *(fault for visitor in self.visitors for fault in visitor.faults())]

    def _orphans(self) -> dict[int, str]:
        """Return the processes that still hold the lock of the data folder."""
        lock, orphans = self._lock.resolve(), {}
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if any(descriptor.readlink() == lock for descriptor in (entry / "fd").iterdir()):
                    words = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                    orphans[int(entry.name)] = words.decode().strip()
        return orphans

    def count(self, query: str) -> int:
        file = f"file:{self.data}/temporada.sqlite3?mode=ro"
        with suppress(sqlite3.Error), sqlite3.connect(file, uri=True, timeout=5) as line:
            return int(line.execute(query).fetchone()[0])
        return -1


class ConnectionProbe(Visitor):
    """A visitor who exceeds the rate limit with twenty requests per second."""

    def __init__(self, port: int) -> None:
        super().__init__(port, "127.0.0.1")
        self.passed: Counter[int] = Counter()

    def visit(self) -> None:
        minute = int(time()) // 60
        status, *_ = self.ask("POST", "/accounts/preferences/", b"language=es")
        self.passed[minute] += status != 429

    def failed(self, error: Exception) -> None:
        """Do nothing, because the pages are killed."""

    def faults(self) -> list[str]:
        """Return the minutes in which the rate limit was exceeded."""
        return [
            f"{passed} requests were accepted in a minute; the limit is {LIMIT}"
            for passed in self.passed.values()
            if passed > OVER * LIMIT
        ]
