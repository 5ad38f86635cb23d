"""Buffering of whole requests and responses, so that no thread waits for a slow client."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from django.conf import settings

from live.asgi_types import Message, Receive, Scope, Send

MAX_MEMORY_BYTES: Final = 64 * 1024
# Larger requests and responses go to a temporary file.
CHUNK: Final = 64 * 1024
MAX_LARGE_BODIES: Final = 4
# Number of the largest bodies in files at the same time.
TEXT_HEADERS: Final = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"x-content-type-options", b"nosniff"),
]


class TooMuchError(Exception):
    """A body exceeds the maximum size."""


class NoRoomError(Exception):
    """The bodies under way take up all the space."""


class DisconnectedError(Exception):
    """The client has disconnected."""


class FairQueue:
    """A limit on concurrent responses. The client that has waited longest is next.

    A client with many requests waits behind one with a single request.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._last: dict[str, int] = {}  # when each address that waits was let in, as a number
        self._turn = 0

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        if self._free:
            self._free -= 1
        else:
            await self._wait(address)
        try:
            yield
        finally:
            self._let_in()

    async def _wait(self, address: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._let_in()  # the place had been given already
            raise

    def _let_in(self) -> None:
        while self._waiting:
            address = min(self._waiting, key=lambda waiting: self._last.get(waiting, 0))
            turn = self._waiting[address].popleft()
            if self._waiting[address]:
                self._turn += 1
                self._last[address] = self._turn
            else:
                del self._waiting[address]
                self._last.pop(address, None)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class BufferedApplication:
    """An application (ASGI) behind a buffer for requests and responses.

    At most `places` requests are handled at the same time.
    """

    def __init__(self, application: Any, places: int) -> None:
        self._application = application
        self._queue = FairQueue(places)
        self._room = MAX_LARGE_BODIES * settings.BODY_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with self._body(scope, receive) as body:
                await self._answer(scope, body, send)
        except TooMuchError:
            await refuse(send, 413, b"This is more than the site takes at once.")
        except NoRoomError:
            await refuse(send, 503, b"Too much is being sent at once: try again in a minute.")
        except DisconnectedError:
            return

    @asynccontextmanager
    async def _body(self, scope: Scope, receive: Receive) -> AsyncIterator[IO[bytes]]:
        """Yield the whole body. A body declared too large is not read, and the page refuses it."""
        taken = 0
        with SpooledTemporaryFile(MAX_MEMORY_BYTES) as body:
            try:
                more = declared_bytes(scope) <= settings.BODY_BYTES
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise DisconnectedError
                    chunk, more = message.get("body", b""), message.get("more_body", False)
                    taken += len(chunk)
                    self._room -= len(chunk)
                    if taken > settings.BODY_BYTES:
                        raise TooMuchError
                    if self._room < 0 and taken > MAX_MEMORY_BYTES:
                        raise NoRoomError
                    body.write(chunk)
                body.seek(0)
                yield body
            finally:
                self._room += taken

    async def _answer(self, scope: Scope, body: IO[bytes], send: Send) -> None:
        with SpooledTemporaryFile(MAX_MEMORY_BYTES) as kept:
            head: list[Message] = []

            async def keep(message: Message) -> None:
                if message["type"] == "http.response.start":
                    head.append(message)
                else:
                    kept.write(message.get("body", b""))

            async with self._queue.place(client_address(scope)):
                await self._application(scope, receive_from(body), keep)
            kept.seek(0)
            await send_whole(send, head[0], kept)


def client_address(scope: Scope) -> str:
    if settings.PROXIES:
        forwarded = b",".join(
            value for name, value in scope["headers"] if name == b"x-forwarded-for"
        )
        parts = [part.strip() for part in forwarded.decode("latin1").split(",")]
        if len(parts) >= settings.PROXIES and parts[-settings.PROXIES]:
            return parts[-settings.PROXIES]
    client = scope.get("client")
    return client[0] if client else ""


def declared_bytes(scope: Scope) -> int:
    written: bytes = dict(scope["headers"]).get(b"content-length", b"0")
    return int(written) if written.isdigit() else 0


def receive_from(body: IO[bytes]) -> Receive:
    async def receive() -> Message:
        chunk = body.read(CHUNK)
        return {"type": "http.request", "body": chunk, "more_body": len(chunk) == CHUNK}

    return receive


async def send_whole(send: Send, head: Message, body: IO[bytes]) -> None:
    await send(head)
    more = True
    while more:
        chunk = body.read(CHUNK)
        more = len(chunk) == CHUNK
        await send({"type": "http.response.body", "body": chunk, "more_body": more})


async def refuse(send: Send, status: int, text: bytes) -> None:
    headers = [*TEXT_HEADERS, (b"content-length", b"%d" % len(text)), (b"connection", b"close")]
    if status == 503:
        headers.append((b"retry-after", b"60"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
