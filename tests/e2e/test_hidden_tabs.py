"""Of seven tabs in one browser, only the visible one follows its corrida."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import chromium
from tests.e2e.clock import set_clock
from tests.e2e.conftest import Visitor, corrida_on_air
from tests.e2e.window import Tab, Window

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.site import Site

PACE_MS = 1000
SINCE = 30
# One more than the number of connections that a browser opens to one site.
TABS = 7
# Number of cards drawn while a tab is hidden.
AWAY = 20

LIVE = "document.querySelector('#viewer.is-scripted[data-mode=live]') !== null"
LATEST = "Number(document.getElementById('viewer')?.dataset.latest)"
SHOWN = "Number(document.getElementById('stage')?.dataset.moment)"
# JavaScript that collects all moments that the page has shown.
WATCH = f"""
    window.seen = [{SHOWN}];
    new MutationObserver(() => seen.push({SHOWN}))
        .observe(document.getElementById('stage'), {{ attributeFilter: ['data-moment'] }});
    seen[0]
"""
# JavaScript that returns the moment which a newly opened page shows now.
NOW = """fetch(document.querySelector("#viewer").dataset.live, {headers: {"HX-Request": "true"}})
    .then((answer) => answer.text())
    .then((page) => Number(/data-moment="([0-9]+)"/.exec(page)[1]))"""


@pytest.fixture
def window(browser: Browser, tmp_path: Path) -> Iterator[Window]:
    executable = chromium()
    assert executable is not None
    opened = Window(executable, tmp_path / "profile")
    yield opened
    opened.close()


def resumed(tab: Tab) -> float:
    """Show a tab, and return the seconds until it shows what the site shows."""
    began = time.monotonic()
    tab.show()
    number = tab.evaluate(NOW)
    tab.wait_for(f"{SHOWN} >= {number}")
    return time.monotonic() - began


def test_seven_tabs_are_up_to_date_when_they_are_shown(
    visit: Visitor,
    site: Site,
    window: Window,
    record_property: Callable[[str, object], None],
) -> None:
    corrida = corrida_on_air(visit, PACE_MS)
    set_clock(site, corrida, since=SINCE)

    tabs: list[Tab] = []
    opened: list[float] = []
    for _ in range(TABS):
        began = time.monotonic()
        tab = window.open(site.url + corrida)
        tab.wait_for(LIVE)
        opened.append(time.monotonic() - began)
        tab.evaluate(WATCH)
        tabs.append(tab)
    assert [tab.evaluate("document.hidden") for tab in tabs] == [True] * (TABS - 1) + [False]

    stood = [tab.evaluate(SHOWN) for tab in tabs[:-1]]
    tabs[-1].wait_for(f"{SHOWN} >= {stood[-1] + AWAY}")
    assert [tab.evaluate(SHOWN) for tab in tabs[:-1]] == stood

    shown = [resumed(tab) for tab in tabs]
    for tab in tabs:
        seen = tab.evaluate("seen")
        assert seen == list(range(seen[0], seen[-1] + 1))
    # Printed for the report of a run, because a busy machine is slow.
    record_property("seconds until open", [round(one, 2) for one in opened])
    record_property("seconds until resumed", [round(one, 2) for one in shown])


@pytest.mark.nightly
def test_six_hidden_tabs_leave_connections_for_another_page(
    visit: Visitor, site: Site, window: Window
) -> None:
    corrida = corrida_on_air(visit, PACE_MS)
    for _ in range(TABS - 1):
        window.open(site.url + corrida).wait_for(LIVE)
    other = window.open(site.url + "/glosario/")
    other.wait_for("document.readyState === 'complete' && document.querySelector('h1') !== null")
    assert other.evaluate("document.querySelector('h1').textContent.trim()") == "Glossary"
