"""The whole site as processes to kill: database, broker, proxy, workers, pages and feed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, LiteralString

from tools.bench.chaos.network import Network
from tools.bench.chaos.parts import Database, Part, broker, serving, workers
from tools.bench.postgres import Postgres
from tools.bench.web_server import ROOT, free_port, wait_for

BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
BLOCK = 1 << 16


class ReverseProxy:
    """A proxy for two processes on one port. If a process is unreachable, it responds with 502."""

    def __init__(self, pages: int, feed: int) -> None:
        self.port = free_port()
        self._pages, self._feed = pages, feed
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        ready = threading.Event()
        self._loop.call_soon(ready.set)
        self._server = self._loop.run_until_complete(
            asyncio.start_server(self._answer, "127.0.0.1", self.port, backlog=1000)
        )
        self._thread.start()
        ready.wait()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            port = self._feed if head.split(b" ", 2)[1].startswith(b"/live/") else self._pages
            try:
                behind, before = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                writer.write(BAD_GATEWAY)
            else:
                before.write(one_request(head))
                await asyncio.gather(_pour(reader, before), _pour(behind, writer))
        writer.close()


def one_request(head: bytes) -> bytes:
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(b"connection:")]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while block := await reader.read(BLOCK):
            writer.write(block)
            await writer.drain()
    with suppress(OSError):
        writer.close()


DATABASE = "temporada"
# Seconds within which a scene must be prepared, or its outcome checked.
PATIENCE = 600.0


class RunningSite:
    """A temporary site whose logs are stored if something went wrong."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep_logs(self) -> None:
        kept = Path(os.environ.get("KEEP_LOGS") or "var/chaos")
        kept.mkdir(parents=True, exist_ok=True)
        for log in self._folder.glob("**/*.log"):
            shutil.copy(log, kept)
        print(f"What the processes said is in {kept}.", file=sys.stderr)


class Site(RunningSite):
    """Context manager for the site. `parts` are the processes that may be killed."""

    def __init__(self, net: Network, folder: Path) -> None:
        super().__init__(folder)
        self._database = Postgres(folder / "postgres", host=net.address)
        queue, address = broker(net, folder / "valkey")
        pages, pages_port = serving("web", folder)
        feed, feed_port = serving("feed", folder)
        self._ports = (pages_port, feed_port)
        self.front = ReverseProxy(pages_port, feed_port)
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
        return [self._server, self._queue, *self._served]

    def __enter__(self) -> Site:
        os.environ |= self._variables
        (self._folder / "data").mkdir()
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
        """Return no errors: only the rows are checked, elsewhere."""
        return []

    def scene(self, what: str, corridas: int) -> dict[str, Any]:
        command = [sys.executable, "-m", "tools.bench.chaos.scene", what, str(corridas)]
        done = subprocess.run(
            command, cwd=ROOT, check=True, timeout=PATIENCE, stdout=subprocess.PIPE
        )
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    def count(self, query: LiteralString) -> int:
        """Return the number that a query selects, or -1 while the database is unreachable."""
        import psycopg

        try:
            with psycopg.connect(self._database.url(DATABASE), connect_timeout=2) as line:
                row = line.execute(query).fetchone()
        except psycopg.Error:
            return -1
        return int(row[0]) if row else -1
