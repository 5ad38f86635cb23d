"""Where a reader of a broadcast starts, the format of events, and when a moment may be sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from live import broadcasts as channel_module
from live import connections
from live.application import Feed, cookie_header, forget_request, read_cursor
from live.asgi_types import Message
from live.broadcast_source import BroadcastSources, WatchingRefusedError
from live.broadcasts import TimedBroadcast
from live.connections import TimedConnection
from live.sse import (
    END_EVENT,
    HEARTBEAT_EVENT,
    RETRY,
    card_event,
    comment,
    data_event,
    id_only,
    one_line,
)
from tests.live.conftest import Broadcast

NOW = 1_000_000.0
# The smallest difference, in seconds, between two float times of this size.
HAIR = 1e-6


def run(work: Coroutine[Any, Any, Any]) -> Any:
    async def limited() -> Any:
        return await asyncio.wait_for(work, 10)

    # In a separate thread, because a browser test may have left an event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, limited()).result()


@pytest.mark.parametrize(
    ("query", "headers", "after"),
    [
        ("", [], None),
        ("after=0", [], 0),
        ("after=12", [], 12),
        ("x=1&after=12", [], 12),
        ("after=", [], None),
        ("after=-1", [], None),
        ("after=%2B1", [], None),
        ("after=1.0", [], None),
        ("after=%C2%B2", [], None),
        ("after=" + "9" * 18, [], 10**18 - 1),
        ("after=" + "9" * 19, [], None),
        ("", ["7"], 7),
        ("after=12", ["7"], 7),
        ("after=12", ["x"], 12),
        ("after=12", [""], 12),
        ("after=x&after=3", [], 3),
        ("after=x", ["y"], None),
    ],
)
def test_cursor_is_read_from_the_query_or_the_last_event_id(
    query: str, headers: list[str], after: int | None
) -> None:
    sent = [(b"last-event-id", value.encode()) for value in headers]
    scope = {"query_string": query.encode(), "headers": [(b"accept", b"5"), *sent]}
    assert read_cursor(scope) == after


def test_request_headers_are_released_after_they_are_read() -> None:
    headers = [(b"cookie", b"a=1"), (b"cookie", b"b=2"), (b"accept", b"x")]
    assert cookie_header(headers) == b"a=1; b=2"
    assert cookie_header([]) == b""
    scope = {"method": "GET", "path": "/live/", "headers": headers, "state": {}}
    forget_request(scope)
    assert scope == {"method": "GET", "path": "/live/"}


@pytest.mark.parametrize(
    ("frame", "sent"),
    [
        (card_event(3, b"<p>x</p>"), b"id: 3\nevent: card\ndata: <p>x</p>\n\n"),
        (card_event(1, b"a\nb\r\nc"), b"id: 1\nevent: card\ndata: a\ndata: b\ndata: c\n\n"),
        (card_event(1, b""), b"id: 1\nevent: card\ndata:  \n\n"),
        (data_event(9, b"{}"), b"id: 9\ndata: {}\n\n"),
        (id_only(9), b"id: 9\n\n"),
        (comment("ñ"), b": \xc3\xb1\n\n"),
        (END_EVENT, b"event: end\ndata: end\n\n"),
        (RETRY, b"retry: 1500\n\n"),
        (HEARTBEAT_EVENT, b"event: heartbeat\ndata: still here\n\n"),
    ],
)
def test_event_has_the_format_of_server_sent_events(frame: bytes, sent: bytes) -> None:
    assert frame == sent


class At:
    """A channel whose moments are given in seconds from now.

    Notes `due` and `over` as the channel does.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = NOW
        monkeypatch.setattr("live.broadcasts.time.time", lambda: self.time)

    async def look(self, *moments: float, ended: bool = True) -> tuple[int, bool]:
        channels = BroadcastSources()
        broadcast = Broadcast([NOW + moment for moment in moments], ended=ended)
        channels.register("test", {"a": broadcast}.get)
        found = TimedBroadcast(channels, "test", "a")
        assert await found._read_source()
        return found.due, found.over


@pytest.mark.parametrize(
    ("moments", "ended", "found"),
    [
        ((), True, (0, True)),
        ((), False, (0, False)),
        ((HAIR,), True, (0, False)),
        ((0.0,), True, (1, True)),
        ((-HAIR,), True, (1, True)),
        ((0.0,), False, (1, False)),
        ((-2, -1, 0, HAIR), True, (3, False)),
        ((-3, -2, -1, 0), True, (4, True)),
        ((0, 0, 5), True, (2, False)),
    ],
)
def test_moment_may_be_sent_at_its_time_and_not_before(
    monkeypatch: pytest.MonkeyPatch,
    moments: tuple[float, ...],
    ended: bool,
    found: tuple[int, bool],
) -> None:
    assert run(At(monkeypatch).look(*moments, ended=ended)) == found


@pytest.mark.parametrize(
    ("due", "after", "begins"),
    [
        (0, None, 0),
        (1, None, 0),
        (5, None, 4),
        (5, 0, 0),
        (5, 4, 4),
        (5, 5, 5),
        (5, 6, 5),
        (0, 3, 0),
        (1003, 0, 3),
        (1000, 0, 0),
        (1001, 0, 1),
    ],
)
def test_reader_starts_after_the_cursor_or_with_the_oldest_cached_event(
    due: int, after: int | None, begins: int
) -> None:
    async def send(message: Message) -> None:
        raise AssertionError(message)

    followed = TimedBroadcast(BroadcastSources(), "test", "a")
    followed.due = due
    assert connections.MAX_CATCH_UP == 1000
    connection = TimedConnection(followed, after, send, packed=False)
    assert connection._cursor == begins


def test_sent_moment_stays_sent_if_the_clock_is_set_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def look() -> list[int]:
        at, channels = At(monkeypatch), BroadcastSources()
        channels.register("test", {"a": Broadcast([NOW, NOW + 1, NOW + 2])}.get)
        followed, seen = TimedBroadcast(channels, "test", "a"), []
        await followed._read_source()
        for later in (0, 1, -5, 2):
            at.time = NOW + later
            followed._update_due()
            seen.append(followed.due)
        return seen

    assert run(look()) == [1, 2, 2, 3]


def test_moments_are_rendered_again_if_their_times_change() -> None:
    async def draw() -> list[int]:
        broadcast, channels = Broadcast([1.0, 2.0]), BroadcastSources()
        channels.register("test", {"a": broadcast}.get)
        followed = TimedBroadcast(channels, "test", "a")
        await followed._read_source()
        await followed.frame(1)
        broadcast.moments.append(3.0)  # one more at the end: nothing shown has changed
        await followed._read()
        await followed.frame(1)
        broadcast.moments[0] = 1.5
        await followed._read()
        await followed.frame(1)
        return broadcast.drawn

    assert run(draw()) == [1, 1]


def test_cache_of_rendered_moments_drops_the_oldest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channel_module, "MAX_CACHED_EVENTS", 2)

    async def draw() -> list[bool]:
        channels = BroadcastSources()
        channels.register("test", {"a": Broadcast([1.0, 2.0, 3.0])}.get)
        followed = TimedBroadcast(channels, "test", "a")
        await followed._read_source()
        for number in (1, 2, 3):
            await followed.frame(number)
        return [followed.ready_frame(number) is not None for number in (1, 2, 3)]

    assert run(draw()) == [False, True, True]


def refuse(_key: str, _visitor: object) -> bool:
    raise WatchingRefusedError("Not you.")


GATES: dict[str, Callable[[str, object], bool] | None] = {
    "open": None,
    "shut": refuse,
    "hidden": lambda key, visitor: False,
    "mine": lambda key, visitor: key == "a",
}


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/live/open/a/", "GET", 200),
        ("/live/open/b/", "GET", 404),
        ("/live/other/a/", "GET", 404),
        ("/live/shut/a/", "GET", 403),
        ("/live/hidden/a/", "GET", 404),
        ("/live/mine/a/", "GET", 200),
        ("/live/mine/b/", "GET", 404),
        ("/live/open/a/", "HEAD", 405),
        ("/live/open/a/", "POST", 405),
        ("/live/open/a", "GET", 404),
        ("/live/OPEN/a/", "GET", 404),
        ("/live/open/a/more/", "GET", 404),
        (f"/live/open/{'a' * 128}/", "GET", 404),
        ("/live/open/a\n/", "GET", 404),
        ("/", "GET", 404),
    ],
)
def test_request_for_a_broadcast_is_answered_or_rejected(
    path: str, method: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("live.application.visitor_of", lambda cookies: None)
    channels = BroadcastSources()
    for kind, gate in GATES.items():
        channels.register(kind, {"a": Broadcast([1.0])}.get, may_watch=gate)
    sent: list[Message] = []

    async def ask() -> None:
        left = asyncio.Event()

        async def receive() -> Message:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {"type": "http", "method": method, "path": path, "query_string": b""}
        await Feed(channels)({**scope, "headers": []}, receive, send)

    run(ask())
    assert sent[0]["status"] == status
    body = b"".join(message.get("body", b"") for message in sent)
    if status == 200:
        assert body == RETRY + card_event(1, b"<p>card 1</p>") + END_EVENT
    else:
        assert dict(sent[0]["headers"])[b"cache-control"] == b"no-store"
        assert b"card" not in body


def test_kind_of_broadcast_can_be_registered_once() -> None:
    channels = BroadcastSources()
    channels.register("one", lambda key: None)
    channels.register_log("log", lambda key: None, may_watch=lambda key, visitor: True)
    for kind in ("one", "log"):
        with pytest.raises(ValueError, match="registered already"):
            channels.register_log(kind, lambda key: None)
    with pytest.raises(ValueError, match="registered already"):
        channels.register("one", lambda key: None)
    assert [channels.knows(kind) for kind in ("one", "log", "none")] == [True, True, False]
    assert [channels.is_endless(kind) for kind in ("one", "log", "none")] == [False, True, False]
    assert channels.gate("one") is None
    assert channels.gate("log") is not None
    assert channels.load("none", "a") is None
    assert channels.log("none", "a") is None


@pytest.mark.parametrize(
    ("fragment", "line"),
    [
        ("<p>one</p>\n  <p>two</p>\n", "<p>one</p><p>two</p>"),
        ('<p\n  class="a"\n>one\n  two</p>', '<p class="a" >one two</p>'),
        ("<b>one</b> <b>two</b>", "<b>one</b> <b>two</b>"),
        ("", ""),
    ],
)
def test_fragment_is_sent_as_one_line(fragment: str, line: str) -> None:
    assert one_line(fragment) == line
    assert card_event(7, line.encode()).count(b"\ndata: ") == 1
