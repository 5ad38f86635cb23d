"""Lessons can be read, answered and completed with the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from lessons.loading import SLUGS, find_lesson
from tests.e2e.conftest import sweep

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.conftest import Visitor

# Maximum number of presses of the Tab key until an element is reached.
MOST = 60


def tab_to(page: Page, selector: str) -> None:
    for _press in range(MOST):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the tab key does not lead to {selector}")


@pytest.mark.parametrize("slug", sweep(SLUGS, "a-day-in-el-toro"))
def test_lesson_can_be_completed_with_the_keyboard(visit: Visitor, slug: str) -> None:
    lesson = find_lesson(slug)
    assert lesson is not None
    page = visit()
    page.goto("/lecciones/")
    tab_to(page, f"main a[href='/lecciones/{slug}/']")
    page.keyboard.press("Enter")
    for number, step in enumerate(lesson.steps, start=1):
        expect(page.locator("#step")).to_have_text(f"Step {number} of {len(lesson.steps)}")
        if number > 1:
            expect(page.locator("#step")).to_be_focused()
        if step.ask:
            tab_to(page, "main input[type=radio]")
            page.keyboard.press("Space")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            expect(page.locator("#answer")).to_be_focused()
            expect(page.locator("#answer")).to_contain_text(f"Ruling {step.ask.ruling}")
        tab_to(page, "main a.go")
        page.keyboard.press("Enter")
    expect(page).to_have_url(f"{page.url.partition('/lecciones/')[0]}/lecciones/")


def test_lesson_reports_a_missing_answer(visit: Visitor, complaints: list[str]) -> None:
    page = visit()
    page.goto("/lecciones/the-number/?step=2")
    page.get_by_role("button", name="Check answer").press("Enter")
    expect(page.locator("#answer")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Choose one")).to_be_visible()
    complaints.clear()  # the browser notes the 422
