"""What the script of the play control shows of the site's answers, without a site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import new_context

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

STATIC = Path(__file__).parents[2] / "static" / "js"
TEMPLATE = Path(__file__).parents[2] / "templates" / "corridas" / "play.html"
SITE = "http://play.example/"
# For each date: the number of corridas, the open carteles, and the error message.
ANSWERS = {
    "2027-05-01": ("1 corrida", "", ""),
    "2027-05-08": ("4 corridas", "Contracts 2 open carteles", ""),
    "2027-05-09": ("4 corridas", "Contracts 3 open carteles", ""),
    "2027-06-30": ("9 corridas", "Contracts 3 open carteles", ""),
    "2026-01-01": ("0 corridas", "", "No corridas are left up to this date."),
}
PARTS = ("play-until-count", "play-until-takes", "play-until-error")


def control(day: str) -> str:
    """Return the play control for this date."""
    spans = "".join(
        f'<span id="{part}">{text}</span>' for part, text in zip(PARTS, ANSWERS[day], strict=True)
    )
    return f"""
        <details open><summary>Play</summary>
        <label>Date <input type="date" id="play-until" value="{day}"></label>{spans}</details>
    """


def answer(route: Route) -> None:
    day = route.request.url.partition("until=")[2]
    if day:
        html = f'<div data-part="play">{control(day)}</div><div data-part="band"></div>'
    else:
        html = f"""
            <!doctype html><title>Play</title>
            <div id="play" data-load="/jugar/">{control("2027-05-01")}</div>
            <div id="play-band"></div><p id="play-said"></p>
        """
    route.fulfill(body=html, content_type="text/html")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = new_context(browser)
    page = context.new_page()
    page.route(f"{SITE}**", answer)
    page.goto(SITE)
    page.add_script_tag(path=STATIC / "keys.js")
    page.add_script_tag(path=STATIC / "play.js")
    yield page
    context.close()


@pytest.mark.parametrize("before", ANSWERS)
def test_every_part_that_depends_on_the_date_is_replaced(page: Page, before: str) -> None:
    """Texts appear, change and disappear again."""
    field = page.get_by_label("Date")
    for day in (before, *ANSWERS):
        field.fill(day)
        for part, text in zip(PARTS, ANSWERS[day], strict=True):
            expect(page.locator(f"#{part}")).to_have_text(text)


@pytest.mark.parametrize("seconds", [0, 1, 3])
def test_a_run_that_ended_while_the_tab_was_hidden_is_shown_with_the_tab(
    page: Page, seconds: int
) -> None:
    """Another tab reports the run, whose state is not requested before this tab is shown."""
    asked = []

    def ended(route: Route) -> None:
        run = route.request.url.partition("seen=")[2]
        asked.append(run)
        band = f"Run {run} has ended." if run else ""
        parts = f'<div data-part="play"></div><div data-part="band">{band}</div>'
        route.fulfill(body=parts, content_type="text/html")

    page.route(f"{SITE}jugar/**", ended)
    page.clock.install()
    page.evaluate(
        """
        window.isHidden = true;
        Object.defineProperty(document, "hidden", { get: () => window.isHidden });
        document.dispatchEvent(new CustomEvent("run-seen", { detail: "7" }));
        """
    )
    page.clock.run_for(1000 * seconds)
    assert asked == []
    page.evaluate("window.isHidden = false")
    with page.expect_request(f"{SITE}jugar/**") as request:
        page.clock.run_for(1000)
    assert request.value.url.endswith("?seen=7")
    expect(page.locator("#play-band")).to_have_text("Run 7 has ended.")
    assert asked == ["7"]


def test_the_page_has_exactly_these_parts_that_depend_on_the_date() -> None:
    there = set(re.findall(r'id="(play-until-\w+)"', TEMPLATE.read_text()))
    assert there == set(PARTS)
