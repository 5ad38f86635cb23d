"""The roster in the admin: a matador card that was used is edited, and both editions remain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, Visitor, take_the_chair

if TYPE_CHECKING:
    from playwright.sync_api import Page


def open_a_printed_matador(page: Page) -> None:
    """Open the first matador in the admin whose newest card is on a cartel."""
    page.goto("/admin/corridas/matador/?card=printed&o=-3")
    page.locator("#result_list th.field-distinguished_name a").first.click()
    page.wait_for_url(re.compile("/change/"))


def field(page: Page, name: str) -> str:
    return f"#id_cards-0-{name}"


def edit_and_see_both(page: Page) -> None:
    open_a_printed_matador(page)
    heading = page.get_by_role("heading", name=re.compile(r"Printing \d+ \(next\)"))
    number = int(re.findall(r"\d+", heading.inner_text())[0])
    page.get_by_text("is locked. Your changes").wait_for()
    save = page.locator("input[name=_continue]")

    # A gap between ranges is rejected while it is typed, next to its field, and the form cannot be
    # saved.
    ovacion = page.locator(field(page, "ovacion"))
    before = ovacion.input_value()
    low = before.split("-")[0]
    ovacion.fill(low)
    page.locator(".said.bad").wait_for()
    expect(page.locator(field(page, "ovacion") + "_why")).to_contain_text("No range contains")
    expect(save).to_be_disabled()
    expect(page.locator(".hundred.live rect.gap")).to_have_count(1)
    expect(ovacion).to_have_attribute("aria-invalid", "true")

    # After the correction, a key moves the upper end of a range together with its neighbour.
    ovacion.fill(before)
    expect(save).to_be_enabled()
    oreja = page.locator(field(page, "oreja"))
    began = int(oreja.input_value().split("-")[0])
    ovacion.press("ArrowUp")
    expect(oreja).to_have_value(re.compile(f"^{began + 1}(-|$)"))
    expect(page.locator(".hundred.live rect.gap, .hundred.live rect.both")).to_have_count(0)
    page.locator(".said", has_text="is used once").wait_for()

    save.click()
    page.get_by_role("heading", name=f"Printing {number}, open for editing").wait_for()
    printings = page.locator(".printings article h3")
    for place, (printing, state) in enumerate(((number, "open"), (number - 1, "printed"))):
        told = re.compile(rf"Printing {printing}\b.*{state}", re.IGNORECASE | re.DOTALL)
        expect(printings.nth(place)).to_have_text(told)


def test_used_card_can_be_edited_on_a_phone_and_both_editions_remain(visit: Visitor) -> None:
    page = visit()
    take_the_chair(page)
    edit_and_see_both(page)


@pytest.mark.nightly
def test_desktop_admin_simulates_lidias_and_checks_the_roster(visit: Visitor) -> None:
    page = visit(viewport=DESK)
    take_the_chair(page)
    edit_and_see_both(page)
    page.get_by_role("link", name="Simulate 1,000 lidias").first.click()
    page.get_by_role("heading", name=re.compile("1,000 lidias")).wait_for()
    expect(page.locator("table.shares tbody tr")).to_have_count(13)
    page.goto("/admin/")
    page.get_by_role("link", name="Check the roster").first.click()
    page.locator(".findings").wait_for()
    expect(page.locator(".findings li.wrong")).to_have_count(0)


def test_ranges_are_text_fields_without_scripts(visit: Visitor) -> None:
    chair = visit()
    take_the_chair(chair)
    cookies = chair.context.cookies()
    page = visit(java_script_enabled=False)
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    open_a_printed_matador(page)
    page.locator(field(page, "ovacion")).fill("1")
    page.locator("input[name=_save]").click()
    expect(page.locator(".card-form .errorlist").first).to_contain_text("Ruling I-13")
