"""The processes of the site, each killed and started again as an init system would."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from fairness import Chance
from server.valkey import binary
from tools.bench.chaos.network import Network
from tools.bench.elsewhere import ROOT
from tools.bench.postgres import Postgres
from tools.bench.processes import family, session
from tools.bench.web_server import free_port

RESTARTED_AFTER = 0.5  # seconds
ASKED_EVERY, HUNG_AFTER = 5.0, 20.0  # seconds; of a database that runs and lets nobody in
PYTHON = sys.executable


class Part:
    """One service: a process and its children, in a session of their own."""

    def __init__(self, kind: str, command: Sequence[str], log: Path, **variables: str) -> None:
        self.kind = kind
        self._command, self._log, self._variables = command, log, variables
        self._process: subprocess.Popen[bytes] | None = None
        self._due: float | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=os.environ | self._variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._due = None

    def kill(self, chance: Chance) -> bool:
        """Kill one of its processes. Return whether any was running."""
        if pids := self.pids():
            with suppress(ProcessLookupError):
                os.kill(chance.pick(pids), signal.SIGKILL)
        return bool(pids)

    def look(self) -> None:
        """Start it again some time after it has ended."""
        if self.alive():
            return
        if self._due is None:
            self._end_session()
            self._due = time.monotonic() + RESTARTED_AFTER
        elif time.monotonic() >= self._due:
            self.start()

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def pids(self) -> list[int]:
        return session(self._process.pid) if self._process is not None and self.alive() else []

    def stop(self) -> None:
        if self._process is not None:
            self._end_session()
            self._process.wait()

    def _end_session(self) -> None:
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


class Database(Part):
    """PostgreSQL, of which the main process or a child process is killed. Then all of them restart.

    A server that has lost a child sometimes never ends its recovery. An administrator would restart
    it, and so does this class.
    """

    def __init__(self, server: Postgres) -> None:
        super().__init__("database", (), server.folder / "server.log")
        self._server = server
        self._asked = self._answered = time.monotonic()

    def look(self) -> None:
        """Restart PostgreSQL as any part, or end it if it has rejected connections for long."""
        super().look()
        now = time.monotonic()
        if not self.alive() or now - self._asked < ASKED_EVERY:
            return
        self._asked = now
        if self._server.answers():
            self._answered = now
        elif now - self._answered > HUNG_AFTER:
            print(
                f"PostgreSQL accepted no connection for {HUNG_AFTER:.0f} s: restarted.", flush=True
            )
            for pid in self.pids():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def start(self) -> None:
        """Start it without waiting: after a kill it first replays its log."""
        self._server.begin()
        self._process, self._due = self._server.process, None
        self._asked = self._answered = time.monotonic()

    def adopt(self) -> None:
        self._process = self._server.process

    def pids(self) -> list[int]:
        return sorted(family(self._server.process.pid)) if self.alive() else []

    def stop(self) -> None:
        """Stop PostgreSQL gracefully, so that its folder can be removed."""
        self._server.stop()


def broker(network: Network, folder: Path) -> tuple[Part, str]:
    """Return a Valkey server that all hosts reach, and its address. Its data survives a kill."""
    folder.mkdir(parents=True)
    port = free_port()
    # No other host is connected to this bridge, so Valkey needs no protection.
    options = f"--port {port} --bind {network.address} --protected-mode no --appendonly yes"
    words = [*options.split(), "--daemonize", "no", "--save", "", "--dir", str(folder)]
    part = Part("broker", [str(binary()), *words], folder / "valkey.log")
    return part, f"redis://{network.address}:{port}/0"


def workers(network: Network, logs: Path) -> list[Part]:
    """Return a worker on each host, and on one of them also a worker of long runs."""
    kinds = [("worker", "live,celery --beat", host) for host in network.hosts]
    kinds.append(("worker of long runs", "long", network.hosts[0]))
    return [
        Part(
            kind,
            [
                *host.enter,
                *f"{PYTHON} -m celery --app config --quiet worker --concurrency 2".split(),
                *["--without-gossip", "--without-mingle", "--hostname"],
                f"{queues[:4]}@{host.name}",
                *f"--queues {queues}".split(),
            ],
            logs / f"{queues[:4]}-{host.name}.log",
        )
        for kind, queues, host in kinds
    ]


def serving(kind: str, logs: Path) -> tuple[Part, int]:
    port = free_port()
    command = [PYTHON, "manage.py", kind, "--port", str(port)]
    return Part(kind, command, logs / f"{kind}.log"), port
