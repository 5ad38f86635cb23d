"""The end of a season in a browser: the winner is shown, and one key press starts the next
season.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.e2e.accents import cut_off
from tests.e2e.club import sign_up
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.e2e.test_circuit import HOME, found_circuit
from tests.e2e.test_desk import agree

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_director_sees_the_winner_and_continues(visit: Visitor) -> None:
    page = visit(viewport=DESK)
    sign_up(page, "apoderada")
    found_circuit(page, "Circuito del Final")
    home = HOME.replace("barrio", "final")
    page.goto(f"{home}direccion/")
    page.locator("#play summary").click()
    page.get_by_role("button", name="Play to the end of the season").click()
    agree(page)
    page.locator("#play-band").get_by_text("Done").wait_for()
    page.goto(f"{home}direccion/")
    page.get_by_role("link", name="See how the season ended").click()
    page.wait_for_url(re.compile(r"/temporada/\d+/final/$"))
    over = page.url
    champion = page.get_by_role("heading", level=1).inner_text()
    expect(page.locator(".so-final li").first).to_contain_text(champion, ignore_case=True)
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        examine(page)
    button = page.get_by_role("button", name="Go to the next season")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/temporada/\d+/$"))
    assert page.url != over.replace("final/", "")
    page.goto(over)
    expect(page.get_by_role("heading", level=1)).to_have_text(champion, ignore_case=True)
    page.locator("#next").get_by_role("link", name="Go to the winter").click()
    expect(page.get_by_role("heading", name="El Invierno")).to_be_visible()


def examine(page: Page) -> None:
    """Check that the page fits its window, has room for accents, and passes axe."""
    assert cut_off(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not Axe().run(page).response["violations"]
