"""The search box in a browser: a key, a few letters, an arrow, and one is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor


def test_a_matador_is_found_by_keyboard(visit: Visitor) -> None:
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


def test_a_phone_has_a_page_for_it(visit: Visitor) -> None:
    page = visit()
    page.set_viewport_size(PHONE)
    page.goto("/")
    page.locator("header").get_by_role("link", name="Search").click()
    page.get_by_role("searchbox").fill("montera")
    expect(page.locator("#seek-results")).to_contain_text("black hat")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
