"""The whole site as parts that can be killed: database, broker, two workers, pages, feed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from bench.chaos.front import Front
from bench.chaos.network import Network
from bench.chaos.parts import Database, Part, broker, serving, workers
from bench.postgres import Postgres
from bench.served import ROOT, wait_for

DATABASE = "temporada"
PATIENCE = 120.0  # seconds for whatever is done to the rows before and after


class Kept:
    """A site whose words are kept where something went wrong."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep_logs(self) -> None:
        """Copy what the processes said to where it stays."""
        kept = Path(os.environ.get("KEEP_LOGS") or "var/chaos")
        kept.mkdir(parents=True, exist_ok=True)
        for log in self._folder.glob("**/*.log"):
            shutil.copy(log, kept)
        print(f"What the processes said is in {kept}.", file=sys.stderr)


class Site(Kept):
    """Started when entered, gone when left; `parts` are what may be killed."""

    def __init__(self, net: Network, folder: Path) -> None:
        super().__init__(folder)
        self._database = Postgres(folder / "postgres", host=net.address)
        queue, address = broker(net, folder / "valkey")
        pages, pages_port = serving("web", folder)
        feed, feed_port = serving("feed", folder)
        self._ports = (pages_port, feed_port)
        self.front = Front(pages_port, feed_port)
        self._served = [*workers(net, folder), pages, feed]
        self._server, self._queue = Database(self._database), queue
        self._variables = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": self._database.url(DATABASE),
            "REDIS_URL": address,
            "DATA": str(folder / "data"),
        }

    @property
    def parts(self) -> list[Part]:
        """All services, those first that the others stand on."""
        return [self._server, self._queue, *self._served]

    def __enter__(self) -> "Site":
        os.environ |= self._variables
        try:
            self._database.prepare()
            self._database.start()
            self._database.make(DATABASE)
            self._server.adopt()
            self._queue.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def serve(self) -> None:
        """Start what serves, and wait until pages and feed answer."""
        for part in self._served:
            part.start()
        for port in self._ports:
            wait_for(port, within=60)
        self.front.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for part in reversed(self.parts):
            part.stop()
        if error is not None or os.environ.get("KEEP_LOGS"):
            self.keep_logs()

    def faults(self) -> list[str]:
        """What is wrong beside the rows: nothing is looked at."""
        return []

    def scene(self, what: str, corridas: int) -> dict[str, Any]:
        """Have something done to the rows; see `bench.chaos.scene`."""
        command = [sys.executable, "-m", "bench.chaos.scene", what, str(corridas)]
        done = subprocess.run(
            command, cwd=ROOT, check=True, timeout=PATIENCE, stdout=subprocess.PIPE
        )
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    def count(self, states: str) -> int:
        """Corridas in these states; -1 while the database is away."""
        import psycopg

        asked = f"SELECT count(*) FROM corridas_corrida WHERE state IN ({states})"  # noqa: S608
        try:
            with psycopg.connect(self._database.url(DATABASE), connect_timeout=2) as line:
                row = line.execute(asked).fetchone()
        except psycopg.Error:
            return -1
        return int(row[0]) if row else -1
