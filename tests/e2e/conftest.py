"""Fixtures for browser tests: browsers, a director, and errors in the browser's console."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import ViewportSize

from tests.browser import new_context
from tests.e2e.line import ForwardingProxy
from tests.site import Site

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet
    from playwright.sync_api import Browser, BrowserContext, Page

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}

Visitor = Callable[..., "Page"]


def sweep(names: Iterable[str], *sample: str) -> list[ParameterSet]:
    """Return test parameters: a sample that runs always, and the others, which run every night."""
    return [
        pytest.param(name, marks=() if name in sample else pytest.mark.nightly) for name in names
    ]


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """Console messages during a test: errors, violations of the content policy, exceptions.

    A test that expects some removes them. The test fails if any are left at its end.
    """
    said: list[str] = []
    yield said
    assert said == []


@pytest.fixture
def visit(
    browser: Browser, site: Site, complaints: list[str], request: pytest.FixtureRequest
) -> Iterator[Visitor]:
    """Return a function that opens a separate browser, by default in English on a phone.

    The options are those of Playwright. Pages are closed before the connection that they use,
    because the site's pages reconnect at any time.
    """
    if "line" in request.fixturenames:
        request.getfixturevalue("line")
    opened: list[BrowserContext] = []

    def arrive(**options: Any) -> Page:
        usual: dict[str, Any] = {"base_url": site.url, "locale": "en-GB", "viewport": PHONE}
        context = new_context(browser, **(usual | options))
        opened.append(context)
        page = context.new_page()
        listen(page, complaints)
        return page

    yield arrive
    for context in opened:
        context.close()


# Messages that htmx logs if the page is left during a request, with the browser's own message if
# the server did not answer.
UNFINISHED = re.compile(r"htmx:(afterRequest|sendAbort|sendError),")


def listen(page: Page, complaints: list[str]) -> None:
    page.on(
        "console",
        lambda said: (
            complaints.append(f"{page.url}: {said.text}")
            if said.type in {"error", "warning"} and not UNFINISHED.match(said.text)
            else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))


@pytest.fixture
def line(site: Site) -> Iterator[ForwardingProxy]:
    """A connection to the site that a test can cut."""
    laid = ForwardingProxy(site.port)
    yield laid
    laid.close()


def take_the_chair(page: Page) -> None:
    """Become the site's director with one click on the home page."""
    page.goto("/")
    page.get_by_role("button", name="Become the director").click()
    page.wait_for_url("**/direccion/?play=open")
    page.goto("/direccion/")  # without the open play menu


def put_on_air(page: Page, pace_ms: int) -> str:
    """Put the next corrida on air at this pace, as the director, and return its path."""
    page.goto("/direccion/")
    panel = page.locator("section[aria-labelledby=air-h]")
    corrida = panel.get_by_label("Corrida").input_value()
    panel.get_by_label("Your own pace").check()
    panel.get_by_label("Seconds per card", exact=True).fill(str(pace_ms / 1000))
    panel.get_by_role("button", name="Start corrida").click()
    starts = page.get_by_role("status").get_by_text("is about to start")
    asked = page.get_by_role("button", name="Contract and continue")
    starts.or_(asked).first.wait_for()
    if asked.count():
        asked.click()
    starts.wait_for()
    return f"/corridas/{corrida}/"


def moment(page: Page) -> int:
    """Return the number of the broadcast moment that the page shows."""
    return int(page.locator("#stage").get_attribute("data-moment") or -1)


def record(page: Page) -> dict[str, str]:
    """Return the data attributes of the viewer: mode, first, last, received, latest."""
    told: dict[str, str] = page.locator("#viewer").evaluate("viewer => ({...viewer.dataset})")
    return told


def wait_for_stage(page: Page, corrida: str) -> None:
    """Open a queued corrida, and wait until the page changes from the poster to the ring by
    itself.
    """
    page.goto(corrida)
    page.locator("#stage").wait_for()


def corrida_on_air(visit: Visitor, pace_ms: int) -> str:
    """Put a corrida on air and return its path.

    The director's page does not follow the broadcast.
    """
    director = visit()
    take_the_chair(director)
    corrida = put_on_air(director, pace_ms)
    wait_for_stage(director, corrida)
    director.goto("/glosario/")
    return corrida


def figures(page: Page) -> dict[str, int]:
    """Return the number of corridas of each matador in the ranking, by the address of his page."""
    page.goto("/escalafon/")
    rows = page.locator("table.esc tbody tr")
    told: list[list[str]] = rows.evaluate_all(
        "rows => rows.map(row => [row.querySelector('th a').getAttribute('href'),"
        " row.querySelector('td.corr b').textContent])"
    )
    return {re.sub(r"^/matadores/|/$", "", href): int(count) for href, count in told}
