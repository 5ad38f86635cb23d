"""The stream as a watcher sees it, over a real connection."""

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


def test_each_moment_arrives_once_in_order_and_never_early(server: Server) -> None:
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


def test_the_answer_carries_what_browsers_and_proxies_need(server: Server) -> None:
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
def test_a_reader_goes_on_after_the_number_they_name(
    server: Server, address: str, headers: dict[str, str], expected: list[str]
) -> None:
    server.offer(a=Broadcast([1.0, 2.0, 3.0, 4.0, 5.0]))

    async def watch() -> list[Event]:
        async with server.watch(address, **headers) as stream:
            return await stream.events()

    assert numbers(run(watch())) == expected


def test_a_reader_who_was_away_misses_nothing(server: Server) -> None:
    start = time.time() + 0.2
    server.offer(a=Broadcast([start + 0.1 * n for n in range(12)]))

    async def watch() -> list[str]:
        async with server.watch("/live/test/a/?after=0") as stream:
            first = [await stream.event() for _ in range(3)]
        await asyncio.sleep(0.5)
        async with server.watch("/live/test/a/", Last_Event_ID=first[-1].number) as stream:
            return numbers(first + await stream.events())

    assert run(watch()) == [str(n) for n in range(1, 13)]


def test_a_moment_is_drawn_once_for_all_who_watch(server: Server) -> None:
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


def test_fragments_of_many_lines_arrive_whole(server: Server) -> None:
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
def test_what_is_not_there_is_refused(server: Server, path: str, method: str, status: int) -> None:
    server.offer(a=Broadcast([1.0]))

    async def ask() -> int:
        stream, writer = await server.request(path, method=method)
        writer.close()
        return stream.status

    assert run(ask()) == status


def test_a_queued_programme_begins_when_the_doorbell_rings(
    server: Server, valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        broadcasts, "TIMED_POLL_INTERVAL", 10 * PATIENCE
    )  # nothing but the bell will do
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


def test_without_a_doorbell_the_clock_and_a_look_now_and_then_will_do(
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


def test_ringing_without_redis_harms_nobody() -> None:
    pubsub.publish("test", "a")


def test_a_quiet_line_says_that_it_is_there(
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
def test_a_reader_who_takes_nothing_is_let_go_and_the_others_go_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "STALL_TIMEOUT", 10 * PATIENCE)  # the looks are taken here
    server.offer(a=Broadcast([1.0 + n for n in range(60)], lines=20_000))

    async def both() -> list[str]:
        _stalled, writer = await server.request("/live/test/a/?after=0")
        async with server.watch("/live/test/a/?after=0") as stream:
            events = [await stream.event() for _ in range(5)]
            await asyncio.to_thread(look_at_all, server)
            # More than any buffer holds on the way: who took so much has moved on.
            events += [await stream.event() for _ in range(50)]
            await asyncio.to_thread(look_at_all, server)
            events += await stream.events()
        while server.feed._open:
            await asyncio.to_thread(look_at_all, server)
        writer.close()
        return numbers(events)

    assert run(both()) == [str(n) for n in range(1, 61)]


def look_at_all(server: Server) -> None:
    """What the feed does now and then: whoever took nothing since the look before is let go."""
    for one in tuple(server.feed._watchers._all):
        assert one._task is not None
        looked, loop = threading.Event(), one._task.get_loop()
        loop.call_soon_threadsafe(one.drop_if_stalled)
        loop.call_soon_threadsafe(looked.set)
        looked.wait(PATIENCE)


def test_a_broadcast_that_nobody_watches_is_put_away(server: Server) -> None:
    server.offer(a=Broadcast([time.time() + 10 * PATIENCE]))

    async def look() -> None:
        async with server.watch("/live/test/a/") as stream:
            await stream.block()
            assert len(server.feed._open) == 1

    run(look())
    wait_until(lambda: not server.feed._open)


def test_a_moment_that_cannot_be_drawn_cuts_the_line_loudly(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcasts, "RENDER_AHEAD", 20 * PATIENCE)  # drawn long before it is due

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

    assert run(ask(Cookie=f"theme=dark; sessionid={session}")) == 200
    assert run(ask(Cookie="sessionid=" + "x" * 32)) == 404
    assert run(ask()) == 404


def test_a_notice_goes_to_everybody_once_and_takes_no_number(server: Server) -> None:
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
