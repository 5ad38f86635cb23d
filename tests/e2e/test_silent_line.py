"""Pages notice a connection that was lost without being closed, which browsers do not notice.

The test advances the page's clock instead of waiting. The site's heartbeats follow the real clock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.book import query_rows, write
from tests.e2e.clock import set_clock
from tests.e2e.conftest import (
    Visitor,
    corrida_on_air,
    moment,
    put_on_air,
    record,
    take_the_chair,
    wait_for_stage,
)
from tests.e2e.line import ForwardingProxy
from tests.e2e.test_corrida_live import wait_until_shown
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Milliseconds for each card: one card a minute, so that four heartbeats come between two cards.
PACE_MS = 60_000
SINCE = 600
# Milliseconds within which a page notices a lost connection.
NOTICED = 40_000
# JavaScript that records each event stream that the page opens, by address.
STREAMS = """
    window.opened = [];
    window.EventSource = class extends EventSource {
        constructor(...asked) { super(...asked); window.opened.push(this); }
    };
"""
OPEN = "() => opened.filter((one) => one.readyState === EventSource.OPEN).length"


def visit_by(line: ForwardingProxy, visit: Visitor) -> Page:
    page = visit(base_url=line.url)
    page.add_init_script(STREAMS)
    page.clock.install()
    return page


@pytest.mark.nightly
def test_page_waiting_for_a_corrida_notices_a_lost_connection(
    visit: Visitor, site: Site, line: ForwardingProxy
) -> None:
    corrida = corrida_on_air(visit, PACE_MS)
    page = visit_by(line, visit)
    with waiting(site, corrida):
        page.goto(corrida)
        page.get_by_text("This page will update by itself.").wait_for()
        page.wait_for_function(f"{OPEN} === 1")
        line.fall_silent()
    page.clock.fast_forward(NOTICED)
    page.locator("#viewer[data-mode=live].is-scripted").wait_for()


def test_slow_broadcast_notices_a_lost_connection_and_continues(
    visit: Visitor, site: Site, line: ForwardingProxy
) -> None:
    corrida = corrida_on_air(visit, PACE_MS)
    set_clock(site, corrida, since=SINCE)
    page = visit_by(line, visit)
    page.goto(corrida)
    page.wait_for_function(f"{OPEN} === 1")
    stood = moment(page)
    line.fall_silent()
    page.clock.fast_forward(NOTICED)
    page.wait_for_function("() => opened.length === 2")
    wait_until_shown(page, stood + 1)


@pytest.mark.nightly
def test_events_page_notices_a_lost_connection_and_shows_new_events(
    visit: Visitor, line: ForwardingProxy
) -> None:
    director = visit()
    take_the_chair(director)
    page = visit_by(line, visit)
    page.goto("/sucesos/")
    page.wait_for_function(f"{OPEN} === 1")
    line.fall_silent()
    corrida = put_on_air(director, PACE_MS)
    wait_for_stage(director, corrida)
    begun = page.locator(f"#happenings a[href='{corrida}']")
    assert begun.count() == 0
    page.clock.fast_forward(NOTICED)
    expect(begun).to_contain_text("has begun")
    assert page.evaluate("opened.length") == 2


@pytest.mark.nightly
def test_heartbeats_keep_streams_without_events_open(visit: Visitor, site: Site) -> None:
    """Three heartbeats of the real clock take 45 seconds.

    A stream silent for 25 seconds would be reopened.
    """
    director = visit()
    take_the_chair(director)
    begun, coming = (put_on_air(director, PACE_MS) for _ in range(2))
    for corrida in (begun, coming):
        wait_for_stage(director, corrida)
    director.goto("/glosario/")
    set_clock(site, begun, since=SINCE)
    set_clock(site, coming, since=-SINCE)
    pages = []
    for address in ("/sucesos/", begun, coming):
        page = visit()
        page.add_init_script(STREAMS)
        page.goto(address)
        page.wait_for_function(f"{OPEN} === 1")
        page.evaluate(
            "() => { window.beats = 0;"
            " opened[0].addEventListener('heartbeat', () => { window.beats += 1; }); }"
        )
        pages.append(page)
    assert record(pages[-1])["mode"] == "wait"
    for page in pages:
        page.wait_for_function("() => beats >= 3")
        assert page.evaluate("opened.length") == 1
        assert page.evaluate(OPEN) == 1


@contextmanager
def waiting(site: Site, corrida: str) -> Iterator[None]:
    """Make a corrida on air wait in the queue during the block."""
    key = int(corrida.rstrip("/").rsplit("/", 1)[-1])
    question = "SELECT queued_at, on_air_at, ends_at FROM corridas_corrida WHERE id = :key"
    ((queued, begins, ends),) = query_rows(site, question, key=key)
    change = (
        "UPDATE corridas_corrida SET state = :state, queued_at = :queued, on_air_at = :begins,"
        " ends_at = :ends WHERE id = :key"
    )
    now = str(dt.datetime.now(dt.UTC).replace(tzinfo=None))
    write(site, change, state="queued", queued=now, begins=None, ends=None, key=key)
    try:
        yield
    finally:
        write(site, change, state="on_air", queued=queued, begins=begins, ends=ends, key=key)
