"""The stream as a watcher sees it, over a real connection."""

import asyncio
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from live import channel, connection, doorbell, line, threads
from tests.live.conftest import Broadcast, Event, Server


def now(seconds: Coroutine[Any, Any, Any]) -> Any:
    # In a thread of its own: a browser test before it may have left a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _limited(seconds)).result()


async def _limited(seconds: Coroutine[Any, Any, Any]) -> Any:
    return await asyncio.wait_for(seconds, 20)


def numbers(events: list[Event]) -> list[str]:
    return [event.number for event in events if event.name == "card"]


def test_each_moment_arrives_once_in_order_and_never_early(server: Server) -> None:
    start = time.time() + 0.3
    moments = [start + 0.1 * n for n in range(8)]
    server.offer(a=Broadcast(moments))

    async def watch() -> list[Event]:
        async with server.watch("/live/test/a/") as stream:
            return await stream.events()

    events = now(watch())
    assert numbers(events) == [str(n) for n in range(1, 9)]
    assert [event.data for event in events[:2]] == ["<p>card 1</p>", "<p>card 2</p>"]
    assert all(event.at >= due for event, due in zip(events, moments, strict=False))
    assert events[-1].name == "end"


def test_the_answer_carries_what_browsers_and_proxies_need(server: Server) -> None:
    server.offer(a=Broadcast([1.0]))

    async def watch() -> tuple[dict[str, str], int]:
        async with server.watch("/live/test/a/") as stream:
            await stream.events()
            return stream.headers, stream.retry

    headers, retry = now(watch())
    assert headers["content-type"] == "text/event-stream; charset=utf-8"
    assert headers["cache-control"] == "no-cache"
    assert headers["x-accel-buffering"] == "no"
    assert "content-encoding" not in headers
    assert 500 <= retry <= 10_000


@pytest.mark.parametrize(
    ("address", "headers", "expected"),
    [
        ("/live/test/a/", {}, ["5"]),
        ("/live/test/a/?after=0", {}, ["1", "2", "3", "4", "5"]),
        ("/live/test/a/?after=3", {}, ["4", "5"]),
        ("/live/test/a/?after=1", {"Last_Event_ID": "4"}, ["5"]),
        ("/live/test/a/?after=5", {}, []),
        ("/live/test/a/?after=999", {}, []),
        ("/live/test/a/?after=-1", {}, ["5"]),
        ("/live/test/a/?after=five", {}, ["5"]),
        ("/live/test/a/", {"Last_Event_ID": "2"}, ["3", "4", "5"]),
    ],
)
def test_a_reader_goes_on_after_the_number_they_name(
    server: Server, address: str, headers: dict[str, str], expected: list[str]
) -> None:
    server.offer(a=Broadcast([1.0, 2.0, 3.0, 4.0, 5.0]))

    async def watch() -> list[Event]:
        async with server.watch(address, **headers) as stream:
            return await stream.events()

    assert numbers(now(watch())) == expected


def test_a_reader_who_was_away_misses_nothing(server: Server) -> None:
    start = time.time() + 0.2
    server.offer(a=Broadcast([start + 0.1 * n for n in range(12)]))

    async def watch() -> list[str]:
        async with server.watch("/live/test/a/?after=0") as stream:
            first = [await stream.event() for _ in range(3)]
        await asyncio.sleep(0.5)
        async with server.watch("/live/test/a/", Last_Event_ID=first[-1].number) as stream:
            return numbers(first + await stream.events())

    assert now(watch()) == [str(n) for n in range(1, 13)]


def test_a_moment_is_drawn_once_for_all_who_watch(server: Server) -> None:
    start = time.time() + 0.8
    broadcast = Broadcast([start + 0.1 * n for n in range(5)])
    server.offer(a=broadcast)

    async def one() -> list[str]:
        async with server.watch("/live/test/a/?after=0") as stream:
            return numbers(await stream.events())

    async def all_of_them() -> list[list[str]]:
        return await asyncio.gather(*(one() for _ in range(30)))

    assert now(all_of_them()) == [["1", "2", "3", "4", "5"]] * 30
    assert broadcast.drawn == [1, 2, 3, 4, 5]


def test_fragments_of_many_lines_arrive_whole(server: Server) -> None:
    server.offer(a=Broadcast([1.0], lines=3))

    async def watch() -> Event:
        async with server.watch("/live/test/a/") as stream:
            return await stream.event()

    assert now(watch()).data == "<p>card 1</p>\n<p>card 1</p>\n<p>card 1</p>"


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/live/test/nobody/", "GET", 404),
        ("/live/other/a/", "GET", 404),
        ("/live/test/a", "GET", 404),
        ("/live/test/a/b/", "GET", 404),
        ("/live/test/%0a/", "GET", 404),
        ("/live/test/a/", "POST", 405),
    ],
)
def test_what_is_not_there_is_refused(server: Server, path: str, method: str, status: int) -> None:
    server.offer(a=Broadcast([1.0]))

    async def ask() -> int:
        stream, writer = await server.request(path, method=method)
        writer.close()
        return stream.status

    assert now(ask()) == status


def test_a_queued_programme_begins_when_the_doorbell_rings(server: Server, valkey: str) -> None:
    broadcast = Broadcast([], ended=False)
    server.stop()
    server = Server()  # the line is made at the start, by then to the real Valkey
    server.offer(a=broadcast)
    server.start()

    async def watch() -> Event:
        async with server.watch("/live/test/a/") as stream:
            await asyncio.sleep(0.3)
            broadcast.moments.append(time.time() + 0.1)
            rung = time.time()
            await asyncio.to_thread(doorbell.ring, "test", "a")
            event = await stream.event()
            assert event.at - rung < 1.0 < channel.POLL
            return event

    try:
        assert now(watch()).number == "1"
    finally:
        server.stop()


def test_without_a_doorbell_the_clock_and_a_look_now_and_then_will_do(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "POLL", 0.2)
    broadcast = Broadcast([time.time() + 0.2], ended=False)
    server.offer(a=broadcast)

    async def watch() -> list[Event]:
        async with server.watch("/live/test/a/") as stream:
            first = await stream.event()
            broadcast.moments.append(time.time() + 0.1)
            broadcast.ended = True
            return [first, *await stream.events()]

    assert numbers(now(watch())) == ["1", "2"]


def test_ringing_without_redis_harms_nobody() -> None:
    doorbell.ring("test", "a")


def test_a_quiet_line_says_that_it_is_there(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "HEARTBEAT", 0.1)
    server.offer(a=Broadcast([time.time() + 0.55]))

    async def watch() -> tuple[list[Event], int]:
        async with server.watch("/live/test/a/") as stream:
            return await stream.events(), stream.comments

    events, comments = now(watch())
    assert numbers(events) == ["1"]
    assert comments >= 3


def test_a_reader_who_takes_nothing_is_let_go_and_the_others_go_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "STALLED", 0.3)
    start = time.time() + 0.2
    server.offer(a=Broadcast([start + 0.02 * n for n in range(60)], lines=20_000))

    async def both() -> tuple[list[str], int]:
        _stalled, writer = await server.request("/live/test/a/?after=0")
        async with server.watch("/live/test/a/?after=0") as stream:
            events = await stream.events()
        await asyncio.sleep(0.6)
        left = len(server.feed._open)
        writer.close()
        return numbers(events), left

    seen, left = now(both())
    assert seen == [str(n) for n in range(1, 61)]
    assert left == 0


def test_a_broadcast_that_nobody_watches_is_put_away(server: Server) -> None:
    server.offer(a=Broadcast([time.time() + 60]))

    async def look() -> int:
        async with server.watch("/live/test/a/") as stream:
            await stream.block()
            assert len(server.feed._open) == 1
        await asyncio.sleep(0.2)
        return len(server.feed._open)

    assert now(look()) == 0


def test_a_moment_that_cannot_be_drawn_cuts_the_line_loudly(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    class Torn(Broadcast):
        def render(self, number: int) -> bytes:
            raise LookupError(number)

    server.offer(a=Torn([time.time() + 0.2]))

    async def watch() -> str:
        async with server.watch("/live/test/a/") as stream:
            await stream.block()
            with pytest.raises(EOFError):
                await stream.block()
        return caplog.text

    assert "The broadcast test/a broke off" in now(watch())


@pytest.mark.django_db(transaction=True)
def test_a_broadcast_may_be_for_some_only(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    # Threads of its own: those of the other tests must not keep this test's connection.
    monkeypatch.setattr(threads, "_executor", ThreadPoolExecutor(1))
    ana = User.objects.create_user("ana")
    browser = Client()
    browser.force_login(ana)
    session = browser.cookies["sessionid"].value
    broadcast = Broadcast([1.0])
    server.channels.register(
        "private",
        {"a": broadcast}.get,
        may_watch=lambda key, visitor: visitor.is_authenticated and visitor.username == "ana",
    )

    async def ask(**headers: str) -> int:
        stream, writer = await server.request("/live/private/a/", **headers)
        writer.close()
        return stream.status

    assert now(ask(Cookie=f"theme=dark; sessionid={session}")) == 200
    assert now(ask(Cookie="sessionid=" + "x" * 32)) == 404
    assert now(ask()) == 404
