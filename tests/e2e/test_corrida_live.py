"""A visitor watches a corrida from the home page to the updated ranking without missing a card."""

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
# Seconds of the broadcast that remain when the page is opened. Watching takes about twenty.
LEFT = 90
# Number of cards that the site must be ahead of an unconnected page.
AHEAD = 5
# Seconds of the broadcast that remain when the connection is back.
LAST = 5

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


def test_visitor_watches_a_corrida_to_the_ranking_without_missing_a_card(
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
    assert began <= seen[0]  # a card may come in between
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
    """Follow the link on the home page to the corrida on air, and wait for the next card."""
    page.goto("/")
    page.get_by_role("link", name="Watch the ring").click()
    page.locator("#viewer[data-mode=live].is-scripted").wait_for()
    wait_until_shown(page, moment(page) + 1)


def lose_the_line(page: Page, line: ForwardingProxy, site: Site, corrida: str) -> int:
    """Cut the connection, check that the picture stops, and return the moment at which it stopped.

    When the connection is back, the missed cards arrive, and the corrida is near its end.
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
    """Load the page over another connection until it shows this moment."""

    def shown() -> bool:
        with urlopen(site.url + corrida) as answer:
            found = re.search(r'id="stage"[^>]*\sdata-moment="(\d+)"', answer.read().decode())
        return found is not None and int(found[1]) >= number

    wait_until(shown)


def take_out_of(complaints: list[str], expected: str) -> None:
    """Remove the messages that a browser logs about a cut connection."""
    complaints[:] = [said for said in complaints if expected not in said]


def expect_to_move(page: Page, before: dict[str, int], matadors: set[str]) -> None:
    """Wait until the ranking shows one more corrida for each of the three matadors and for
    nobody else.
    """
    wait_until(lambda: figures(page) != before, "The corrida is not posted.")
    after = figures(page)
    grown = {slug: after[slug] - before.get(slug, 0) for slug in after}
    assert len(matadors) == 3
    assert {slug: more for slug, more in grown.items() if more} == dict.fromkeys(matadors, 1)
