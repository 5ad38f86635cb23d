"""The stream of an event log, which has no end, as a client reads it over a real connection."""

import asyncio
from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live import broadcasts, connections, pubsub
from live.broadcast_source import BroadcastSources, LogPage
from live.broadcasts import LogBroadcast
from tests.live.conftest import Event, Server, Stream, run

PAGE = 3


class HandwrittenLog:
    """An event log of a test; the numbers missing in it belong to events for other readers."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.last = max(numbers, default=0)
        self.read = 0

    def add(self, number: int, *, visible: bool = True) -> None:
        self.numbers += [number] * visible
        self.last = number

    def newest(self) -> int:
        return self.last

    def page_after(self, number: int) -> LogPage:
        self.read += 1
        first = bisect_right(self.numbers, number)
        told = self.numbers[first : first + PAGE]
        full = len(told) == PAGE
        return LogPage([(one, b'{"n":%d}' % one) for one in told], told[-1] if full else self.last)


def offer(server: Server, book: HandwrittenLog) -> HandwrittenLog:
    server.channels.register_log("log", lambda key: book if key == "all" else None)
    return book


async def take_events(server: Server, count: int, path: str = "", **headers: str) -> list[Event]:
    async with server.watch(f"/live/log/all/{path}", **headers) as stream:
        return [await stream.event() for _ in range(count)]


def numbers(events: list[Event]) -> list[int]:
    assert all(event.data == f'{{"n":{event.number}}}' for event in events)
    return [int(event.number) for event in events]


@pytest.mark.parametrize(
    ("path", "headers", "expected"),
    [
        ("?after=0", {}, [1, 2, 4, 7, 8]),
        ("?after=2", {}, [4, 7, 8]),
        ("?after=3", {}, [4, 7, 8]),
        ("", {"Last_Event_ID": "7"}, [8]),
        ("?after=1", {"Last_Event_ID": "4"}, [7, 8]),
    ],
)
def test_all_events_after_a_cursor_are_sent_page_by_page(
    server: Server, path: str, headers: dict[str, str], expected: list[int]
) -> None:
    offer(server, HandwrittenLog(1, 2, 4, 7, 8))
    assert numbers(run(take_events(server, len(expected), path, **headers))) == expected


def test_new_events_are_sent_once_when_redis_publishes_a_message(server: Server) -> None:
    book = offer(server, HandwrittenLog(1, 2))

    async def watch() -> list[Event]:
        async with server.watch("/live/log/all/?after=1") as stream:
            events = [await stream.event()]
            for number in (3, 4, 5):
                book.add(number, visible=number != 4)
                server.feed.ring("log", pubsub.ALL_KEYS)
                if number != 4:
                    events.append(await stream.event())
            return events

    assert numbers(run(watch())) == [2, 3, 5]


@pytest.mark.slow
def test_stream_without_a_cursor_starts_with_new_events(server: Server) -> None:
    book = offer(server, HandwrittenLog(1, 2))

    async def watch() -> Event:
        async with server.watch("/live/log/all/") as stream:
            await stream.block()  # the connection is open
            book.add(3)
            server.feed.ring("log", pubsub.ALL_KEYS)
            return await stream.event()

    assert run(watch()).number == "3"


def test_new_events_are_found_by_polling_without_redis(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcasts, "LOG_POLL_INTERVAL", 0.1)
    book = offer(server, HandwrittenLog(1))

    async def watch() -> Event:
        async with server.watch("/live/log/all/?after=1") as stream:
            await stream.block()
            book.add(2)
            return await stream.event()

    assert run(watch()).number == "2"


def test_cursor_beyond_the_last_event_gets_a_note_and_new_events(server: Server) -> None:
    book = offer(server, HandwrittenLog(1, 2))

    async def watch() -> tuple[str, Event]:
        async with server.watch("/live/log/all/?after=900") as stream:
            await stream.block()
            said = await stream.block()
            book.add(3)
            server.feed.ring("log", pubsub.ALL_KEYS)
            return said, await stream.event()

    said, event = run(watch())
    assert said.startswith(": no event has the number 900 yet, the last is 2")
    assert event.number == "3"


def test_reader_with_a_later_cursor_gets_no_event_twice(server: Server) -> None:
    book = offer(server, HandwrittenLog(1, 2))

    async def watch() -> list[Event]:
        async with server.watch("/live/log/all/?after=2") as first:
            await first.block()
            book.add(3)  # stored, without a Redis message
            async with server.watch("/live/log/all/?after=3") as second:
                await second.block()
                book.add(4)
                server.feed.ring("log", pubsub.ALL_KEYS)
                return [await second.event()]

    assert numbers(run(watch())) == [4]


@pytest.mark.parametrize("after", ["-1", "five", "", "1" * 30, "1.5"])
def test_invalid_cursor_is_rejected(server: Server, after: str) -> None:
    offer(server, HandwrittenLog(1))

    async def ask() -> int:
        answer, writer = await server.request(f"/live/log/all/?after={after}")
        writer.close()
        return answer.status

    assert run(ask()) == 400


@pytest.mark.slow
def test_stream_gets_heartbeats_and_ends_at_its_maximum_age(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcasts, "HEARTBEAT_INTERVAL", 0.05)
    monkeypatch.setattr(connections, "MAX_LIFETIME", 0.3)
    offer(server, HandwrittenLog(1))

    async def watch() -> int:
        async with server.watch("/live/log/all/") as stream:
            return await heartbeats_until_the_end(stream)

    assert run(watch()) >= 1


async def heartbeats_until_the_end(stream: Stream) -> int:
    count = 0
    try:
        while True:
            count += (await stream.block()).startswith("event: heartbeat")
    except EOFError:
        return count


@pytest.mark.slow
def test_events_for_other_readers_do_not_replace_heartbeats(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log grows all the time, but none of its events is for this reader."""
    monkeypatch.setattr(broadcasts, "HEARTBEAT_INTERVAL", 0.3)
    monkeypatch.setattr(broadcasts, "LOG_POLL_INTERVAL", 0.01)
    book = offer(server, HandwrittenLog(1))

    async def grow() -> None:
        while True:
            book.add(book.last + 1, visible=False)
            await asyncio.sleep(0.01)

    async def watch() -> None:
        growing = asyncio.create_task(grow())
        async with server.watch("/live/log/all/") as stream:
            for _ in range(3):
                while not (await stream.block()).startswith("event: heartbeat"):
                    pass
        growing.cancel()

    run(watch())


def test_heartbeat_comes_after_the_number_reached(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser's script reads the cursor from a heartbeat's `lastEventId`."""
    monkeypatch.setattr(broadcasts, "HEARTBEAT_INTERVAL", 0.05)
    book = offer(server, HandwrittenLog(1))

    async def watch() -> str:
        async with server.watch("/live/log/all/?after=1") as stream:
            book.add(9, visible=False)
            server.feed.ring("log", pubsub.ALL_KEYS)
            while await stream.block() != "id: 9":
                pass
            return await stream.block()

    assert run(watch()).startswith("event: heartbeat")


def test_reader_without_events_learns_the_number_reached(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a browser that reconnects would make the server examine all these events again."""
    monkeypatch.setattr(broadcasts, "HEARTBEAT_INTERVAL", 0.05)
    book = offer(server, HandwrittenLog(1, 2))

    async def watch() -> list[str]:
        async with server.watch("/live/log/all/?after=1") as stream:
            seen = [await stream.block() for _ in range(3)]
            book.add(40, visible=False)
            server.feed.ring("log", pubsub.ALL_KEYS)
            while seen[-1] != "id: 40":
                seen.append(await stream.block())
            return seen

    seen = run(watch())
    assert seen[1:3] == ["id: 1", 'id: 2\ndata: {"n":2}']
    assert set(seen[3:]) <= {"event: heartbeat\ndata: still here", "id: 2", "id: 40"}


def test_reader_gets_intermediate_numbers_while_no_event_matches(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ID_INTERVAL", 5)
    book = offer(server, HandwrittenLog())
    book.last = 12

    async def watch() -> list[str]:
        async with server.watch("/live/log/all/?after=0") as stream:
            return [await stream.block() for _ in range(3)]

    assert run(watch())[1:] == ["id: 0", "id: 12"]


def test_unknown_event_log_is_rejected(server: Server) -> None:
    offer(server, HandwrittenLog(1))

    async def ask() -> int:
        answer, writer = await server.request("/live/log/other/")
        writer.close()
        return answer.status

    assert run(ask()) == 404


@given(
    numbers_=st.lists(st.integers(1, 40), unique=True, max_size=25).map(sorted),
    begin=st.integers(0, 40),
    kept=st.integers(1, 6),
    cursor=st.integers(0, 40),
)
def test_cached_and_stored_events_form_one_log(
    numbers_: list[int], begin: int, kept: int, cursor: int
) -> None:
    """This must hold for any cursor, wherever the stream was opened and however few events it
    caches.
    """
    book, later = HandwrittenLog(), HandwrittenLog(*numbers_)
    for number in numbers_:
        if number <= begin:
            book.add(number)
    channels = BroadcastSources()
    channels.register_log("log", lambda _key: book)
    told: list[int] = []

    async def read() -> None:
        opened = LogBroadcast(channels, "log", "all", asyncio.Semaphore(1))
        assert await opened._read_source()
        book.numbers, book.last = later.numbers, max(later.last, book.last)
        await opened.catch_up()
        place = min(cursor, opened.due)
        while place < opened.due:
            frames, reached = await opened.bytes_after(place)
            assert reached > place
            told.extend(int(one.split(b"\n")[0][4:]) for one in frames.split(b"\n\n") if one)
            place = reached

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(broadcasts, "MAX_RECENT_EVENTS", kept)
        run(read())
    assert told == [number for number in numbers_ if number > cursor]
