"""The live feed of a broadcast as a client reads it over a real connection."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from accounts.models import User
from live import broadcasts, connections, pubsub, threads
from tests.live.conftest import Broadcast, Event, Server, run
from tests.waiting import PATIENCE, wait_until


def numbers(events: list[Event]) -> list[str]:
    return [event.number for event in events if event.name == "card"]


@pytest.mark.slow
def test_moments_arrive_once_in_order_and_never_early(server: Server) -> None:
    start = time.time() + 0.3
    moments = [start + 0.1 * n for n in range(8)]
    server.offer(a=Broadcast(moments))

    async def watch() -> list[Event]:
        async with server.watch("/live/test/a/?after=0") as stream:
            return await stream.events()

    events = run(watch())
    assert numbers(events) == [str(n) for n in range(1, 9)]
    assert [event.data for event in events[:2]] == ["<p>card 1</p>", "<p>card 2</p>"]
    assert all(event.at >= due for event, due in zip(events, moments, strict=False))
    assert events[-1].name == "end"


def test_response_headers_suit_browsers_and_proxies(server: Server) -> None:
    server.offer(a=Broadcast([1.0]))

    async def watch() -> tuple[dict[str, str], int]:
        async with server.watch("/live/test/a/") as stream:
            await stream.events()
            return stream.headers, stream.retry

    headers, retry = run(watch())
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
def test_reader_continues_after_the_number_in_the_request(
    server: Server, address: str, headers: dict[str, str], expected: list[str]
) -> None:
    server.offer(a=Broadcast([1.0, 2.0, 3.0, 4.0, 5.0]))

    async def watch() -> list[Event]:
        async with server.watch(address, **headers) as stream:
            return await stream.events()

    assert numbers(run(watch())) == expected


@pytest.mark.slow
def test_reader_who_reconnects_misses_nothing(server: Server) -> None:
    start = time.time() + 0.2
    server.offer(a=Broadcast([start + 0.1 * n for n in range(12)]))

    async def watch() -> list[str]:
        async with server.watch("/live/test/a/?after=0") as stream:
            first = [await stream.event() for _ in range(3)]
        await asyncio.sleep(0.5)
        async with server.watch("/live/test/a/", Last_Event_ID=first[-1].number) as stream:
            return numbers(first + await stream.events())

    assert run(watch()) == [str(n) for n in range(1, 13)]


@pytest.mark.slow
def test_moment_is_rendered_once_for_all_readers(server: Server) -> None:
    start = time.time() + 0.8
    broadcast = Broadcast([start + 0.1 * n for n in range(5)])
    server.offer(a=broadcast)

    async def one() -> list[str]:
        async with server.watch("/live/test/a/?after=0") as stream:
            return numbers(await stream.events())

    async def all_of_them() -> list[list[str]]:
        return await asyncio.gather(*(one() for _ in range(30)))

    assert run(all_of_them()) == [["1", "2", "3", "4", "5"]] * 30
    assert broadcast.drawn == [1, 2, 3, 4, 5]


def test_fragment_of_many_lines_arrives_complete(server: Server) -> None:
    server.offer(a=Broadcast([1.0], lines=3))

    async def watch() -> Event:
        async with server.watch("/live/test/a/") as stream:
            return await stream.event()

    assert run(watch()).data == "<p>card 1</p>\n<p>card 1</p>\n<p>card 1</p>"


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
def test_unknown_broadcast_or_method_is_rejected(
    server: Server, path: str, method: str, status: int
) -> None:
    server.offer(a=Broadcast([1.0]))

    async def ask() -> int:
        stream, writer = await server.request(path, method=method)
        writer.close()
        return stream.status

    assert run(ask()) == status


@pytest.mark.slow
def test_queued_broadcast_starts_when_redis_publishes_a_message(
    server: Server, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        broadcasts, "TIMED_POLL_INTERVAL", 10 * PATIENCE
    )  # only the Redis message helps
    broadcast = Broadcast([], ended=False)
    server.stop()
    server = Server()  # the line is made at the start, by then to the real Valkey
    server.offer(a=broadcast)
    server.start()

    async def watch() -> Event:
        async with server.watch("/live/test/a/") as stream:
            broadcast.moments.append(time.time() + 0.1)
            coming = asyncio.create_task(stream.event())
            while not coming.done():  # the feed may not have begun to listen
                await asyncio.to_thread(pubsub.publish, "test", "a")
                await asyncio.wait([coming], timeout=0.1)
            return await coming

    try:
        assert run(watch()).number == "1"
    finally:
        server.stop()


@pytest.mark.slow
def test_broadcast_without_redis_messages_is_found_by_polling(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcasts, "TIMED_POLL_INTERVAL", 0.2)
    broadcast = Broadcast([time.time() + 0.2], ended=False)
    server.offer(a=broadcast)

    async def watch() -> list[Event]:
        async with server.watch("/live/test/a/") as stream:
            first = await stream.event()
            broadcast.moments.append(time.time() + 0.1)
            broadcast.ended = True
            return [first, *await stream.events()]

    assert numbers(run(watch())) == ["1", "2"]


def test_publishing_without_redis_raises_no_error() -> None:
    pubsub.publish("test", "a")


def test_stream_without_events_sends_heartbeats(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcasts, "HEARTBEAT_INTERVAL", 0.02)
    monkeypatch.setattr(broadcasts, "TIMED_POLL_INTERVAL", 0.02)
    broadcast = Broadcast([], ended=False)
    server.offer(a=broadcast)

    async def watch() -> list[Event]:
        async with server.watch("/live/test/a/") as stream:
            heartbeats = 0
            while heartbeats < 3:
                heartbeats += (await stream.block()) == "event: heartbeat\ndata: still here"
            broadcast.moments.append(time.time())
            broadcast.ended = True
            return await stream.events()

    assert numbers(run(watch())) == ["1"]


@pytest.mark.slow
def test_reader_who_takes_no_data_is_disconnected_and_others_continue(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        connections, "STALL_TIMEOUT", 10 * PATIENCE
    )  # the test does the checks itself
    server.offer(a=Broadcast([1.0 + n for n in range(60)], lines=20_000))

    async def both() -> list[str]:
        _stalled, writer = await server.request("/live/test/a/?after=0")
        async with server.watch("/live/test/a/?after=0") as stream:
            events = [await stream.event() for _ in range(5)]
            await asyncio.to_thread(look_at_all, server)
            # This is more than all buffers on the way can hold, so the reader has taken data.
            events += [await stream.event() for _ in range(50)]
            await asyncio.to_thread(look_at_all, server)
            events += await stream.events()
        while server.feed._open:
            await asyncio.to_thread(look_at_all, server)
        writer.close()
        return numbers(events)

    assert run(both()) == [str(n) for n in range(1, 61)]


def look_at_all(server: Server) -> None:
    """Do the regular check that disconnects readers who took no data since the previous check."""
    for one in tuple(server.feed._watchers._all):
        assert one._task is not None
        looked, loop = threading.Event(), one._task.get_loop()
        loop.call_soon_threadsafe(one.drop_if_stalled)
        loop.call_soon_threadsafe(looked.set)
        looked.wait(PATIENCE)


def test_broadcast_without_readers_is_released(server: Server) -> None:
    server.offer(a=Broadcast([time.time() + 10 * PATIENCE]))

    async def look() -> None:
        async with server.watch("/live/test/a/") as stream:
            await stream.block()
            assert len(server.feed._open) == 1

    run(look())
    wait_until(lambda: not server.feed._open)


def test_moment_that_cannot_be_rendered_ends_the_streams_with_an_error(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcasts, "RENDER_AHEAD", 20 * PATIENCE)  # rendered long before it is due

    class Torn(Broadcast):
        def render(self, number: int) -> bytes:
            raise LookupError(number)

    server.offer(a=Torn([time.time() + 10 * PATIENCE]))

    async def watch() -> str:
        async with server.watch("/live/test/a/") as stream:
            await stream.block()
            with pytest.raises(EOFError):
                await stream.block()
        return caplog.text

    assert "The broadcast test/a broke off" in run(watch())


@pytest.mark.django_db(transaction=True)
def test_broadcast_may_be_restricted_to_some_users(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Separate threads, because those of other tests must not keep this test's database connection.
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

    assert run(ask(Cookie=f"theme=dark; sessionid={session}")) == 200
    assert run(ask(Cookie="sessionid=" + "x" * 32)) == 404
    assert run(ask()) == 404


@pytest.mark.slow
def test_notice_reaches_every_reader_once_and_has_no_number(server: Server) -> None:
    start = time.time()
    broadcast = Broadcast([start - 1, start + 1.2, start + 1.4])
    server.offer(a=broadcast)

    async def watch() -> list[Event]:
        async with server.watch("/live/test/a/?after=0") as stream:
            first = await stream.event()
            broadcast.notice = "posted"
            server.feed.ring("test", "a")
            return [first, *await stream.events()]

    events = run(watch())
    assert [(event.name, event.number) for event in events[:2]] == [("card", "1"), ("notice", "")]
    assert events[1].data == "posted"
    assert numbers(events) == ["1", "2", "3"]
    assert [event.name for event in events].count("notice") == 1
