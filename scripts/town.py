"""What to show of El Toro: its front page, a table of six, an evening handed in, a board kept."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.e2e.beach import lay_out, with_friends
from tests.e2e.club import press
from tests.e2e.street import decide
from tests.e2e.table import wait_for_script, wait_while

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOTS = 5
DECISIONS = 6
"""So many of one's own, and the town is full of dice and signs."""
ARRIVED = {
    "Restaurant": {"Ana": 3, "Blas": 1},
    "Nightclub": {"Ana": 1, "Blas": 4},
    "Casino": {"Ana": 2},
    "Festival": {"Blas": 2},
    "Bank": {"Ana": 1},
}


def take_the_town(page: "Page", take_all: "Callable[[Page, str], None]") -> None:
    """Every page of the town, by `take_all(page, name)`."""
    page.goto("/eltoro/")
    take_all(page, "eltoro")
    _hand_in(page)
    take_all(page, "evening")
    _keep_a_board(page)
    take_all(page, "keeper")
    _sit_down(page)
    take_all(page, "town")


def _sit_down(page: "Page") -> None:
    """A table of six, five bots, some decisions, and a card chosen."""
    page.goto("/tables/new/?game=eltoro")
    if page.get_by_label("Your name").count():
        page.get_by_label("Your name").fill("Ana")
    page.locator("input[name=seats][value='6']").check()
    page.locator("input[name=bots]").fill(str(BOTS))
    page.locator("input[name=seconds]").fill("900")
    page.get_by_role("button", name="Lay the table").click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))
    wait_for_script(page)
    for _ in range(DECISIONS):
        if wait_while(page, "theirs") != "mine":
            return
        decide(page, set())
    wait_while(page, "theirs")
    page.locator("#stage .elt-card").first.click()


def _hand_in(page: "Page") -> None:
    """Day by day, the first day half written down."""
    with_friends(page, "Ana", "Blas")
    page.get_by_text("Where runners arrived").first.click()
    page.wait_for_load_state()
    lay_out(page, ARRIVED)


def _keep_a_board(page: "Page") -> None:
    """The site rolls; the morning is over, and a card is asked for."""
    with_friends(page, "Ana", "Blas")
    page.get_by_role("link", name="Keep the board here").click()
    page.locator("button[value=all]").click()
    for _ in range(12):
        page.wait_for_load_state()
        asked = page.locator("#asked-h").inner_text()
        if "card" in asked:
            return
        press(
            page, page.locator("#asked button:visible, .kp-asked button:visible").first.inner_text()
        )
