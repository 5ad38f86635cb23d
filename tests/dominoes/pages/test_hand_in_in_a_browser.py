"""The form for domino results can be used with the keyboard alone.

All tiles of a hand are a single stop of the Tab key; arrow keys move between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from dominoes.engine import Rules
from leagues.models import Match
from tests.browser import new_context
from tests.factories import account
from tests.factories import browser as signed_in
from tests.leagues.pages.matches.games import DOMINOES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.django_db(transaction=True)

FOCUSED = """() => {
    const here = document.activeElement;
    return here.getAttribute("aria-label") || here.textContent.trim().replace(/\\s+/g, " ");
}"""


@pytest.fixture
def match() -> Match:
    two = [account(name) for name in ("ana", "blas")]
    rules = Rules(hand_size=2, boneyard="pass", target=50)
    return DOMINOES.open(DOMINOES.league(two[0], *two, rules=rules.options()), two)


@pytest.fixture(params=[390, pytest.param(1280, marks=pytest.mark.nightly)])
def page(
    browser: Browser, live_server: LiveServer, match: Match, request: pytest.FixtureRequest
) -> Iterator[Page]:
    """The form in a browser tab of the first player, on a narrow and on a wide screen."""
    context = new_context(
        browser,
        base_url=live_server.url,
        locale="en-GB",
        viewport={"width": request.param, "height": 900},
    )
    ana = match.seats.get(number=0).player
    session = signed_in(ana).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    opened = context.new_page()
    opened.goto(DOMINOES.url(match))
    yield opened
    context.close()


def tab(page: Page) -> str:
    page.keyboard.press("Tab")
    focused: str = page.evaluate(FOCUSED)
    return focused


def press_keys(page: Page, *keys: str) -> str:
    """Press keys one after the other and return the name of the element that then has the focus."""
    for key in keys:
        page.keyboard.press(key)
    focused: str = page.evaluate(FOCUSED)
    return focused


def test_pips_can_be_entered_and_submitted_with_few_presses_of_tab(
    page: Page, match: Match
) -> None:
    page.locator("input[name=out][value='0']").focus()
    page.keyboard.press("Space")
    tab(page)
    expect(page.locator("input[name=who][value='1']")).to_be_focused()
    assert tab(page) == "0-0"
    assert tab(page) == "Pips left in blas’s hand"
    page.keyboard.type("11")
    assert tab(page) == "Submit hand"
    page.locator("#answer").get_by_text("11 points").first.wait_for()
    assert (
        page.evaluate(FOCUSED) == "Submit hand"
    )  # the answer replaces the button, which keeps the focus
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_text("The hand has been saved.")).to_be_visible()
    match.refresh_from_db()
    assert match.draft is not None
    assert match.draft["hands"][0]["held"][1] == {"pips": 11}


def test_form_can_be_submitted_before_the_referee_has_answered(page: Page, match: Match) -> None:
    """A fast typist presses the button before the answer to the last field has arrived."""
    page.locator("input[name=out][value='0']").check(force=True)
    page.get_by_label("Pips left in blas’s hand").fill("11")
    assert tab(page) == "Submit hand"
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_text("The hand has been saved.")).to_be_visible()


def test_arrow_keys_move_the_focus_from_tile_to_tile(page: Page, match: Match) -> None:
    page.locator("input[name=out][value='0']").check(force=True)
    page.locator(".in-hand[data-seat='1'] .in-tile input").first.focus()
    assert press_keys(page, "ArrowRight") == "1-0"
    assert (
        press_keys(page, "ArrowLeft", "ArrowLeft") == "0-0"
    )  # the first tile has no left neighbour
    first_row = page.evaluate(FOCUSED)
    below = press_keys(page, "ArrowDown")
    assert below != first_row
    assert press_keys(page, "ArrowUp") == first_row
    last = press_keys(page, "End")
    assert press_keys(page, "Home") == "0-0"
    press_keys(page, "ArrowRight", "Space")
    assert page.locator(".in-hand[data-seat='1'] :checked").get_attribute("value") == "1|0"
    press_keys(page, "End", "Tab")
    assert press_keys(page, "Shift+Tab") == last  # the focus returns to the same tile
    expect(page.locator("#keys-left")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_all_playable_tiles_are_a_single_stop_of_the_tab_key(page: Page, match: Match) -> None:
    page.locator("button[value='input_mode:moves']").click()
    page.locator("button[name=leader][value='0']").click()
    tiles = page.locator("button.in-tile")
    expect(tiles).to_have_count(28)
    assert tiles.evaluate_all("all => all.filter((one) => one.tabIndex === 0).length") == 1
    tiles.first.focus()
    assert press_keys(page, "ArrowRight") == tiles.nth(1).get_attribute("aria-label")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.matches('.in-tile')")
