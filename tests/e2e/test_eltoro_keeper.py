"""A phone on a real table shows the El Toro board: steps are entered, undone and submitted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.club import path_of, press_button, submit, tap
from tests.e2e.conftest import DESK, Visitor
from tests.e2e.test_every_page import examine, width

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Minimum size in pixels of what a thumb taps.
LEAST_TAP = 44


def sit_down(page: Page, own: str = "Ana", other: str = "Blas") -> str:
    """Choose two players without accounts, and return the path of their board, which is still
    empty.
    """
    page.goto("/eltoro/boards/")
    page.get_by_role("link", name="Choose the players").click()
    page.get_by_label("Your name").fill(own)
    page.get_by_label("Seat 2").fill(other)
    press_button(page, "Go to the scoresheet")
    page.get_by_role("link", name="Follow the game on this site’s board").click()
    page.get_by_role("heading", name="Who rolls the dice?").wait_for()
    return path_of(page.url)


def question_text(page: Page) -> str:
    """Return what the page asks for next."""
    return page.locator("#asked-h").inner_text().lower()


def wait_asked(page: Page, words: str) -> None:
    page.locator("#asked-h", has_text=re.compile(words, re.IGNORECASE)).wait_for()


def type_dice(page: Page, field: str, faces: str) -> None:
    """Tap the faces of dice on the pad of a field."""
    pad = page.locator(f".kp-pad[data-for='{field}']")
    for face in faces:
        pad.locator(f"[data-face='{face}']").click()


def morning_by_hand(page: Page) -> None:
    """Enter everything for the first morning, with no 1 among the runners."""
    page.locator("button[value=board]").click()
    wait_asked(page, "the destinations")
    tap(page, "Let the site draw the destinations")
    wait_asked(page, "the bulls")
    type_dice(page, "bulls", "351")
    page.reload()
    page.locator(".kp-pad:visible").wait_for()
    expect(page.locator("#bulls")).to_have_value("3 5 1")  # what is typed survives
    type_dice(page, "bulls", "62")
    tap(page, "Save these numbers")
    wait_asked(page, "the runners")
    type_dice(page, "runners-a", "223344566")
    type_dice(page, "runners-b", "222222222")
    tap(page, "Save these numbers")
    wait_asked(page, "the last bulls")
    type_dice(page, "bulls", "4")
    tap(page, "Save these numbers")
    wait_asked(page, "What did the card do")


def small_taps(page: Page) -> list[str]:
    """Return the buttons and fields of the board that are smaller than a thumb."""
    found: list[str] = page.locator(
        ".kp button:visible, .kp select:visible, .kp summary:visible, .kp .kp-dice:visible"
    ).evaluate_all(
        "(all, least) => all.filter(one => { const box = one.getBoundingClientRect();"
        " return box.height < least - .5 || box.width < least - .5; })"
        ".map(one => one.outerHTML.slice(0, 90))",
        LEAST_TAP,
    )
    return found


def test_el_toro_board_can_be_entered_step_by_step_on_a_phone(visit: Visitor) -> None:
    """Enter the morning, a card, an undone step and the charge.

    Reloading the page loses nothing.
    """
    page = visit(has_touch=True)
    sit_down(page)
    morning_by_hand(page)
    assert small_taps(page) == []
    assert width(page) == (0, "")
    page.locator("#pick-a1").scroll_into_view_if_needed()
    expect(page.locator("#pick-a1")).to_be_in_viewport()  # and the faces it can show, together
    expect(page.locator("button[value='face:5']")).to_be_in_viewport(ratio=1)
    page.locator("#pick-a1").check(force=True)
    expect(page.locator("#pick-a1")).to_be_in_viewport()
    page.locator("button[value='face:5']").click()
    page.get_by_text("Ana’s runner 1: 2 → 5.").first.wait_for()
    tap(page, "Undo")
    page.locator(".kp-latest", has_text="Dice rolled for the bulls: 4.").wait_for()
    page.reload()
    wait_asked(page, "What did the card do")
    tap(page, "All players have played: move the runners")
    wait_asked(page, "The bulls charge")
    for rows in page.locator(".kp-row").all():
        safe = rows.locator(".kp-face:not(.is-danger) input").first
        safe.check(force=True)
    assert small_taps(page) == []
    tap(page, "Save these numbers")
    wait_asked(page, "What did the card do")
    expect(page.locator(".kp-when")).to_contain_text("step 2 of 4")


def test_second_of_two_devices_is_asked_to_look_again(visit: Visitor) -> None:
    """A tablet shows the same board as the phone.

    The later of two taps gets a message and the current board.
    """
    phone = visit()
    board = sit_down(phone)
    phone.locator("button[value=all]").click()
    wait_asked(phone, "the destinations")
    tablet = visit(storage_state=phone.context.storage_state(), viewport=DESK)
    tablet.goto(board)
    wait_asked(tablet, "the destinations")
    tap(phone, "Let the site draw the destinations")
    phone.locator(".kp-latest", has_text="Destinations laid out").wait_for()
    tap(tablet, "Let the site draw the destinations")
    tablet.get_by_role("alert").get_by_text(
        "Somebody else has made an entry on this board."
    ).wait_for()
    assert question_text(tablet) == question_text(phone)
    tablet.reload()
    expect(tablet.get_by_role("alert")).to_have_count(0)


def advance(page: Page) -> None:
    """Answer whatever the page asks for next, without playing a card."""
    if "1s" in question_text(page):
        for row in page.locator(".kp-row").all():
            row.locator("input").nth(2).check(force=True)
    submit(page, page.locator(".kp-side .btn.go:not(.kp-act .btn)").first)


@pytest.mark.nightly
def test_game_with_the_sites_dice_can_be_played_without_scripts(visit: Visitor) -> None:
    """Forms alone lead to the end.

    The submitted game then waits for the other player's confirmation.
    """
    page = visit(java_script_enabled=False)
    sit_down(page, "Carla", "Dani")
    submit(page, page.locator("button[value=all]"))
    for _press in range(60):
        if "the game is over" in question_text(page):
            break
        advance(page)
    expect(page.locator(".kp-scored li")).to_have_count(2)
    press_button(page, "Submit match")
    page.get_by_text("Awaiting confirmation by a second player").wait_for()


@pytest.mark.nightly
def test_el_toro_board_pages_are_accessible(visit: Visitor) -> None:
    """Check the pages of the board with axe, in light and dark colours."""
    page = visit(reduced_motion="reduce")
    sit_down(page)
    assert examine(page) == []
    morning_by_hand(page)
    for summary in page.locator(".kp-others summary").all():
        summary.click()
    assert small_taps(page) == []
    assert examine(page) == []
    page.goto("/eltoro/boards/")
    assert examine(page) == []
