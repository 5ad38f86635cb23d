"""A server that runs only the live feed, and a client for its streams."""

import asyncio
import socket
import threading
import time
import zlib
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
import uvicorn

from live import threads
from live.application import Feed
from live.broadcast_source import BroadcastSources
from server.connections import TimeoutProtocol
from tests.waiting import PATIENCE, wait_until

Result = TypeVar("Result")


@pytest.fixture(autouse=True)
def _threads_of_their_own(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use separate threads, because those of the process may hold database connections of other
    tests.
    """
    with ThreadPoolExecutor(threads.THREADS) as executor:
        monkeypatch.setattr(threads, "_executor", executor)
        yield


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in an event loop and thread of its own.

    A browser test may have left an event loop running in this thread.
    """

    async def limited() -> Result:
        return await asyncio.wait_for(work, PATIENCE)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, limited()).result()


@dataclass
class Broadcast:
    """A broadcast with given times, which counts how often each moment is rendered."""

    moments: list[float]
    ended: bool = True
    lines: int = 1
    notice: str = ""
    drawn: list[int] = field(default_factory=list)

    def render(self, number: int) -> bytes:
        self.drawn.append(number)
        return b"\n".join([b"<p>card %d</p>" % number] * self.lines)


@dataclass
class Event:
    """An event as a browser receives it, and its arrival in seconds since the epoch."""

    at: float
    name: str = "message"
    number: str = ""
    data: str = ""


class Server:
    """The live feed on a port of its own."""

    def __init__(self) -> None:
        self.channels = BroadcastSources()
        self.feed = Feed(self.channels)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        config = uvicorn.Config(
            self.feed,
            interface="asgi3",
            http=TimeoutProtocol,
            ws="none",
            log_level="warning",
            lifespan="on",
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._door],))

    def start(self) -> None:
        self._thread.start()
        wait_until(lambda: self._server.started)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._door.close()

    def offer(self, kind: str = "test", **broadcasts: Broadcast | None) -> None:
        self.channels.register(kind, broadcasts.get)

    async def request(
        self, path: str, *, method: str = "GET", **headers: str
    ) -> "tuple[Stream, asyncio.StreamWriter]":
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        return Stream(await reader.readuntil(b"\r\n\r\n"), reader), writer

    @asynccontextmanager
    async def watch(self, path: str, **headers: str) -> "AsyncIterator[Stream]":
        stream, writer = await self.request(path, **headers)
        try:
            yield stream
        finally:
            writer.close()


class Stream:
    """A chunked response, read event by event. `sizes` are the bytes of its chunks on the wire."""

    def __init__(self, head: bytes, reader: asyncio.StreamReader) -> None:
        lines = head.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        pairs = [line.split(": ", 1) for line in lines[1:] if line]
        self.headers = {name.lower(): value for name, value in pairs}
        self._reader = reader
        self._text = ""
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS + 16)
        self.comments = 0
        self.heartbeats = 0
        self.retry = 0
        self.sizes: list[int] = []

    async def body(self) -> str:
        return (await self._reader.read(4096)).decode()

    async def _chunk(self) -> str:
        size = int(await self._reader.readline(), 16)
        chunk = (await self._reader.readexactly(size + 2))[:-2]
        self.sizes.append(size)
        if chunk and "content-encoding" in self.headers:
            return self._inflater.decompress(chunk).decode()
        return chunk.decode()

    async def block(self) -> str:
        while "\n\n" not in self._text:
            self._text += await self._chunk()
            if not self.sizes[-1]:
                raise EOFError
        block, self._text = self._text.split("\n\n", 1)
        return block

    async def event(self) -> Event:
        """Return the next event that is not a heartbeat."""
        while True:
            event = self._read(await self.block())
            if event.data and event.name != "heartbeat":
                return event

    def _read(self, block: str) -> Event:
        event = Event(at=time.time())
        data = []
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "":
                self.comments += 1
            elif name == "retry":
                self.retry = int(value)
            elif name == "id":
                event.number = value
            elif name == "event":
                event.name = value
            else:
                data.append(value)
        event.data = "\n".join(data)
        self.heartbeats += event.name == "heartbeat"
        return event

    async def events(self) -> list[Event]:
        """Return all events up to and including the end."""
        seen: list[Event] = []
        while not seen or seen[-1].name != "end":
            seen.append(await self.event())
        return seen


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    running.start()
    yield running
    running.stop()
