"""A corrida at a real table in a browser: entered by cards on a phone or by sheet, and
confirmed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from corridas.world.roster import DATA, load_deck
from tests.e2e.afternoon import (
    cards_on_pad,
    figures,
    key_of_form,
    open_sheet,
    played,
    sit_down,
    strike,
    tap,
    write_sheet,
)
from tests.e2e.club import submit
from tests.e2e.conftest import DESK, PHONE, Visitor, take_the_chair
from tests.e2e.test_every_page import examine, width

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.site import Site


def test_lidia_can_be_entered_card_by_card_on_a_phone(visit: Visitor, site: Site) -> None:
    page = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    form = sit_down(page, "Carmen", "Diego")
    lidia, deck = played(site, form).lidias[0], load_deck(DATA)
    for card in lidia.draws:
        tap(page, card, deck.numbers[card])
    page.get_by_text("This lidia is over.").wait_for()
    expect(page.locator(".tt-tabs .is-stands")).to_have_count(1)
    assert width(page) == (0, "")
    targets = page.locator(".tt-digit, .tt-tabs a, .tt-tools .btn").evaluate_all(
        "all => Math.min(...all.map(one => one.getBoundingClientRect().height))"
    )
    assert targets >= 44


def test_cards_can_be_entered_with_the_keyboard(visit: Visitor, site: Site) -> None:
    page = visit(viewport=DESK)
    form = sit_down(page, "Elena", "Fidel")
    lidia, deck = played(site, form).lidias[0], load_deck(DATA)
    for card in lidia.draws[:5]:
        strike(page, card, deck.numbers[card])
    page.keyboard.press("Backspace")
    page.locator("#pad[data-drawn='4']").wait_for()
    page.keyboard.press(str(deck.numbers[lidia.draws[4]]))
    page.keyboard.press("Backspace")
    expect(page.locator("#pad input[name=digit]:checked")).to_have_count(0)
    assert cards_on_pad(page) == 4
    strike(page, lidia.draws[4], deck.numbers[lidia.draws[4]])
    page.keyboard.press(str(deck.numbers[lidia.draws[5]]))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator("#pad[data-drawn='6']").wait_for()


@pytest.mark.nightly
def test_mistake_on_a_sheet_is_reported_and_the_corrida_confirmed(
    visit: Visitor, site: Site
) -> None:
    page = visit(viewport=PHONE)
    form = sit_down(page, "Gloria", "Hilario")
    record = played(site, form)
    for bull, lidia in enumerate(record.lidias, start=1):
        open_sheet(page, bull)
        write_sheet(page, lidia)
        if bull == 1:
            slip(page, figures(lidia)["k-2"])
        page.get_by_role("button", name="Save this lidia").click()
        page.locator(f".tt-tabs li:nth-child({bull}).is-stands").wait_for()
    page.get_by_role("button", name="Submit corrida").click()
    page.get_by_text("Awaiting confirmation by a second player").wait_for()
    other = visit(viewport=PHONE)
    other.goto(f"/matches/key/{key_of_form(site, form)}/")
    submit(other, other.get_by_role("button", name="Hilario"))
    other.goto(form)
    other.get_by_role("button", name="Confirm result").click()
    other.get_by_text("Confirmed", exact=False).first.wait_for()
    expect(other.locator(".tt-results li")).to_have_count(6)


def slip(page: Page, right: str) -> None:
    """Enter a kill modifier that no card has, check the message at its line, and correct it."""
    page.locator("#tt-form [name=k-2]").fill("-99")
    page.locator("#tt-form [name=number]").focus()
    wrong = page.locator("#answer .is-bad")
    wrong.get_by_text("No card in this deck has this kill modifier.").wait_for()
    expect(page.get_by_role("button", name="Save this lidia")).to_be_disabled()
    page.locator("#tt-form [name=k-2]").fill(right)
    page.locator("#tt-form [name=number]").focus()
    page.locator("#answer:not(:has(.is-bad))").wait_for()


def test_director_assigns_a_corrida_and_extends_its_deadline(
    visit: Visitor, complaints: list[str]
) -> None:
    page = visit(viewport=PHONE, reduced_motion="reduce")
    take_the_chair(page)
    page.get_by_role("link", name="Corridas at real tables").click()
    page.locator("[name=name-0]").fill("Karla")
    page.get_by_role("button", name="Assign corrida").click()
    given = page.locator(".tt-list li").first
    given.locator("[name=until]").fill("2020-01-01T10:00")
    given.get_by_role("button", name="Extend the deadline").click()
    page.get_by_text("The new deadline must be later than the current one.").wait_for()
    assert "422" in complaints.pop()
    assert width(page) == (0, "")
    assert examine(page) == []
    given.locator("[name=until]").fill("2099-01-01T10:00")
    given.get_by_role("button", name="Extend the deadline").click()
    page.get_by_text("The players have until 1 Jan 2099, 10:00 to enter the result.").wait_for()
    page.goto("/direccion/")
    page.locator("section[aria-labelledby=tab-h]").get_by_text("Karla").wait_for()
    assert examine(page) == []
    page.goto("/direccion/mesas/")
    page.get_by_role("button", name="Undo").first.click()
    page.get_by_text("The corrida has been returned to its season.").wait_for()


@pytest.mark.nightly
def test_real_table_pages_are_accessible(visit: Visitor, site: Site) -> None:
    page = visit(viewport=PHONE, reduced_motion="reduce")
    for way in ("/tienta/", "/tienta/nueva/", "/imprenta/", "/imprenta/hoja/", "/imprenta/reglas/"):
        page.goto(way)
        assert width(page) == (0, "")
        assert examine(page) == []
    page.set_viewport_size(PHONE)
    form = sit_down(page, "Inés", "Jaime")
    for way in ("The cards", "Scoresheet", "Result only"):
        page.get_by_role("button", name=way, exact=True).click()
        page.locator(f"[aria-pressed=true]:has-text('{way}')").wait_for()
        assert width(page) == (0, "")
        assert examine(page) == []
        page.set_viewport_size(PHONE)
    page.goto(f"{form}hoja/")
    assert examine(page) == []
