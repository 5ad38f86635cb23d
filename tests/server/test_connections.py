"""Slow clients of the embedded server: which are waited for, which are disconnected, and which
are next.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
import uvicorn
from pytest_django import Settings

from live.asgi_types import Message, Receive, Scope, Send
from server import buffering, connections
from server.buffering import BufferedApplication, FairQueue, refuse
from server.connections import ConcurrencyLimit, TimeoutProtocol

PATIENCE = 10.0  # time limit in seconds
LARGE = b"x" * 8_000_000


def echo(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
    """Return the request body, or at `/large` more data than a connection can buffer."""
    body = environ["wsgi.input"].read()
    told = LARGE if environ["PATH_INFO"] == "/large" else body or b"nothing"
    start_response("200 OK", [("Content-Length", str(len(told)))])
    return [told]


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    """Run the application with the server's protocol on a local port."""
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        BufferedApplication(echo, 8),
        http=TimeoutProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[door]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield door.getsockname()[1]
    finally:
        server.should_exit = True
        await task


class ClientConnection:
    """A client connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def is_cut(self) -> bool:
        """Return whether the server closes the connection without a response."""
        async with asyncio.timeout(PATIENCE):
            try:
                return await self.reader.read() == b""
            except ConnectionError:
                return True

    async def answer(self) -> tuple[bytes, bytes]:
        """Return the status line and the body of the server's response."""
        async with asyncio.timeout(PATIENCE):
            head = await self.reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            return head.partition(b"\r\n")[0], await self.reader.readexactly(length)


@asynccontextmanager
async def line(port: int, sent: bytes = b"") -> AsyncIterator[ClientConnection]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    try:
        yield ClientConnection(reader, writer)
    finally:
        writer.transport.abort()


def request(path: str = "/", *headers: str, method: str = "GET") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
    return "\r\n".join(lines).encode()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time limits to a fraction of a second."""
    for name in ("HEADER_SECONDS", "BODY_SECONDS", "UNREAD_SECONDS", "SEND_SECONDS"):
        monkeypatch.setattr(connections, name, 0.2)


HALF_A_REQUEST = request()[:-2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"", b""),
        (HALF_A_REQUEST, b""),
        (HALF_A_REQUEST, b"X-Slow: a"),
        (b"G", b""),
        (request("/", "Content-Length: 1000"), b""),
        (request("/", "Content-Length: 1000"), b"a"),
        (request("/", "Transfer-Encoding: chunked"), b"1\r\na\r\n"),
    ],
    ids=["nothing", "no end", "slow", "a letter", "no body", "slow body", "slow chunks"],
)
def test_client_that_sends_no_complete_request_is_disconnected(first: bytes, then: bytes) -> None:
    async def go() -> None:
        async with serving() as port, line(port, first) as slow:
            cut = asyncio.create_task(slow.is_cut())
            while then and not cut.done() and not slow.writer.is_closing():
                slow.writer.write(then)
                await asyncio.sleep(0.05)
            assert await cut

    asyncio.run(go())


@pytest.mark.slow
def test_empty_lines_after_a_response_do_not_keep_a_connection() -> None:
    async def go() -> None:
        async with serving() as port, line(port, request()) as slow:
            assert (await slow.answer())[1] == b"nothing"
            cut = asyncio.create_task(slow.is_cut())
            while not cut.done() and not slow.writer.is_closing():
                slow.writer.write(b"\r\n")
                await asyncio.sleep(0.05)
            assert await cut

    asyncio.run(go())


def test_headers_without_an_end_are_limited_in_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 1000.0)

    async def go() -> None:
        async with serving() as port, line(port, HALF_A_REQUEST) as long:
            long.writer.write(b"X-Long: " + b"a" * (2 * connections.HEADER_BYTES))
            assert await long.is_cut()

    asyncio.run(go())


def test_request_that_is_not_http_gets_an_error_message() -> None:
    async def go() -> None:
        async with serving() as port, line(port, b"nonsense\r\n\r\n") as other:
            head = await other.reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400 ")
            assert b"X-Content-Type-Options: nosniff" in head
            assert await other.reader.read() == b"Invalid HTTP request received."

    asyncio.run(go())


@pytest.mark.slow
def test_slow_body_is_accepted_at_the_minimum_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BODY_RATE", 100.0)
    body = b"a" * 500

    async def go() -> None:
        async with serving() as port, line(port, request("/", "Content-Length: 500")) as steady:
            for start in range(0, 500, 50):  # ten times as long as nothing is waited for
                steady.writer.write(body[start : start + 50])
                await asyncio.sleep(0.1)
            assert (await steady.answer())[1] == body

    asyncio.run(go())


@pytest.mark.slow
def test_response_that_the_client_does_not_read_is_dropped() -> None:
    async def go() -> None:
        async with serving() as port, line(port, request("/large")) as idle:
            transport = idle.writer.transport
            transport.pause_reading()  # type: ignore[attr-defined]  # asyncio's own has it
            await asyncio.sleep(1)
            transport.resume_reading()  # type: ignore[attr-defined]
            async with asyncio.timeout(PATIENCE):
                try:
                    taken = len(await idle.reader.read())
                except ConnectionError:
                    taken = 0
            assert taken < len(LARGE)

    asyncio.run(go())


@pytest.mark.slow
def test_slow_client_that_reads_gets_the_whole_response() -> None:
    async def go() -> None:
        async with serving() as port, line(port, request("/large")) as slow:
            assert (await slow.answer())[1] == LARGE

    asyncio.run(go())


def test_pipelined_requests_are_answered_in_order() -> None:
    async def go() -> None:
        two = request("/", "Content-Length: 1") + b"a" + request("/", "Content-Length: 1") + b"b"
        async with serving() as port, line(port, two) as both:
            assert [(await both.answer())[1] for _time in range(2)] == [b"a", b"b"]

    asyncio.run(go())


@pytest.mark.slow
def test_number_of_connections_from_one_address_is_limited(settings: Settings) -> None:
    settings.CONNECTIONS_AN_ADDRESS = 2

    async def go() -> None:
        async with serving() as port, line(port) as first, line(port) as second:
            async with line(port, request()) as third:
                assert await third.is_cut()
            first.writer.close()
            assert await second.is_cut()  # it sent nothing in time
            async with line(port, request()) as fourth:
                assert (await fourth.answer())[1] == b"nothing"

    asyncio.run(go())


@pytest.mark.slow
def test_idle_connection_is_closed_to_admit_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 1000.0)
    monkeypatch.setattr(connections, "max_connections", lambda: 1)

    async def go() -> None:
        async with serving() as port, line(port) as idle:
            await asyncio.sleep(0.1)
            async with line(port, request()) as asking:
                assert (await asking.answer())[1] == b"nothing"
                assert await idle.is_cut()

    asyncio.run(go())


# Complete bodies and complete responses
def scope(**headers: str) -> Scope:
    told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "headers": told,
        "client": ("10.0.0.1", 1),
    }


async def send_body(
    application: Callable[..., Awaitable[None]], chunks: list[bytes], **headers: str
) -> tuple[int, bytes]:
    """Return status and body of the response to a chunked request body."""
    coming = [{"type": "http.request", "body": c, "more_body": True} for c in chunks]
    coming.append({"type": "http.request", "body": b"", "more_body": False})
    said: list[Message] = []

    async def receive() -> Message:
        return coming.pop(0)

    async def send(message: Message) -> None:
        said.append(message)

    await application(scope(**headers), receive, send)
    return said[0]["status"], b"".join(message["body"] for message in said[1:])


@pytest.mark.parametrize("size", [0, 1, 1000, 65_535, 65_536, 65_537, 300_000])
def test_bodies_and_responses_of_every_size_arrive_complete(size: int) -> None:
    body = bytes(number % 251 for number in range(size))
    chunks = [body[start : start + 7000] for start in range(0, size, 7000)]
    assert asyncio.run(send_body(BufferedApplication(echo, 1), chunks)) == (200, body or b"nothing")


def test_body_above_the_limit_is_rejected_without_content_length(settings: Settings) -> None:
    settings.BODY_BYTES = 100
    assert asyncio.run(send_body(BufferedApplication(echo, 1), [b"a" * 100])) == (200, b"a" * 100)
    assert asyncio.run(send_body(BufferedApplication(echo, 1), [b"a" * 60, b"a" * 41]))[0] == 413


def test_declared_too_large_body_is_left_to_the_page(settings: Settings) -> None:
    settings.BODY_BYTES = 100
    answer = asyncio.run(
        send_body(BufferedApplication(echo, 1), [b"a" * 101], content_length="101")
    )
    assert answer == (200, b"nothing"), "the page was asked, and read nothing"


def test_small_bodies_pass_while_large_ones_use_all_memory(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BODY_BYTES = 1000
    monkeypatch.setattr(buffering, "MAX_LARGE_BODIES", 2)
    monkeypatch.setattr(buffering, "MAX_MEMORY_BYTES", 100)
    first_two = asyncio.Event()

    async def go() -> None:
        application = BufferedApplication(echo, 1)

        async def slow(*args: object) -> Message:
            await first_two.wait()
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            pass

        def body() -> Receive:
            sent: list[Message] = [{"type": "http.request", "body": b"a" * 990, "more_body": True}]

            async def receive() -> Message:
                return sent.pop() if sent else await slow()

            return receive

        waiting = [asyncio.create_task(application(scope(), body(), send)) for _n in range(2)]
        await asyncio.sleep(0)
        assert (await send_body(application, [b"a" * 900]))[0] == 503
        assert (await send_body(application, [b"a" * 90]))[0] == 200
        first_two.set()
        await asyncio.gather(*waiting)
        assert (await send_body(application, [b"a" * 900]))[0] == 200

    asyncio.run(go())


def test_client_that_leaves_during_its_body_reaches_no_view() -> None:
    async def go() -> None:
        coming: list[Message] = [
            {"type": "http.request", "body": b"a", "more_body": True},
            {"type": "http.disconnect"},
        ]

        async def receive() -> Message:
            return coming.pop(0)

        def never(*args: object) -> list[bytes]:
            raise AssertionError("nobody is there")

        async def unheard(message: Message) -> None:
            never(message)

        await BufferedApplication(never, 1)(scope(), receive, unheard)

    asyncio.run(go())


class Chunks:
    """A streamed response that can fail in the middle."""

    def __init__(self, *chunks: bytes, breaks: bool = False) -> None:
        self._chunks, self._breaks, self.closed_in = chunks, breaks, ""

    def __iter__(self) -> Iterator[bytes]:
        yield from self._chunks
        if self._breaks:
            raise ValueError("no more")

    def close(self) -> None:
        self.closed_in = threading.current_thread().name


def test_streamed_response_is_sent_complete_and_closed_in_its_thread() -> None:
    chunks = Chunks(b"a" * 70_000, b"b" * 70_000)

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Chunks:
        start_response("201 Created", [])
        return chunks

    answer = asyncio.run(send_body(BufferedApplication(application, 1), []))
    assert answer == (201, b"a" * 70_000 + b"b" * 70_000)
    assert chunks.closed_in.startswith("pages")


def test_response_that_fails_in_the_middle_is_not_started() -> None:
    chunks = Chunks(b"half", breaks=True)

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Chunks:
        start_response("200 OK", [])
        return chunks

    with pytest.raises(ValueError, match="no more"):
        asyncio.run(send_body(BufferedApplication(application, 1), []))
    assert chunks.closed_in


def test_context_of_a_request_is_not_left_in_its_thread() -> None:
    of_request: ContextVar[bytes] = ContextVar("of_request", default=b"")

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        before = of_request.get()
        of_request.set(environ["wsgi.input"].read())
        start_response("200 OK", [])
        return [before]

    pages = BufferedApplication(application, 1)

    async def go() -> list[tuple[int, bytes]]:
        return [await send_body(pages, [b"mine"]) for _time in range(2)]

    assert asyncio.run(go()) == [(200, b"")] * 2


# The order of waiting requests
def test_client_with_many_requests_waits_behind_one_with_a_single_request() -> None:
    order: list[str] = []

    async def go() -> None:
        queue = FairQueue(1)

        async def ask(address: str) -> None:
            async with queue.wait_for_place(address):
                order.append(address)
                await asyncio.sleep(0)

        many = [asyncio.create_task(ask("many")) for _time in range(4)]
        await asyncio.sleep(0)
        others = [asyncio.create_task(ask(name)) for name in ("ana", "eva")]
        await asyncio.gather(*many, *others)
        async with queue.wait_for_place("last"):
            order.append("last")

    asyncio.run(go())
    assert order == ["many", "many", "ana", "eva", "many", "many", "last"]


@pytest.mark.parametrize("at_once", [1, 3])
def test_cancelled_request_frees_its_place_in_the_queue(at_once: int) -> None:
    async def go() -> int:
        queue, most, inside = FairQueue(at_once), 0, 0

        async def ask(number: int) -> None:
            nonlocal most, inside
            async with queue.wait_for_place(f"address {number % 5}"):
                inside += 1
                most = max(most, inside)
                try:
                    await asyncio.sleep(0.001)
                finally:
                    inside -= 1

        tasks = [asyncio.create_task(ask(number)) for number in range(60)]
        await asyncio.sleep(0.002)
        for task in tasks[::3]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(ask(number) for number in range(20)))
        return most

    assert asyncio.run(go()) == at_once


def test_requests_behind_a_proxy_are_counted_by_client_address(settings: Settings) -> None:
    settings.PROXIES, settings.CONNECTIONS_AN_ADDRESS = 1, 1

    async def go() -> None:
        leave = asyncio.Event()

        async def waits(scope: Scope, receive: Receive, send: Send) -> None:
            if dict(scope["headers"]).get(b"x-stay"):
                await leave.wait()
            await refuse(send, 200, b"")

        application = ConcurrencyLimit(waits)
        ana = {"x_forwarded_for": "6.6.6.6, 1.1.1.1"}
        staying = asyncio.create_task(send_body(application, [], x_stay="1", **ana))
        await asyncio.sleep(0)
        assert (await send_body(application, [], x_forwarded_for="2.2.2.2, 1.1.1.1"))[0] == 429
        assert (await send_body(application, [], x_forwarded_for="1.1.1.1, 2.2.2.2"))[0] == 200
        leave.set()
        assert (await staying)[0] == 200
        assert (await send_body(application, [], **ana))[0] == 200

    asyncio.run(go())
