"""Run the WSGI application in threads, with buffers for whole requests and responses.

A thread never waits for a slow client. It hands its response to the event loop only when the
response is complete, unless a view requests that it be sent while it is written (`core.downloads`).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from functools import partial
from http import HTTPStatus
from os import SEEK_END
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import IO, Any, Final, NamedTuple, cast
from wsgiref.types import WSGIApplication, WSGIEnvironment

from a2wsgi.wsgi import build_environ
from django.conf import settings

from core.downloads import STREAMED
from core.limits.rate_limits import address_behind_proxies
from live.asgi_types import Receive, Scope, Send
from server.response_cache import Headers, ResponseCache, request_key, send_response

# Larger request and response bodies are written to a temporary file.
MAX_MEMORY_BYTES: Final = 64 * 1024
CHUNK: Final = 64 * 1024
# Number of request bodies of the maximum size for which the total space is sufficient.
MAX_LARGE_BODIES: Final = 4
TEXT_HEADERS: Final = [
    (b"content-type", b"text/plain; charset=utf-8"),
    (b"x-content-type-options", b"nosniff"),
]


Store = Callable[[Any, Headers, IO[bytes]], None]


class TooMuchError(Exception):
    """The request body exceeds the maximum size."""


class NoRoomError(Exception):
    """There is no space for another request body, because the bodies being received exceed
    the total limit.
    """


class DisconnectedError(Exception):
    """The client has disconnected before the request was complete."""


class FairQueue:
    """Limits the number of concurrent responses, fairly among clients.

    The client that has waited longest is next. So a client with many requests does not delay a
    client with a single request.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._last: dict[str, int] = {}  # by waiting address: turn of its last response
        self._turn = 0

    @asynccontextmanager
    async def wait_for_place(self, address: str) -> AsyncIterator[None]:
        if self._free:
            self._free -= 1
        else:
            await self._wait(address)
        try:
            yield
        finally:
            self._admit()

    async def _wait(self, address: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._admit()  # pass on the place that this request had got
            raise

    def _admit(self) -> None:
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


class Head(NamedTuple):
    """Status and headers of an HTTP response."""

    status: int
    headers: Headers


class Stream:
    """A response that is sent to the client while a thread writes it.

    The thread does not wait for the client: data that the client has not accepted yet stays in the
    file.
    """

    def __init__(self, file: IO[bytes], send: Send) -> None:
        self._file, self._send = file, send
        self._loop = asyncio.get_running_loop()
        self._lock = Lock()
        self._more, self._ended = asyncio.Event(), False
        self._sending: asyncio.Task[None] | None = None

    def start_response(self, head: Head) -> Callable[[bytes], None]:
        """Start the response and return the function that writes a part of its body.

        The writing thread calls this.
        """
        self._loop.call_soon_threadsafe(self._send_head, head)
        return self._write

    def _send_head(self, head: Head) -> None:
        self._sending = self._loop.create_task(self._send_all(head))

    def _write(self, chunk: bytes) -> None:
        with self._lock:
            self._file.seek(0, SEEK_END)
            self._file.write(chunk)
        self._loop.call_soon_threadsafe(self._more.set)

    async def finish(self) -> bool:
        """Wait until the whole response has been sent.

        Returns False if the thread has not begun to stream its response.
        """
        if self._sending is None:
            return False
        self._ended = True
        self._more.set()
        await self._sending
        return True

    def abort(self) -> None:
        """Close the connection before the response is complete, so that the client notices
        that data are missing.
        """
        if self._sending is not None:
            self._sending.cancel()

    async def _send_all(self, head: Head) -> None:
        await self._send({"type": "http.response.start", **head._asdict()})
        sent = 0
        while True:
            self._more.clear()
            ended = self._ended
            with self._lock:
                self._file.seek(sent)
                chunk = self._file.read(CHUNK)
            if chunk:
                sent += len(chunk)
                await self._send({"type": "http.response.body", "body": chunk, "more_body": True})
            elif ended:
                await self._send({"type": "http.response.body", "body": b""})
                return
            else:
                await self._more.wait()


class BufferedApplication:
    """ASGI application that runs a WSGI application behind buffers.

    The WSGI application runs in one of `threads` threads, after the whole request has arrived. The
    thread and the event loop exchange data only twice, for the request and for the response,
    because each exchange takes a tenth of the time of a small page.
    """

    def __init__(
        self, application: WSGIApplication, threads: int, cache: ResponseCache | None = None
    ) -> None:
        self._application = application
        self._cache = cache
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pages")
        self._queue = FairQueue(threads)
        self._room = MAX_LARGE_BODIES * settings.BODY_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.monotonic()
        key = request_key(scope) if self._cache is not None else None
        if self._cache is None or key is None:
            return await self._respond(scope, receive, send)
        stored = await self._cache.find_response(key)
        if stored is None:
            return await self._respond(scope, receive, send, partial(self._cache.store, key))
        return await send_response(scope, send, stored, began)

    async def _respond(
        self, scope: Scope, receive: Receive, send: Send, store: Store | None = None
    ) -> None:
        try:
            with SpooledTemporaryFile(MAX_MEMORY_BYTES) as answer:
                async with self._body(scope, receive) as body:
                    # a2wsgi has its own types for the same dictionaries and files.
                    environ: Any = build_environ(cast("Any", scope), cast("Any", body))
                    stream = Stream(answer, send)
                    try:
                        head = await self._run_application(scope, environ, answer, stream)
                    except BaseException:
                        stream.abort()
                        raise
                if await stream.finish():
                    return
                if store is not None and head.status == HTTPStatus.OK:
                    store(environ, head.headers, answer)
                await send_whole(send, head, answer)
        except TooMuchError:
            await refuse(send, 413, b"This is more than the site takes at once.")
        except NoRoomError:
            await refuse(send, 503, b"Too much is being sent at once: try again in a minute.")
        except DisconnectedError:
            return

    @asynccontextmanager
    async def _body(self, scope: Scope, receive: Receive) -> AsyncIterator[IO[bytes]]:
        """Yield a file that contains the whole request body.

        If the declared length is too large, the body is not read and the application rejects the
        request.
        """
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

    async def _run_application(
        self, scope: Scope, environ: Any, answer: IO[bytes], stream: Stream
    ) -> Head:
        context = copy_context()  # so that requests share no context variables
        async with self._queue.wait_for_place(client_address(scope)):
            return await asyncio.get_running_loop().run_in_executor(
                self._threads,
                lambda: context.run(respond, self._application, environ, answer, stream),
            )


def respond(
    application: WSGIApplication, environ: WSGIEnvironment, answer: IO[bytes], stream: Stream
) -> Head:
    """Run the WSGI application in this thread and write its response to `answer` or `stream`."""
    head: Head

    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: object = None
    ) -> Callable[[bytes], object]:
        nonlocal head
        encoded = [(name.encode("latin1"), value.encode("latin1")) for name, value in headers]
        head = Head(int(status.partition(" ")[0]), encoded)
        return answer.write

    chunks = application(environ, start_response)
    streamed = STREAMED in environ
    write: Callable[[bytes], object] = stream.start_response(head) if streamed else answer.write
    try:
        for chunk in chunks:  # `writelines` would keep all of them in memory
            write(chunk)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    if not streamed:
        answer.seek(0)
    return head


def client_address(scope: Scope) -> str:
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    client = scope.get("client")
    return address_behind_proxies(forwarded.decode("latin1"), client[0] if client else "")


def declared_bytes(scope: Scope) -> int:
    written: bytes = dict(scope["headers"]).get(b"content-length", b"0")
    return int(written) if written.isdigit() else 0


async def send_whole(send: Send, head: Head, body: IO[bytes]) -> None:
    await send({"type": "http.response.start", **head._asdict()})
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
