"""The compressed bytes of a broadcast, which readers can decompress from any point on."""

from __future__ import annotations

import asyncio
import time
import zlib
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live import broadcasts
from live.asgi_types import Message
from live.broadcast_source import BroadcastSources
from live.broadcasts import TimedBroadcast
from live.compression import STREAM_HEADER, EventFrame, stored_block
from live.connections import TimedConnection
from live.sse import HEARTBEAT_EVENT, NOTICE_EVENT, card_event
from tests.live.conftest import Broadcast, Event, Server, Stream, run

MOMENTS = 40


class Pages(Broadcast):
    """Moments of twelve kilobytes that differ in a few words."""

    def render(self, number: int) -> bytes:
        self.drawn.append(number)
        words = [f"<p class='{at}'>{digits(at)}</p>" for at in range(400)]
        for at in range(5):
            words[(number * 7 + at * 31) % 400] = f"<p>{digits(number)}</p>"
        return " ".join(words).encode()


def digits(number: int) -> str:
    return sha256(str(number).encode()).hexdigest()[:12]


def soon(count: int = MOMENTS) -> list[float]:
    """Return times, the first few of which are past."""
    start = time.time() - 0.3
    return [start + 0.05 * n for n in range(count)]


async def watched(server: Server, path: str, **headers: str) -> tuple[list[Event], Stream]:
    async with server.watch(path, **headers) as stream:
        return await stream.events(), stream


def event_fields(events: list[Event]) -> list[tuple[str, str, str]]:
    return [(event.name, event.number, event.data) for event in events]


@pytest.mark.slow
def test_readers_who_join_at_any_point_read_the_same_text(server: Server) -> None:
    server.offer(a=Pages(soon()))

    async def late(seconds: float, after: str, **headers: str) -> tuple[list[Event], Stream]:
        await asyncio.sleep(seconds)
        return await watched(server, f"/live/test/a/{after}", **headers)

    async def all_of_them() -> list[tuple[list[Event], Stream]]:
        packed = {"Accept_Encoding": "gzip, deflate, br, zstd"}
        return await asyncio.gather(
            late(0, "?after=0"),
            *(late(0.13 * n, after, **packed) for n in range(8) for after in ("", "?after=3")),
            late(0.6, "", Last_Event_ID="9", **packed),
        )

    (plain, wire), *others = run(all_of_them())
    assert "content-encoding" not in wire.headers
    for events, stream in others:
        assert stream.headers["content-encoding"] == "gzip"
        assert event_fields(events) == event_fields(plain)[-len(events) :]
    assert {events[0].number for events, _ in others} >= {"4", "10"}


@pytest.mark.slow
def test_card_takes_a_few_hundred_bytes_and_joining_a_few_thousand(server: Server) -> None:
    server.offer(a=Pages(soon()))
    events, stream = run(watched(server, "/live/test/a/", Accept_Encoding="gzip"))
    text = len(events[0].data)
    opening, first, *rest = stream.sizes
    assert opening < 100
    assert first < text
    assert max(rest[: len(events) - 2]) < text / 20


@pytest.mark.parametrize("accepts", ["identity", "gzip;q=0", "br, gzip; q=0.0", "x-gzipped"])
def test_client_without_gzip_gets_plain_text(server: Server, accepts: str) -> None:
    server.offer(a=Broadcast([1.0, 2.0]))
    events, stream = run(watched(server, "/live/test/a/", Accept_Encoding=accepts))
    assert "content-encoding" not in stream.headers
    assert "Accept-Encoding" in stream.headers["vary"]
    assert [event.number for event in events] == ["2", ""]


@pytest.mark.slow
def test_notices_and_heartbeats_between_cards_can_be_decompressed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcasts, "HEARTBEAT_INTERVAL", 0.02)
    start = time.time() + 0.1
    broadcast = Pages([start + 0.1 * n for n in range(10)])
    server.offer(a=broadcast)

    async def change() -> None:
        await asyncio.sleep(0.5)
        broadcast.notice = "posted"
        server.feed.ring("test", "a")

    async def both() -> tuple[list[Event], Stream]:
        seen, _ = await asyncio.gather(
            watched(server, "/live/test/a/?after=0", Accept_Encoding="gzip"), change()
        )
        return seen

    events, stream = run(both())
    assert [event.number for event in events if event.name == "card"] == [
        str(n) for n in range(1, 11)
    ]
    assert "notice" in {event.name for event in events}
    assert stream.heartbeats > 5


@pytest.mark.parametrize("between", ["heartbeat", "notice"])
def test_card_after_a_heartbeat_or_notice_does_not_refer_to_earlier_cards(between: str) -> None:
    """Other text lies between the two cards, so distances to the first one would be wrong."""
    sent: list[bytes] = []

    async def send(message: Message) -> None:
        sent.append(message.get("body", b""))

    async def follow() -> None:
        channels = BroadcastSources()
        channels.register("test", {"a": Pages([1.0, 2.0])}.get)
        followed = TimedBroadcast(channels, "test", "a")
        assert await followed._read_source()
        connection = TimedConnection(followed, 0, send, packed=True)
        followed.due, followed.over = 1, False
        assert not await connection._caught_up()
        if between == "heartbeat":
            await connection._write(connection._plain(HEARTBEAT_EVENT))
        else:
            followed.notice = "posted"
        followed.due = 2
        assert not await connection._caught_up()

    run(follow())
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    first, other, second = (inflater.decompress(body) for body in sent)
    pages = Pages([1.0, 2.0])
    assert [first, second] == [card_event(number, pages.render(number)) for number in (1, 2)]
    assert other == (HEARTBEAT_EVENT if between == "heartbeat" else NOTICE_EVENT % b"posted")


@given(
    texts=st.lists(
        st.builds(lambda part, times: part * times, st.binary(max_size=200), st.integers(0, 300))
    ),
    joined=st.integers(0, 10),
    pauses=st.lists(st.booleans(), min_size=20, max_size=20),
)
def test_compressed_frames_can_be_read_from_any_frame_on(
    texts: list[bytes], joined: int, pauses: list[bool]
) -> None:
    frames = [EventFrame(text) for text in texts]
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    read, expected = inflater.decompress(stored_block(b"retry")), b"retry"
    last: bytes | None = None
    for frame, pause in zip(frames[joined:], pauses * 5, strict=False):
        read += inflater.decompress(frame.packed(last))
        expected += frame.text
        last = frame.text
        if pause:
            read += inflater.decompress(stored_block(HEARTBEAT_EVENT))
            expected += HEARTBEAT_EVENT
            last = None
    assert read == expected


def test_rendered_again_frame_is_not_taken_for_the_earlier_text() -> None:
    old, new = ("".join(map(digits, range(n, n + 500))).encode() for n in (0, 1000))
    frame = EventFrame(b"after " + new)
    assert len(frame.packed(new)) < len(frame.packed(None))
    inflater = zlib.decompressobj(zlib.MAX_WBITS + 16)
    wire = STREAM_HEADER + EventFrame(old).packed(None) + frame.packed(old)
    assert inflater.decompress(wire) == old + frame.text
