"""A visitor searches for a matador in the list, compares him with others, and reads about
injuries.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.conftest import DESK

if TYPE_CHECKING:
    from tests.e2e.conftest import Visitor


def test_visitor_finds_a_matador_compares_and_reads_about_injuries(visit: Visitor) -> None:
    page = visit(viewport=DESK)
    page.goto("/")
    page.locator("header").get_by_role("link", name="Matadors").click()
    page.get_by_label("Name", exact=True).fill("joselito")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("q=joselito"))
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(1)
    page.get_by_role("link", name="Reset").click()
    page.get_by_role("link", name="Rating").click()
    expect(page).to_have_url(re.compile("sort=rating"))
    expect(page.get_by_role("columnheader", name="Rating")).to_have_attribute(
        "aria-sort", "descending"
    )
    for row in (0, 1):
        rows.nth(row).get_by_role("checkbox").check()
    page.get_by_role("button", name="Compare the chosen matadors").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare matadors")
    expect(page.locator(".list-man")).to_have_count(2)
    page.get_by_label("Add a matador").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".list-man")).to_have_count(3)
    page.get_by_role("link", name="Infirmary").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Infirmary")
