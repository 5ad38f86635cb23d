"""A director chooses a cartel by chances, reads what a swap changes, and compares at the end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.club import sign_up
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.e2e.test_circuit import HOME, found_circuit
from tests.e2e.test_desk import agree
from tests.e2e.test_season_over import examine

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXPECTED = re.compile(r"(\d\.\d) ears expected")


def figure(page: Page) -> float:
    """Return the ears expected from the chosen cartel, by the heading of its effect."""
    heading = page.locator("#effect-h")
    expect(heading).to_have_text(EXPECTED)
    found = EXPECTED.search(heading.text_content() or "")
    assert found
    return float(found[1])


def test_a_cartel_is_chosen_by_chances_and_the_season_is_compared_with_them(
    visit: Visitor,
) -> None:
    page = visit(viewport=DESK)
    sign_up(page, "contratista")
    found_circuit(page, "Circuito del Azar")
    home = HOME.replace("barrio", "azar")
    page.goto(f"{home}direccion/")
    page.get_by_role("link", name=re.compile("^(Plan manually|Choose)")).last.click()
    expect(page.get_by_label("Sort by")).to_have_value("expected")
    first = page.locator("#list tbody tr").first
    expect(first.locator(".expected")).to_contain_text(re.compile(r"an ear \d+\s%, two \d+\s%"))
    for box in page.locator("input[name=matador]:checked").all():
        box.uncheck(force=True)
    expect(page.locator("#effect-h")).to_have_text("Choose 3 more matadors")
    page.get_by_role("button", name="Fill the rest").click()
    best = figure(page)
    expect(page.locator(".ca-effect tbody tr")).to_have_count(4)
    # After each swap, no cartel can expect more ears than the three best.
    page.locator(".ca-effect .swap button").first.click()
    expect(page.locator(".ca-effect .swap button").first).to_be_visible()
    assert figure(page) <= best
    swap = page.locator(".ca-effect .swap li").first
    expect(swap).to_contain_text(re.compile(r"\d\.\d (instead of \d\.\d )?ears from his two bulls"))
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        examine(page)
    page.set_viewport_size(DESK)
    page.locator(".ca-left").get_by_role("button", name="Announce this cartel").click()
    expect(page.get_by_role("status").get_by_text("has been announced")).to_be_visible()

    page.locator("#play summary").click()
    page.get_by_role("button", name="Play to the end of the season").click()
    agree(page)
    page.locator("#play-band").get_by_text("Done").wait_for()
    page.goto(f"{home}direccion/")
    page.get_by_role("link", name="See how the season ended").click()
    page.wait_for_url(re.compile(r"/temporada/\d+/final/$"))
    leaders = page.locator(".so-final li")
    expect(leaders).to_have_count(3)
    for leader in leaders.all():
        expect(leader).to_contain_text(
            re.compile(r"\d+ ears?\s.*\d+ ± \d+ ears expected", re.DOTALL)
        )
