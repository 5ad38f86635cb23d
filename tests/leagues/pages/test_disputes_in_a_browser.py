"""A dispute and a correction in a wide browser window, with the keyboard only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Error, expect
from pytest_django.live_server_helper import LiveServer

from dominoes.engine import Rules as DominoRules
from leagues.matches.operations.matches import hand_in
from leagues.models import Match, Player
from tests import factories
from tests.e2e.conftest import DESK
from tests.leagues.pages.matches.games import DOMINOES
from tests.leagues.pages.test_leagues_in_a_browser import phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

MOST_TABS = 200


@contextmanager
def desk(browser: Browser, live_server: LiveServer, player: Player, match: Match) -> Iterator[Page]:
    """Open the page of the match in a wide window."""
    with phone(browser, live_server, player) as page:
        page.set_viewport_size(DESK)
        page.goto(reverse("match", args=[match.pk]))
        yield page
        wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0


def has_focus(wanted: Locator) -> bool:
    try:
        return bool(wanted.evaluate("one => one === document.activeElement"))
    except Error:
        # The response to the last form may still be replacing the page.
        return False


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the element has the focus, which must be visible."""
    for _tab in range(MOST_TABS):
        if has_focus(wanted):
            assert wanted.evaluate("one => getComputedStyle(one).outlineStyle") != "none"
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {wanted}")


def press(page: Page, name: str) -> None:
    tab_to(page, page.get_by_role("button", name=name, exact=True))
    page.keyboard.press("Enter")


def write(page: Page, label: str, text: str) -> None:
    tab_to(page, page.get_by_label(label))
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


@pytest.mark.django_db(transaction=True)
def test_dispute_and_correction_with_the_keyboard_only(
    browser: Browser, live_server: LiveServer
) -> None:
    office, beto = factories.account("office"), factories.account("beto")
    rules = DominoRules(target=20).options()
    league = DOMINOES.league(office, office, beto, rules=rules, seats=2)
    match = factories.match(league, office, beto)
    hand = {"leader": None, "out": 0, "blocked": False, "held": [None, {"pips": 24}]}
    match = hand_in(
        match=match,
        version=match.version,
        by=office,
        at=timezone.now(),
        content={"hands": [hand]},
    )
    with desk(browser, live_server, beto, match) as page:
        tab_to(page, page.locator("summary", has_text="Is something wrong?"))
        page.keyboard.press("Enter")
        write(page, "What is wrong", "I had fewer tiles left.")
        press(page, "Dispute result")
        expect(page.get_by_role("heading", name="Disputed")).to_be_visible()
    for answer, state in (("Reject proposal", "Disputed"), ("Agree", "Confirmed")):
        with desk(browser, live_server, office, match) as page:
            write(page, "Brief reason", "We counted them together.")
            press(page, "Propose that the result stands")
            expect(
                page.get_by_text(
                    "This proposal is waiting for an answer from a player on the other side."
                )
            ).to_be_visible()
        with desk(browser, live_server, beto, match) as page:
            press(page, answer)
            expect(page.get_by_role("heading", name=state)).to_be_visible()
    with desk(browser, live_server, office, match) as page:
        press(page, "Correct result")
        press(page, "Change hand 1")
        write(page, "Pips left in beto’s hand", "31")
        press(page, "Preview changes")
        expect(page.get_by_text("Preview of the changes")).to_be_visible()
        write(page, "Brief reason", "Seven pips were not counted.")
        press(page, "Correct result")
        # The organiser played, so the other player confirms the correction.
        expect(page.get_by_role("heading", name="Awaiting confirmation")).to_be_visible()
    with desk(browser, live_server, beto, match) as page:
        press(page, "Confirm result")
        expect(page.get_by_role("heading", name="Confirmed")).to_be_visible()
    match.refresh_from_db()
    assert match.sheet is not None
    assert (match.state, match.sheet.points) == (Match.State.CONFIRMED, [31, 0])
