"""The search box in a browser: open it with a key, type a few letters, and choose with an arrow
key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor


def test_matador_can_be_found_with_the_keyboard(visit: Visitor) -> None:
    page = visit(viewport=DESK)
    page.goto("/")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("paq", delay=40)
    first = page.locator("#find-results a.hit").first
    expect(first).to_contain_text("Paquiro")
    expect(page.locator("header [role=status]")).to_contain_text("result")
    page.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#find-results")).to_be_empty()
    page.keyboard.type("u", delay=40)
    first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/matadores/paquiro/")


def test_search_has_a_separate_page_on_phones(visit: Visitor) -> None:
    page = visit()
    page.set_viewport_size(PHONE)
    page.goto("/")
    page.locator("header").get_by_role("link", name="Search").click()
    page.get_by_role("searchbox").fill("montera")
    expect(page.locator("#seek-results")).to_contain_text("black hat")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
