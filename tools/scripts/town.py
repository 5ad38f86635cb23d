"""Screenshots of El Toro: front page, a table of six, an evening with its result, a saved board."""

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")  # the cards' names need it

from tests.e2e.beach import lay_out, with_friends
from tests.e2e.club import tap
from tests.e2e.street import decide
from tests.e2e.table import wait_for_script, wait_while

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOTS = 5
# Number of the player's own decisions, after which the town is full of dice and signs.
DECISIONS = 6
CARD = "#stage .elt-card input[name=card]"
# Milliseconds within which a response has replaced the previous content.
SETTLED_MS = 1500
ARRIVED = {
    "Restaurant": {"Ana": 3, "Blas": 1},
    "Nightclub": {"Ana": 1, "Blas": 4},
    "Casino": {"Ana": 2},
    "Festival": {"Blas": 2},
    "Bank": {"Ana": 1},
}


def take_the_town(page: "Page", take_all: "Callable[[Page, str], None]") -> None:
    page.goto("/eltoro/")
    take_all(page, "eltoro")
    _hand_in(page)
    take_all(page, "evening")
    _keep_a_board(page)
    take_all(page, "keeper")
    _sit_down(page)
    take_all(page, "town")


def _sit_down(page: "Page") -> None:
    page.goto("/tables/new/?game=eltoro")
    if page.get_by_label("Your name").count():
        page.get_by_label("Your name").fill("Ana")
    page.locator("input[name=seats][value='6']").check()
    page.locator("input[name=bots]").fill(str(BOTS))
    page.locator("input[name=seconds]").fill("900")
    page.get_by_role("button", name="Lay the table").click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))
    wait_for_script(page)
    for number in range(2 * DECISIONS):
        if wait_while(page, "theirs") != "mine":
            return
        if number >= DECISIONS and page.locator(CARD).count():
            break
        decide(page, set())
    page.locator("#stage .elt-card").first.click()


def _hand_in(page: "Page") -> None:
    with_friends(page, "Ana", "Blas")
    page.get_by_text("Where runners arrived").first.click()
    page.wait_for_load_state()
    lay_out(page, ARRIVED)


def _keep_a_board(page: "Page") -> None:
    page.get_by_role("link", name="Keep the board here").click()
    page.locator("button[value=all]").click()
    tap(page, "The site draws them")
    page.locator("#asked-h", has_text="1s").or_(
        page.locator("#asked-h", has_text="card")
    ).wait_for()
    while page.locator("#asked-h", has_text="1s").count():
        for row in page.locator("fieldset.kp-row").all():
            row.locator("label").first.click()
        tap(page, "Save these places")
        page.wait_for_timeout(SETTLED_MS)
