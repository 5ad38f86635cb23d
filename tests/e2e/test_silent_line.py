"""A network that drops a connection without closing it, which no browser notices by itself.

The page's clock is set ahead instead of waiting: the site's heartbeats come by the real one.
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

PACE_MS = 60_000
"""A card a minute: four heartbeats come between two."""
SINCE = 600
NOTICED = 40_000
"""Milliseconds within which a page notices that its connection is lost."""
# Every stream that the page opens, by address.
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


def test_a_page_that_waits_for_a_corrida_notices_and_moves(
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


def test_a_corrida_of_a_card_a_minute_notices_and_goes_on(
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


def test_the_page_of_events_notices_and_shows_what_came_meanwhile(
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
def test_heartbeats_keep_the_streams_of_quiet_pages(visit: Visitor, site: Site) -> None:
    """By the real clock: three heartbeats take 45 seconds, and silence of 25 breaks a stream."""
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
    """Within the block a corrida that is on air has been queued and has not begun."""
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
