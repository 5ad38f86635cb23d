"""The site in a real browser: a visitor, a director, and whatever the console complains of."""

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
    """Parameters of which a sample is tried always, and all of them every night."""
    return [
        pytest.param(name, marks=() if name in sample else pytest.mark.nightly) for name in names
    ]


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What consoles said during a test: errors, refusals of the content policy, exceptions.

    A test that expects some takes them out; what is left at its end fails it.
    """
    said: list[str] = []
    yield said
    assert said == []


@pytest.fixture
def visit(
    browser: Browser, site: Site, complaints: list[str], request: pytest.FixtureRequest
) -> Iterator[Visitor]:
    """Open a browser of its own, by default in English on a phone; options are playwright's.

    Pages are closed before the line they use: the site's own pages ask again at any time.
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


UNFINISHED = re.compile(r"htmx:(afterRequest|sendAbort|sendError),")
"""What htmx logs if the page is left during a request.

If the server did not answer, the browser complains as well.
"""


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
    """A line to the site that can be cut."""
    laid = ForwardingProxy(site.port)
    yield laid
    laid.close()


def take_the_chair(page: Page) -> None:
    """One click on the front page; the desk opens."""
    page.goto("/")
    page.get_by_role("button", name="Become the director").click()
    page.wait_for_url("**/direccion/?play=open")
    page.goto("/direccion/")  # the play control was open; most are here for something else


def put_on_air(page: Page, pace_ms: int) -> str:
    """At the desk: the next corrida on the sand at this pace; its address."""
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
    """The number of the moment that the stage shows."""
    return int(page.locator("#stage").get_attribute("data-moment") or -1)


def record(page: Page) -> dict[str, str]:
    """What the viewer says of itself: mode, first, last, received, latest."""
    told: dict[str, str] = page.locator("#viewer").evaluate("viewer => ({...viewer.dataset})")
    return told


def wait_for_stage(page: Page, corrida: str) -> None:
    """Open a corrida that has just been queued; the bill gives way to the ring by itself."""
    page.goto(corrida)
    page.locator("#stage").wait_for()


def corrida_on_air(visit: Visitor, pace_ms: int) -> str:
    """Have a director put a corrida on air; its address. The director's page has no stream."""
    director = visit()
    take_the_chair(director)
    corrida = put_on_air(director, pace_ms)
    wait_for_stage(director, corrida)
    director.goto("/glosario/")
    return corrida


def figures(page: Page) -> dict[str, int]:
    """The escalafón as the browser shows it: afternoons of each matador, by the link's name."""
    page.goto("/escalafon/")
    rows = page.locator("table.esc tbody tr")
    told: list[list[str]] = rows.evaluate_all(
        "rows => rows.map(row => [row.querySelector('th a').getAttribute('href'),"
        " row.querySelector('td.corr b').textContent])"
    )
    return {re.sub(r"^/matadores/|/$", "", href): int(count) for href, count in told}
