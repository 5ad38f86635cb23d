"""The live page of a corrida shows ring, last card, points and controls without scrolling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser import new_context
from tests.e2e.clock import set_clock
from tests.e2e.conftest import (
    DESK,
    PHONE,
    Visitor,
    put_on_air,
    record,
    sweep,
    take_the_chair,
    wait_for_stage,
)
from tests.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PACE_MS = 600
# Number of cards drawn when the page is opened: the second bull is in the ring, or soon will be.
LATER = 60
# Pixels that remain free. A card with two texts of two lines is about 20 pixels higher than others.
SLACK = 20


@pytest.fixture(scope="module")
def on_air(browser: Browser, site: Site) -> str:
    """The path of a corrida on air, on the shared site."""
    context = new_context(browser, base_url=site.url, locale="en-GB")
    page = context.new_page()
    take_the_chair(page)
    address = put_on_air(page, PACE_MS)
    wait_for_stage(page, address)
    context.close()
    return address


def bottom(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def opened(visit: Visitor, site: Site, corrida: str, screen: ViewportSize, language: str) -> Page:
    """Open the page, paused at a card of a lidia."""
    set_clock(site, corrida, since=LATER * PACE_MS / 1000)
    page = visit(viewport=screen, locale=language)
    page.goto(corrida)
    page.locator("#viewer.is-scripted").wait_for()
    page.locator("#stage[data-phase=lidia] .co-card").first.wait_for()
    page.keyboard.press("k")
    assert record(page)["mode"] == "pause"
    return page


@pytest.mark.parametrize("language", sweep(["en-GB", "es-ES"], "es-ES"))
@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_ring_last_card_points_and_controls_need_no_scrolling(
    visit: Visitor, site: Site, on_air: str, screen: ViewportSize, language: str
) -> None:
    page = opened(visit, site, on_air, screen, language)
    keys = page.locator(".co-keys").bounding_box()
    assert keys is not None
    end = keys["y"] if screen is PHONE else screen["height"]
    parts = [page.locator(".co-ring"), page.locator(".co-card").last]
    parts += page.locator(".co-plate b").all()
    if screen is DESK:
        parts.append(page.locator(".co-keys"))
    assert len(parts) >= 4
    assert max(map(bottom, parts)) <= end - SLACK
    assert page.evaluate("scrollY") == 0
    assert keys["y"] + keys["height"] <= screen["height"]


OVERLAPS = """() => {
    const apart = (one, other) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) < 2 ||
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) < 4;
    return [...document.querySelectorAll(".co-plate, .co-tabs a, .co-terna li")].flatMap((box) => {
        const words = [...box.querySelectorAll("span, b")].filter((one) => !one.children.length);
        const seen = words.map((one) => one.getBoundingClientRect()).filter((one) => one.width > 1);
        const faults = seen.flatMap((one, place) =>
            seen.slice(place + 1).filter((other) => !apart(one, other)));
        return faults.map(() => box.innerText);
    });
}"""


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_longest_names_do_not_overlap_figures(
    visit: Visitor, site: Site, on_air: str, screen: ViewportSize
) -> None:
    page = opened(visit, site, on_air, screen, "en-GB")
    page.evaluate(
        "() => document.querySelectorAll('.co-plate span, .co-tm, .co-terna b')"
        ".forEach((name) => { name.textContent = 'Niño de la Palma'; })"
    )
    assert page.evaluate(OVERLAPS) == []
    page.locator("#bill summary").click()
    assert page.evaluate(OVERLAPS) == []
    emblem = page.locator(".co-emblem").bounding_box()
    assert emblem is not None
    for name in page.locator(".co-terna b").all():
        box = name.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= emblem["x"]


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_cartel_is_folded_to_one_line_and_opens_on_a_tap(
    visit: Visitor, site: Site, on_air: str, screen: ViewportSize
) -> None:
    page = opened(visit, site, on_air, screen, "en-GB")
    cartel, bulls = page.locator(".co-cartel"), page.locator(".co-herd")
    line = cartel.bounding_box()
    assert line is not None
    assert line["height"] <= 60
    expect(bulls).to_be_hidden()
    expect(page.locator("h1")).to_have_count(1)
    page.mouse.click(line["x"] + line["width"] / 2, line["y"] + line["height"] / 2)
    expect(bulls).to_be_visible()
    page.locator("#bill summary").press("Enter")
    expect(bulls).to_be_hidden()


def test_cartel_is_open_during_the_paseillo_and_folds_at_the_first_bull(
    visit: Visitor, on_air: str
) -> None:
    page = visit()
    page.goto(f"{on_air}0/0/")
    page.locator("#viewer.is-scripted").wait_for()
    expect(page.locator(".co-herd")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.locator("#stage[data-phase=lidia]").wait_for()
    expect(page.locator(".co-herd")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    page.locator("#stage[data-phase=paseillo]").wait_for()
    expect(page.locator(".co-herd")).to_be_visible()
