"""Responses that are sent while a thread is still generating them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from core.downloads import STREAMED
from live.asgi_types import Message
from server import buffering
from server.buffering import BufferedApplication
from tests.waiting import PATIENCE

SCOPE: Any = {
    "type": "http",
    "http_version": "1.1",
    "scheme": "http",
    "method": "GET",
    "path": "/table.csv",
    "raw_path": b"/table.csv",
    "query_string": b"",
    "headers": [(b"host", b"localhost")],
    "client": ("10.0.0.1", 1),
}


class StreamClient:
    """A client that reads data as long as it is `open`."""

    def __init__(self) -> None:
        self.taken: list[Message] = []
        self.open = asyncio.Event()
        self.open.set()

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.taken)

    async def receive(self) -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Message) -> None:
        await self.open.wait()
        self.taken.append(message)


def application(pieces: Callable[[], Iterator[bytes]]) -> BufferedApplication:
    def page(environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        environ[STREAMED] = True
        start_response("200 OK", [("Content-Type", "text/csv")])
        return pieces()

    return BufferedApplication(page, 1)


async def wait_until(true: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


def test_each_chunk_is_sent_before_the_next_is_generated() -> None:
    go_on = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b"first,"
        assert go_on.wait(PATIENCE)
        yield b"last"

    async def go() -> None:
        line = StreamClient()
        answer = asyncio.create_task(application(pieces)(SCOPE, line.receive, line.send))
        await wait_until(lambda: line.body == b"first,")
        assert line.taken[0]["status"] == 200
        go_on.set()
        await answer
        assert line.body == b"first,last"
        assert [message.get("more_body", False) for message in line.taken[1:]][-1] is False

    asyncio.run(go())


def test_no_thread_waits_for_a_slow_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only thread answers another client while this one reads nothing of a large response."""
    monkeypatch.setattr(buffering, "MAX_MEMORY_BYTES", 1024)
    large = [b"x" * 50_000] * 20

    async def go() -> None:
        served = application(lambda: iter(large))
        slow, quick = StreamClient(), StreamClient()
        slow.open.clear()
        answer = asyncio.create_task(served(SCOPE, slow.receive, slow.send))
        await asyncio.sleep(0)
        await asyncio.wait_for(served(SCOPE, quick.receive, quick.send), PATIENCE)
        assert quick.body == b"".join(large)
        assert slow.taken == []
        slow.open.set()
        await answer
        assert slow.body == b"".join(large)

    asyncio.run(go())


def test_streamed_response_that_fails_has_no_final_chunk() -> None:
    def pieces() -> Iterator[bytes]:
        yield b"first"
        raise ValueError("broken")

    async def go() -> None:
        line = StreamClient()
        with pytest.raises(ValueError, match="broken"):
            await application(pieces)(SCOPE, line.receive, line.send)
        await asyncio.sleep(0)
        assert all(message.get("more_body", True) for message in line.taken)

    asyncio.run(go())
