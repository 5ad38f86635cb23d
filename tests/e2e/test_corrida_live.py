"""From the front page to the escalafón: nobody who watches a corrida misses a card of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.conftest import (
    Visitor,
    figures,
    moment,
    put_on_air,
    record,
    take_the_chair,
    wait_for_stage,
)
from tests.e2e.line import Line

if TYPE_CHECKING:
    from playwright.sync_api import Page

PACE_MS = 110
AWAY_MS = 5000
TO_THE_END_MS = 120_000

WATCH = """
    window.seen = [Number(document.getElementById("stage").dataset.moment)];
    window.loadedAt = performance.timeOrigin;
    new MutationObserver((changes) => changes.forEach(({ target }) =>
        window.seen.push(Number(target.dataset.moment))
    )).observe(document.getElementById("stage"), { attributeFilter: ["data-moment"] });
"""


def wait_until_shown(page: Page, number: int, timeout: float = 20_000) -> None:
    page.wait_for_function(
        "number => Number(document.getElementById('stage').dataset.moment) >= number",
        arg=number,
        timeout=timeout,
    )


def test_from_the_front_page_to_the_escalafon_without_missing_a_card(
    visit: Visitor, line: Line, complaints: list[str]
) -> None:
    page = visit(base_url=line.url)
    follow_from_home(page)
    take_the_chair(page)
    before = figures(page)
    corrida = put_on_air(page, PACE_MS)
    wait_for_stage(page, corrida)
    began = moment(page)
    page.evaluate(WATCH)

    wait_until_shown(page, began + 10)  # ten cards, and the page was loaded once
    lose_the_line(page, line)
    take_out_of(complaints, "ERR_")

    page.locator(".co-outcome").wait_for(timeout=TO_THE_END_MS)
    assert page.evaluate("performance.timeOrigin === window.loadedAt")
    seen = page.evaluate("window.seen")
    assert began <= seen[0]  # a card may fall between the two looks
    assert seen == list(range(seen[0], seen[-1] + 1))
    told = record(page)
    first, last, received = (int(told[name]) for name in ("first", "last", "received"))
    assert (last, received) == (seen[-1], last - first + 1)
    matadors = set(page.locator(".co-terna a").evaluate_all(SLUGS))
    expect_to_move(page, before, matadors)


SLUGS = "links => links.map(link => link.getAttribute('href').split('/')[2])"


def follow_from_home(page: Page) -> None:
    """The site keeps a corrida on the sand: the front page leads there, and it goes on."""
    page.goto("/")
    page.get_by_role("link", name="Watch the ring").click()
    page.locator("#viewer[data-mode=live].is-scripted").wait_for()
    wait_until_shown(page, moment(page) + 1)


def lose_the_line(page: Page, line: Line) -> None:
    """The network is gone for five seconds: the picture stands still, then it goes on."""
    with line.cut():
        page.context.set_offline(True)
        page.wait_for_timeout(500)
        stood = moment(page)
        page.wait_for_timeout(AWAY_MS - 500)
        assert moment(page) == stood
        page.context.set_offline(False)
    wait_until_shown(page, stood + AWAY_MS // PACE_MS)


def take_out_of(complaints: list[str], expected: str) -> None:
    """The browser itself complains of a line that is cut, and of nothing else."""
    complaints[:] = [said for said in complaints if expected not in said]


def expect_to_move(page: Page, before: dict[str, int], matadors: set[str]) -> None:
    """One afternoon more for each of the three, for nobody else, seconds after the end."""
    after = figures(page)
    for _ in range(20):
        if after != before:
            break
        page.wait_for_timeout(500)
        after = figures(page)
    grown = {slug: after[slug] - before.get(slug, 0) for slug in after}
    assert len(matadors) == 3
    assert {slug: more for slug, more in grown.items() if more} == dict.fromkeys(matadors, 1)
