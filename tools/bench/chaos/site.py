"""The whole site as processes to kill: database, broker, proxy, workers, pages and feed."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import LiteralString

import psycopg

from tools.bench.chaos.network import Network
from tools.bench.chaos.parts import Database, Part, broker, serving, workers
from tools.bench.postgres import Postgres
from tools.bench.web_server import free_port, wait_for

BAD_GATEWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
BLOCK = 1 << 16
DATABASE = "temporada"


class Site(ABC):
    """A temporary site, whose `parts` may be killed. After an error, its logs are stored.

    As a context manager it prepares itself, and ends the processes that it has started. Visitors
    use the port `port`.
    """

    port: int
    parts: Sequence[Part]

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> Site:
        try:
            self.prepare()
        except BaseException as error:
            self.__exit__(error)
            raise
        return self

    def __exit__(self, *errors: object) -> None:
        self.stop()
        if any(errors) or os.environ.get("KEEP_LOGS"):
            kept = Path(os.environ.get("KEEP_LOGS") or "var/chaos")
            kept.mkdir(parents=True, exist_ok=True)
            for log in self.folder.glob("**/*.log"):
                shutil.copy(log, kept)
            print(f"The logs of the processes are in {kept}.", file=sys.stderr)

    @abstractmethod
    def prepare(self) -> None: ...

    @abstractmethod
    def serve(self) -> None: ...

    @abstractmethod
    def stop(self) -> None: ...

    @abstractmethod
    def count(self, query: LiteralString) -> int:
        """Return the number that a query selects, or -1 while the database is unreachable."""

    def faults(self) -> list[str]:
        """End the site and return its faults, except those in the rows of the database."""
        return []


class Apart(Site):
    """The site as separate services: PostgreSQL, Valkey, workers on two hosts, pages and feed."""

    def __init__(self, folder: Path, net: Network) -> None:
        super().__init__(folder)
        self._database = Postgres(folder / "postgres", host=net.address)
        self._queue, address = broker(net, folder / "valkey")
        pages, pages_port = serving("web", folder)
        feed, feed_port = serving("feed", folder)
        self._proxy = ReverseProxy(pages_port, feed_port)
        self.port = self._proxy.port
        self._served = [*workers(net, folder), pages, feed]
        self._server = Database(self._database)
        self.parts = [self._server, self._queue, *self._served]
        self._variables = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": self._database.url(DATABASE),
            "REDIS_URL": address,
            "DATA": str(folder / "data"),
        }

    def prepare(self) -> None:
        os.environ |= self._variables
        (self.folder / "data").mkdir()
        self._database.prepare()
        self._database.start()
        self._database.make(DATABASE)
        self._server.adopt()
        self._queue.start()

    def serve(self) -> None:
        for part in self._served:
            part.start()
        for port in self._proxy.behind:
            wait_for(port, within=60)
        self._proxy.start()

    def stop(self) -> None:
        for part in reversed(self.parts):
            part.stop()

    def count(self, query: LiteralString) -> int:
        with suppress(psycopg.Error):
            with psycopg.connect(self._database.url(DATABASE), connect_timeout=2) as line:
                row = line.execute(query).fetchone()
            return int(row[0]) if row else -1
        return -1


class ReverseProxy:
    """A proxy for two processes on one port. If a process is unreachable, it responds with 502."""

    def __init__(self, pages: int, feed: int) -> None:
        self.port, self.behind = free_port(), (pages, feed)

    def start(self) -> None:
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        wait_for(self.port)

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._answer, "127.0.0.1", self.port, backlog=1000)
        await server.serve_forever()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            pages, feed = self.behind
            port = feed if head.split(b" ", 2)[1].startswith(b"/live/") else pages
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
