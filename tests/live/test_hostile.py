"""Clients that behave like no browser delay nobody, and the feed releases all their resources."""

from __future__ import annotations

import asyncio
import socket
import time
from hashlib import shake_256

import pytest

from server import connections
from server.connections import StreamProtocol
from tests.live.conftest import Broadcast, Event, Server, run
from tests.waiting import PATIENCE, wait_until

PATH = "/live/test/a/?after=0"
LARGE = 400_000  # bytes of a moment that cannot be compressed
GZIP = {"Accept_Encoding": "gzip"}


class Noise(Broadcast):
    """Moments of random data, which compression cannot shrink."""

    def render(self, number: int) -> bytes:
        return shake_256(b"%d" % number).hexdigest(LARGE // 2).encode()


def streams(server: Server) -> list[StreamProtocol]:
    everybody = server._server.server_state.connections
    return [one for one in everybody if isinstance(one, StreamProtocol)]


def nothing_is_left(server: Server) -> bool:
    held = (server.feed._open, server.feed._watchers._all, streams(server))
    return not any(held) and not connections._connections_by_address


def cards(events: list[Event]) -> list[str]:
    return [event.number for event in events if event.name == "card"]


async def all_events(server: Server) -> list[Event]:
    async with server.watch(PATH, **GZIP) as stream:
        return await stream.events()


@pytest.mark.parametrize("reset", [True, False], ids=["reset", "closed"])
def test_reader_who_leaves_in_the_middle_of_a_frame_is_released(
    server: Server, reset: bool
) -> None:
    server.offer(a=Noise([1.0 + n for n in range(20)], ended=False))

    async def leave() -> None:
        stream, writer = await server.request(PATH, **GZIP)
        assert len(await stream._reader.readexactly(LARGE // 4)) < LARGE / 2
        if reset:
            writer.transport.abort()
        else:
            writer.close()

    run(leave())
    wait_until(lambda: nothing_is_left(server))


@pytest.mark.slow
def test_very_slow_reader_costs_one_frame_and_is_disconnected(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SEND_SECONDS", 1.0)
    moments = 30
    server.offer(a=Noise([1.0 + n for n in range(moments)]))

    async def drip(reader: asyncio.StreamReader) -> None:
        while await reader.read(1):
            await asyncio.sleep(0.02)

    async def both() -> tuple[list[Event], int]:
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        reader, writer = await asyncio.open_connection(sock=slow, limit=1024)
        asked = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
        writer.write(asked.encode())
        dripping = asyncio.create_task(drip(reader))
        watching = asyncio.create_task(all_events(server))
        most = 0
        while not watching.done() or streams(server):
            held = [one._cycle.transport.get_write_buffer_size() for one in streams(server)]
            most = max(most, *held, 0)
            await asyncio.sleep(0.01)
        events = await watching
        dripping.cancel()
        writer.close()
        return events, most

    events, most = run(both())
    assert cards(events) == [str(n + 1) for n in range(moments)], "the other has them all"
    assert 0 < most < 2 * LARGE
    wait_until(lambda: nothing_is_left(server))


@pytest.mark.parametrize(
    "last",
    ["", "abc", "-1", "1e3", "9" * 18, "9" * 400, "\u0661", "\u00b2", "0x1", "1, 2"],
)
def test_any_last_event_id_gives_a_readable_stream(server: Server, last: str) -> None:
    server.offer(a=Broadcast([1.0, 2.0, 3.0]))

    async def watch() -> list[Event]:
        sent = last.encode().decode("latin-1")
        async with server.watch("/live/test/a/", Last_Event_ID=sent, **GZIP) as stream:
            return await stream.events()

    events = run(watch())
    assert events[-1].name == "end"
    assert cards(events) in ([], ["3"]), "what is there at last, or nothing new"


@pytest.mark.parametrize("more", [b"GET / HTTP/1.1\r\n\r\n", b"\x00nonsense\r\n\r\n", b"a" * 9999])
def test_data_sent_by_the_reader_of_a_stream_are_discarded(server: Server, more: bytes) -> None:
    broadcast = Broadcast([1.0, time.time() + 10 * PATIENCE])
    server.offer(a=broadcast)

    async def talk() -> list[Event]:
        stream, writer = await server.request(PATH, **GZIP)
        events = [await stream.event()]
        for _ in range(50):
            writer.write(more)
            await asyncio.sleep(0.001)
        broadcast.moments = [1.0, time.time()]  # only now, because the stream is over
        server.feed.ring("test", "a")
        events += await stream.events()
        writer.close()
        return events

    assert cards(run(talk())) == ["1", "2"]
    wait_until(lambda: nothing_is_left(server))


def test_pipelined_requests_do_not_disturb_a_stream(server: Server) -> None:
    server.offer(a=Broadcast([1.0, time.time() + 10 * PATIENCE]))

    async def crowd() -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        asked = f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        writer.write(asked * 20)
        read = await reader.readuntil(b"card 1")
        writer.close()
        return read

    assert run(crowd()).count(b"HTTP/1.1 200 OK") == 1
    wait_until(lambda: nothing_is_left(server))


def test_many_short_connections_leave_nothing_behind(server: Server) -> None:
    server.offer(a=Noise([1.0, 2.0, time.time() + 10 * PATIENCE]))

    async def come_and_go(number: int) -> None:
        _reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        last = f"Last-Event-ID: {number}\r\n"
        writer.write(f"GET {PATH} HTTP/1.1\r\nAccept-Encoding: gzip\r\n{last}\r\n".encode())
        await asyncio.sleep(0.001 * (number % 50))
        writer.transport.abort()

    async def all_of_them() -> list[str]:
        async with server.watch("/live/test/a/", **GZIP) as stream:
            first = await stream.event()
            await asyncio.gather(*(come_and_go(number) for number in range(200)))
            return [first.number]

    assert run(all_of_them()) == ["2"]
    wait_until(lambda: nothing_is_left(server))
