"""Stalled clients, logs that are read in pages, and what is read from requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, MutableMapping
from typing import Any

import pytest

from live import broadcasts
from live.application import accepts_gzip, cookie_header
from live.broadcast_source import BroadcastSources, LogPage
from live.broadcasts import LogBroadcast, TimedBroadcast
from live.connections import Connection, Connections, TimedConnection
from live.sse import END_EVENT, data_event
from live.stats import process_stats
from tests.live.conftest import Broadcast, run


class Quiet(Connection):
    """A connection that sends only what the test passes to it."""

    def __init__(self, cursor: int) -> None:
        self.accepting = asyncio.Event()
        self.wake = asyncio.Event()
        super().__init__(cursor, self._accept)

    async def _accept(self, message: object) -> None:
        await self.accepting.wait()

    async def _send_response(self) -> None:
        while True:
            await self._write(b"x")
            self.accepting.clear()
            await self.wake.wait()
            self.wake.clear()

    def reach(self, number: int) -> None:
        self._cursor = number


async def _receive() -> dict[str, str]:
    await asyncio.sleep(60)
    return {"type": "http.disconnect"}


async def _pause() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_client_is_dropped_if_it_takes_nothing_between_two_checks() -> None:
    async def work() -> list[bool]:
        connection, among = Quiet(5), Connections()
        before = process_stats.clients
        task = asyncio.create_task(connection.watch(_receive, among))
        told = []

        async def check() -> None:
            await _pause()
            connection.drop_if_stalled()
            await _pause()
            told.append(task.done())

        await check()  # the first bytes wait
        connection.reach(6)
        await check()  # it has taken an event in between
        connection.accepting.set()
        for _ in range(3):
            await check()  # nothing has to be sent
        connection.wake.set()
        await check()  # the next bytes wait for the first time
        assert process_stats.clients == before + 1
        await check()
        assert process_stats.clients == before
        return told

    assert run(work()) == [False] * 6 + [True]


def test_clients_are_checked_again_after_all_have_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("live.connections.STALL_TIMEOUT", 0.01)

    async def work() -> None:
        among = Connections()
        for _ in range(2):
            task = asyncio.create_task(Quiet(1).watch(_receive, among))
            async with asyncio.timeout(5):
                await task
            await asyncio.sleep(0.03)

    run(work())


class Log:
    """A log of numbers; each page has at most three, of which only even ones are for the reader."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.read_after: list[int] = []

    def newest(self) -> int:
        return self.numbers[-1] if self.numbers else 0

    def page_after(self, number: int) -> LogPage:
        self.read_after.append(number)
        page = [each for each in self.numbers if each > number][:3]
        events = [(each, b"%d" % each) for each in page if each % 2 == 0]
        return LogPage(events, page[-1] if page else number)


def in_a_log(work: Callable[[LogBroadcast, Log], object], log: Log) -> None:
    async def within() -> None:
        sources = BroadcastSources()
        sources.register_log("log", lambda key: log)
        broadcast = LogBroadcast(sources, "log", "all", asyncio.Semaphore(1))
        assert await broadcast.open()
        try:
            made = work(broadcast, log)
            assert asyncio.iscoroutine(made)
            await made
        finally:
            broadcast.close()

    run(within())


def test_log_keeps_the_latest_events_and_reads_the_others_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Events before the broadcast was opened are not in memory."""
    monkeypatch.setattr(broadcasts, "MAX_RECENT_EVENTS", 2)
    log = Log()
    log.numbers = [1, 2]

    async def work(broadcast: LogBroadcast, log: Log) -> None:
        assert broadcast.due == 2
        log.numbers += [4, 6, 7, 8, 9]
        await broadcast.catch_up()
        assert broadcast.due == 9
        assert log.read_after == [2, 7], "page by page"
        log.read_after.clear()
        kept = data_event(6, b"6") + data_event(8, b"8")
        for cursor, frames in ((4, kept), (6, data_event(8, b"8")), (7, data_event(8, b"8"))):
            assert await broadcast.bytes_after(cursor) == (frames, 9)
        assert await broadcast.bytes_after(8) == (b"", 9)
        assert log.read_after == []
        assert await broadcast.bytes_after(0) == (data_event(2, b"2") + data_event(4, b"4"), 4)
        assert log.read_after == [0]

    in_a_log(work, log)


def test_log_reaches_numbers_that_are_not_for_its_readers() -> None:
    log = Log()

    async def work(broadcast: LogBroadcast, log: Log) -> None:
        waiting = broadcast.news()
        log.numbers = [1, 3, 5]
        await broadcast.catch_up()
        assert broadcast.due == 5
        assert waiting.done()
        assert waiting.result() is False, "no heartbeat"
        assert await broadcast.bytes_after(0) == (b"", 5)

    in_a_log(work, log)


def test_closed_broadcast_is_marked_even_if_it_was_never_opened() -> None:
    async def work() -> None:
        broadcast = LogBroadcast(BroadcastSources(), "log", "x", asyncio.Semaphore(1))
        assert not broadcast.closed
        broadcast.close()
        assert broadcast.closed

    run(work())


def test_only_the_header_for_encodings_allows_gzip() -> None:
    assert accepts_gzip([(b"accept", b"text/html"), (b"accept-encoding", b"br, gzip")])
    assert not accepts_gzip([(b"accept-encoding", b"br"), (b"accept", b"gzip")])
    assert not accepts_gzip([])


def test_cookies_of_several_headers_are_joined() -> None:
    headers = [(b"cookie", b"a=1"), (b"accept", b"x"), (b"cookie", b"b=2; c=3")]
    assert cookie_header(headers) == b"a=1; b=2; c=3"


def test_notice_is_sent_once_and_a_deleted_broadcast_goes_on() -> None:
    async def work() -> bytes:
        begun = time.time() - 1
        source = Broadcast([begun], ended=False)
        offered: list[Broadcast | None] = [source]
        sources, sent = BroadcastSources(), list[bytes]()
        sources.register("test", lambda key: offered[0])
        broadcast = TimedBroadcast(sources, "test", "one")
        assert await broadcast.open()

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message.get("body", b""))

        async def until(part: bytes) -> None:
            async with asyncio.timeout(5):
                while part not in b"".join(sent):
                    await asyncio.sleep(0.005)

        connection = TimedConnection(broadcast, None, send, packed=False)
        task = asyncio.create_task(connection.watch(_receive, Connections()))
        await until(b"id: 1\n")
        source.notice = "posted"
        broadcast.ring()
        await until(b"event: notice")
        offered[0] = None
        broadcast.ring()
        await asyncio.sleep(0.05)
        assert not broadcast.over
        offered[0] = Broadcast([begun, begun + 0.5], ended=True, notice="posted")
        broadcast.ring()
        async with asyncio.timeout(5):
            await task
        broadcast.close()
        return b"".join(sent)

    body = run(work())
    assert body.count(b"event: notice\ndata: posted\n\n") == 1
    assert [body.count(b"id: %d\n" % number) for number in (1, 2)] == [1, 1]
    assert body.endswith(END_EVENT)
