"""Pages around a dominoes table: accessible, and a rematch takes one press of each player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser import new_context
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.e2e.table import (
    BETWEEN,
    MINE,
    OVER,
    THEIRS,
    choose,
    invitation,
    move_in_one_go,
    next_hand,
    open_table,
    sit_down,
    standing,
    wait_while,
)
from tests.e2e.test_every_page import examine, width
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.site import Site

# A set of six tiles, two for each player (Ruling D-1): the match ends after a few moves.
SMALL = {"own-highest": "2", "own-hand_size": "2", "own-boneyard": "pass", "own-target": "1"}


class BrowserRoom(NamedTuple):
    """The address of a page, and the browser storage of a user who may see it."""

    address: str
    state: Any


class Pair:
    """Two players in separate browsers, at tables with the smallest set."""

    def __init__(self, ana: Page, blas: Page) -> None:
        self.ana, self.blas = ana, blas

    def sit_down(self) -> str:
        """Create a table, let both sit down, and return its path."""
        address = open_table(self.ana, "own", name="Ana", house=SMALL)
        self.blas.goto(invitation(self.ana))
        sit_down(self.blas, "Blas")
        return address

    def begin(self) -> None:
        """Start the match and wait for the deal."""
        self.ana.get_by_role("button", name="Start match").click()
        for page in (self.ana, self.blas):
            page.locator("#stage[data-state=playing]").wait_for()

    def play_out(self) -> None:
        """Play until the match is over on both pages."""
        wait_until(self._is_over, "The match does not end.")

    def _is_over(self) -> bool:
        """Make the next move or ask for the next hand, and return whether the match is over."""
        for page in (self.ana, self.blas):
            if standing(page) == MINE:
                move_in_one_go(page)
            elif standing(page) == BETWEEN:
                next_hand(page)
        return {standing(self.ana), standing(self.blas)} == {OVER}


@pytest.fixture(scope="module")
def rooms(browser: Browser, site: Site) -> dict[str, BrowserRoom]:
    """One page of each kind, and a user who may see it."""
    contexts = [new_context(browser, base_url=site.url, locale="en-GB") for _ in range(2)]
    ana, blas = (context.new_page() for context in contexts)
    pair = Pair(ana, blas)
    over = pair.sit_down()
    pair.begin()
    pair.play_out()
    lobby = open_table(ana, "rulebook")
    state = contexts[0].storage_state()
    for context in contexts:
        context.close()
    found = {"lobby": lobby, "over": over, "replay": f"{over}replay/1/1/"}
    known = {"hall": "/tables/", "new table": "/tables/new/", "front": "/dominoes/"}
    rules = {"rules": "/dominoes/rules/"}
    return {kind: BrowserRoom(way, state) for kind, way in (found | known | rules).items()}


KINDS = ["lobby", "over", "replay", "hall", "new table", "front", "rules"]


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_pages_around_a_dominoes_table_are_accessible(
    visit: Visitor, rooms: dict[str, BrowserRoom], kind: str
) -> None:
    page = visit(viewport=PHONE, reduced_motion="reduce", storage_state=rooms[kind].state)
    page.goto(rooms[kind].address)
    expect(page.locator("h1")).to_have_count(1)
    assert width(page) == (0, "")
    assert examine(page) == []


@pytest.mark.nightly
def test_dominoes_table_is_accessible(visit: Visitor) -> None:
    """Check the table with a chosen tile and its possible places, a spectator's page, and a
    finished hand.
    """
    ana, blas, watcher = (visit(reduced_motion="reduce") for _ in range(3))
    pair = Pair(ana, blas)
    address = open_table(ana, "crosswise_open", name="Ana")
    blas.goto(invitation(ana))
    sit_down(blas, "Blas")
    pair.begin()
    watcher.goto(address)
    first = next(page for page in (ana, blas) if standing(page) == MINE)
    move_in_one_go(first)
    second = blas if first is ana else ana
    assert wait_while(second, THEIRS) == MINE
    fitting = second.locator("#stage label.can-play")
    if fitting.count():
        choose(second, fitting.first)
    for page in (second, first, watcher):
        assert width(page) == (0, "")
        assert examine(page) == []


def test_rematch_takes_one_press_of_each_player(visit: Visitor) -> None:
    pair = Pair(visit(viewport=DESK), visit())
    before = pair.sit_down()
    pair.begin()
    pair.play_out()
    for page in (pair.ana, pair.blas):
        page.get_by_role("button", name="Play a rematch").click()
        page.wait_for_function("before => location.pathname !== before", arg=before)
    pair.play_out()
    assert pair.ana.url == pair.blas.url
    for page in (pair.ana, pair.blas):
        expect(page.locator(".tab-places")).to_contain_text("Ana")
        expect(page.locator(".tab-places")).to_contain_text("Blas")
