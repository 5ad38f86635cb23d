"""One connection of the feed inside the server: tasks, cancellation, and released memory."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from live import connections
from live.application import Feed
from live.asgi_types import Message, Scope
from live.broadcast_source import BroadcastSources
from tests.live.conftest import Broadcast, run
from tests.waiting import PATIENCE

LATER = 2 * PATIENCE  # seconds, longer than any test


class FeedConnection:
    """A connection without a network, which a test can close or block."""

    def __init__(self) -> None:
        self.sent = b""
        self.open = asyncio.Event()
        self.open.set()
        self.left = asyncio.Event()

    async def receive(self) -> Message:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        await self.open.wait()
        self.sent += message.get("body", b"")

    async def never(self) -> Message:
        raise AssertionError("The server calls back.")


def request_scope(**also: Any) -> Scope:
    headers = [(b"host", b"localhost"), (b"cookie", b"theme=dark")]
    address = {"path": "/live/test/a/", "query_string": b""}
    return {"type": "http", "method": "GET", "headers": headers, **address, **also}


@asynccontextmanager
async def watching(*lines: FeedConnection) -> AsyncIterator[tuple[Feed, list[asyncio.Task[None]]]]:
    """Run a feed with one card sent and another far in the future, for these connections."""
    channels = BroadcastSources()
    channels.register("test", {"a": Broadcast([1.0, time.time() + LATER])}.get)
    feed = Feed(channels)
    tasks = [asyncio.create_task(feed(request_scope(), line.receive, line.send)) for line in lines]
    await wait_until(
        lambda: all(b"card 1" in line.sent or not line.open.is_set() for line in lines)
    )
    yield feed, tasks
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def wait_until(true: Callable[[], Any]) -> None:
    while not true():
        await asyncio.sleep(0.01)


def test_reader_who_disconnects_is_released_without_errors() -> None:
    async def leave() -> None:
        line, other = FeedConnection(), FeedConnection()
        async with watching(line, other) as (feed, [task, others]):
            line.left.set()
            await task
            assert not task.cancelled()
            assert task.cancelling() == 0
            assert not others.done()
            assert [channel.watchers for channel in feed._open.values()] == [1]

    run(leave())


def test_cancellation_by_the_server_is_accepted() -> None:
    async def cancel() -> None:
        async with watching(FeedConnection()) as (feed, [task]):
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            assert not feed._open

    run(cancel())


def test_cut_stream_has_no_end_event_so_that_the_browser_reconnects() -> None:
    async def cut() -> None:
        line = FeedConnection()
        async with watching(line) as (feed, [task]):
            feed.cut()
            await task
            assert b"event: end" not in line.sent

    run(cut())


@pytest.mark.slow
def test_only_readers_who_take_no_data_are_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALL_TIMEOUT", 0.05)

    async def look() -> None:
        quiet, stopped = FeedConnection(), FeedConnection()
        stopped.open.clear()
        async with watching(quiet, stopped) as (_, [still, gone]):
            await gone
            await asyncio.sleep(0.2)
            assert not still.done()
            assert stopped.sent == b""

    run(look())


def test_stalled_reader_is_released_even_if_the_stream_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "STALL_TIMEOUT", 0.05)

    async def cut() -> None:
        stopped = FeedConnection()
        async with watching(stopped) as (feed, [task]):
            await wait_until(lambda: feed._watchers)
            stopped.open.clear()
            feed.cut()
            await task

    run(cut())


def test_stream_needs_no_extra_task_and_keeps_no_header() -> None:
    async def count() -> None:
        left: list[Callable[[], None]] = []
        scopes = [request_scope(on_disconnect=left.append) for _ in range(20)]
        channels = BroadcastSources()
        channels.register("test", {"a": Broadcast([1.0, time.time() + LATER])}.get)
        feed, line = Feed(channels), FeedConnection()
        serving = [asyncio.create_task(feed(s, line.never, line.send)) for s in scopes]
        await wait_until(lambda: line.sent.count(b"card 1") == len(scopes))
        before = len(asyncio.all_tasks()) - len(scopes)
        assert before < 8  # the channel's own, and this one
        assert not any("headers" in scope for scope in scopes)
        assert not any(task.done() for task in serving)
        for call_back in left:
            call_back()
        await asyncio.gather(*serving)
        assert not feed._open

    run(count())


def test_reader_who_left_before_the_stream_started_is_released() -> None:
    async def leave() -> None:
        channels = BroadcastSources()
        channels.register("test", {"a": Broadcast([1.0, time.time() + LATER])}.get)
        feed, line = Feed(channels), FeedConnection()
        await feed(
            request_scope(on_disconnect=lambda call_back: call_back()), line.never, line.send
        )
        assert not feed._open

    run(leave())
