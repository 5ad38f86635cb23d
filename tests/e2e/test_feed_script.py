"""When the feed script opens, closes and reopens an event stream, tested with a simulated clock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from live.broadcasts import HEARTBEAT_INTERVAL
from tests.browser import new_context

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCRIPT = Path(__file__).parents[2] / "static" / "js" / "feed.js"
HEARTBEAT = int(1000 * HEARTBEAT_INTERVAL)
MINUTE = 60_000
# A fake `EventSource` that records the opened streams, and a page that can be hidden.
STREAMS = """
    window.streams = [];
    window.EventSource = class extends EventTarget {
        static CLOSED = 2;
        constructor(address) {
            super();
            Object.assign(this, { address, readyState: 1 });
            streams.push(this);
        }
        close() { this.readyState = 2; }
        say(name, number = "") {
            this.dispatchEvent(Object.assign(new Event(name), { lastEventId: String(number) }));
        }
    };
    window.isHidden = false;
    Object.defineProperty(document, "hidden", { get: () => window.isHidden });
    window.hide = (hidden) => {
        isHidden = hidden;
        document.dispatchEvent(new Event("visibilitychange"));
    };
    window.heard = [];
"""
FOLLOW = """followFeed({
    address: (last) => `/live/?after=${last}`,
    receive: (event, end) => {
        heard.push(event.lastEventId);
        if (event.lastEventId === "9") end();
    },
    ended: () => heard.push("end"),
})"""


class Feed:
    """A page that follows a feed."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def do(self, script: str) -> Any:
        return self._page.evaluate(script)

    def follow(self) -> None:
        self.do(FOLLOW)

    def say(self, name: str, number: int | str = "") -> None:
        """Simulate an event on the last stream."""
        self.do(f"streams.at(-1).say('{name}', '{number}')")

    def refuse(self) -> None:
        """Simulate an HTTP error, after which browsers do not reconnect by themselves."""
        self.do("streams.at(-1).close(); streams.at(-1).say('error')")

    def hide(self, hidden: bool) -> None:
        self.do(f"hide({str(hidden).lower()})")

    def after(self, milliseconds: int) -> list[str]:
        """Advance the clock, and return the addresses of all streams so far; open ones end with
        +.
        """
        self._page.clock.run_for(milliseconds)
        found: list[str] = self.do(
            "streams.map((one) => one.address.slice(7) + (one.readyState === 2 ? '' : '+'))"
        )
        return found


@pytest.fixture
def feed(browser: Browser) -> Iterator[Feed]:
    context = new_context(browser)
    page = context.new_page()
    page.clock.install(time=0)
    page.set_content("<!doctype html><title>Feed</title>")
    page.clock.pause_at(1000)
    page.evaluate(STREAMS)
    page.add_script_tag(path=SCRIPT)
    yield Feed(page)
    context.close()


def test_stream_with_heartbeats_stays_open_for_hours(feed: Feed) -> None:
    feed.follow()
    for _ in range(4 * 60):
        feed.say("heartbeat")
        feed.after(HEARTBEAT)
    assert feed.after(0) == ["after=+"]


@pytest.mark.parametrize("name", ["card", "notice", "heartbeat", "open"])
def test_silent_stream_is_reopened_after_25_to_30_seconds(feed: Feed, name: str) -> None:
    feed.follow()
    feed.after(20_000)
    feed.say(name)
    assert feed.after(25_000) == ["after=+"]
    assert feed.after(5_000) == ["after=", "after=+"]
    assert feed.after(25_000) == ["after=", "after=+"]
    assert feed.after(5_000) == ["after=", "after=", "after=+"]


def test_silence_limit_is_longer_than_the_heartbeat_interval() -> None:
    """A lost connection is noticed within 40 seconds, and a late heartbeat does not count as
    one.
    """
    quiet, look = (
        int(found[1])
        for name in ("QUIET", "LOOK")
        if (found := re.search(rf"const {name} = (\d+);", SCRIPT.read_text()))
    )
    assert quiet >= HEARTBEAT + 5_000
    assert quiet + look <= 40_000


def test_hidden_page_has_no_stream_and_resumes_after_the_last_event(feed: Feed) -> None:
    feed.follow()
    feed.say("card", 3)
    feed.hide(True)
    assert feed.after(0) == ["after="]
    assert feed.after(10 * MINUTE) == ["after="]
    feed.do("dispatchEvent(new Event('online'))")
    assert feed.after(0) == ["after="]
    feed.hide(False)
    assert feed.after(0) == ["after=", "after=3+"]
    feed.say("heartbeat", 7)  # events up to this number were for others
    feed.hide(True)
    feed.hide(False)
    assert feed.after(0) == ["after=", "after=3", "after=7+"]
    assert feed.do("heard") == ["3"]


def test_event_without_a_number_does_not_change_where_the_feed_resumes(feed: Feed) -> None:
    """Each stream is closed before its next card: the page is hidden, or no events arrive."""
    feed.follow()
    feed.say("card", 3)
    for name in ("open", "heartbeat", "notice"):
        feed.hide(True)
        feed.hide(False)
        feed.say(name)
    feed.hide(True)
    feed.hide(False)
    feed.say("open")
    assert feed.after(30_000) == ["after=", *["after=3"] * 4, "after=3+"]


def test_page_that_opens_hidden_waits_until_it_is_shown(feed: Feed) -> None:
    feed.hide(True)
    feed.follow()
    assert feed.after(MINUTE) == []
    feed.hide(False)
    assert feed.after(0) == ["after=+"]


def test_page_restored_from_the_back_cache_resumes_its_stream(feed: Feed) -> None:
    feed.follow()
    feed.say("card", 4)
    feed.do("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    assert feed.after(MINUTE) == ["after="]
    feed.do("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    assert feed.after(0) == ["after=", "after=4+"]


def test_rejected_stream_is_retried_at_growing_intervals(feed: Feed) -> None:
    feed.follow()
    count = 1
    for pause in (2_000, 4_000, 8_000, 16_000, 16_000):
        feed.refuse()
        assert len(feed.after(pause - 1)) == count, pause
        count += 1
        assert len(feed.after(1)) == count, pause
    feed.say("open")
    feed.refuse()
    assert len(feed.after(2_000)) == count + 1


def test_hidden_page_does_not_retry_a_rejected_stream(feed: Feed) -> None:
    feed.follow()
    feed.refuse()
    feed.hide(True)
    assert feed.after(MINUTE) == ["after="]


@pytest.mark.parametrize(("name", "number"), [("end", ""), ("card", 9)])
def test_no_stream_is_opened_after_the_end_of_the_feed(
    feed: Feed, name: str, number: int | str
) -> None:
    feed.follow()
    feed.say(name, number)
    assert feed.do("heard").count("end") == 1
    feed.do("dispatchEvent(new Event('online'))")
    feed.hide(True)
    feed.hide(False)
    assert feed.after(MINUTE) == ["after="]
