"""The "What happened" page: a director plays until an injury, reads about it and finds the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE, Visitor, take_the_chair
from tests.e2e.test_desk import agree
from tests.e2e.test_every_page import examine, width
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Bottom edges in pixels of the parts that must be visible with little scrolling.
ALL_BY = 1350
NEXT_BY = 1266


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box
    return box["y"] + box["height"]


def play_to_the_first_injury(page: Page) -> None:
    """Play to the end of the season, or until a matador is injured."""
    page.locator("#play summary").click()
    page.get_by_label("a matador is injured").check(force=True)
    page.get_by_role("button", name="Play to the end of the season").click()
    agree(page)
    wait_until(lambda: not page.locator("#play-band [data-active]").count(), "It does not end.")


@pytest.mark.nightly
def test_digest_page_fits_one_and_a_half_screens(visit: Visitor) -> None:
    page = visit(viewport=DESK, reduced_motion="reduce")
    take_the_chair(page)
    page.goto("/direccion/")
    play_to_the_first_injury(page)
    page.goto("/temporada/")
    page.get_by_role("link", name="What happened").click()
    page.locator(".dg-lines a").first.click()
    expect(page.locator(".dg-stop").first).to_contain_text("a matador was injured")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert bottom(page, ".dg-all") <= ALL_BY
    expect(page.locator(".dg-tardes")).to_be_visible()
    page.set_viewport_size(PHONE)
    assert max(bottom(page, ".dg-hurt"), bottom(page, ".dg-next")) <= NEXT_BY
    assert width(page) == (0, "")
    expect(page.locator(".dg-tardes")).to_be_hidden()
    page.get_by_role("heading", name="Afternoons and trophies").or_(
        page.get_by_role("heading", name="The best afternoons")
    ).click()
    expect(page.locator(".dg-tardes")).to_be_visible()
    assert examine(page) == []
    page.get_by_role("link", name="Show all").click()
    expect(page.get_by_role("link", name="Show less")).to_be_visible()
    folds = page.locator(".dg-fold").count()
    expect(page.locator(".dg-fold[open]")).to_have_count(folds)
    page.locator(".dg-stop a").last.click()
    expect(page.locator("#viewer")).to_be_visible()
