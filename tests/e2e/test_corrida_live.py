"""From the front page to the escalafón: nobody who watches a corrida misses a card of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.request import urlopen

from tests.e2e.clock import corrida_on_the_sand, set_clock
from tests.e2e.conftest import (
    Visitor,
    figures,
    moment,
    put_on_air,
    record,
    take_the_chair,
    wait_for_stage,
)
from tests.e2e.line import ForwardingProxy
from tests.site import Site
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

PACE_MS = 500
LEFT = 90
"""Seconds that are left of the corrida when the page is opened; the watching takes some twenty."""
AHEAD = 5
"""Cards by which the site is ahead of a page without a line, before that has been long enough."""
LAST = 5
"""Seconds that are left of the corrida when the line is back."""

WATCH = """
    window.seen = [Number(document.getElementById("stage").dataset.moment)];
    window.loadedAt = performance.timeOrigin;
    new MutationObserver((changes) => changes.forEach(({ target }) =>
        window.seen.push(Number(target.dataset.moment))
    )).observe(document.getElementById("stage"), { attributeFilter: ["data-moment"] });
"""


def wait_until_shown(page: Page, number: int) -> None:
    page.wait_for_function(
        "number => Number(document.getElementById('stage').dataset.moment) >= number", arg=number
    )


def test_from_the_front_page_to_the_escalafon_without_missing_a_card(
    visit: Visitor, site: Site, line: ForwardingProxy, complaints: list[str]
) -> None:
    page = visit(base_url=line.url)
    corrida_on_the_sand(site)
    follow_from_home(page)
    take_the_chair(page)
    before = figures(page)
    corrida = put_on_air(page, PACE_MS)
    wait_for_stage(page, corrida)
    page.goto("/glosario/")
    set_clock(site, corrida, left=LEFT)
    page.goto(corrida)
    page.locator("#viewer[data-mode=live].is-scripted").wait_for()
    began = moment(page)
    page.evaluate(WATCH)

    wait_until_shown(page, began + 10)  # ten cards, and the page was loaded once
    stood = lose_the_line(page, line, site, corrida)

    page.locator(".co-outcome").wait_for()
    assert page.evaluate("performance.timeOrigin === window.loadedAt")
    seen = page.evaluate("window.seen")
    assert began <= seen[0]  # a card may fall between the two looks
    assert seen == list(range(seen[0], seen[-1] + 1))
    assert stood in seen[:-AHEAD]
    told = record(page)
    first, last, received = (int(told[name]) for name in ("first", "last", "received"))
    assert (last, received) == (seen[-1], last - first + 1)
    matadors = set(page.locator(".co-terna a").evaluate_all(SLUGS))
    expect_to_move(page, before, matadors)
    take_out_of(complaints, "ERR_")


SLUGS = "links => links.map(link => link.getAttribute('href').split('/')[2])"


def follow_from_home(page: Page) -> None:
    """The site keeps a corrida on the sand: the front page leads there, and it goes on."""
    page.goto("/")
    page.get_by_role("link", name="Watch the ring").click()
    page.locator("#viewer[data-mode=live].is-scripted").wait_for()
    wait_until_shown(page, moment(page) + 1)


def lose_the_line(page: Page, line: ForwardingProxy, site: Site, corrida: str) -> int:
    """The network is gone, and the picture stands still; with it comes what was missed.

    The moment at which it stood. When the line is back, the corrida is near its end.
    """
    with line.cut():
        page.context.set_offline(True)
        wait_until_site_shows(site, corrida, moment(page) + AHEAD)
        stood = moment(page)
        wait_until_site_shows(site, corrida, stood + AHEAD)
        assert moment(page) == stood
        set_clock(site, corrida, left=LAST)
        page.context.set_offline(False)
    return stood


def wait_until_site_shows(site: Site, corrida: str, number: int) -> None:
    """Ask for the page, by another line, until it has come so far."""

    def shown() -> bool:
        with urlopen(site.url + corrida) as answer:
            found = re.search(r'id="stage"[^>]*\sdata-moment="(\d+)"', answer.read().decode())
        return found is not None and int(found[1]) >= number

    wait_until(shown)


def take_out_of(complaints: list[str], expected: str) -> None:
    """The browser itself complains of a line that is cut, and of nothing else."""
    complaints[:] = [said for said in complaints if expected not in said]


def expect_to_move(page: Page, before: dict[str, int], matadors: set[str]) -> None:
    """One afternoon more for each of the three, for nobody else, seconds after the end."""
    wait_until(lambda: figures(page) != before, "The corrida is not posted.")
    after = figures(page)
    grown = {slug: after[slug] - before.get(slug, 0) for slug in after}
    assert len(matadors) == 3
    assert {slug: more for slug, more in grown.items() if more} == dict.fromkeys(matadors, 1)
