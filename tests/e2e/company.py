"""Two who play a match at a table and one who watches it, each in a browser of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.e2e.book import TableRows
from tests.e2e.conftest import DESK, Visitor, take_the_chair
from tests.e2e.stream import Stream, cookies
from tests.e2e.table import (
    BETWEEN,
    MINE,
    OVER,
    THEIRS,
    invitation,
    move,
    move_in_one_go,
    next_hand,
    open_table,
    sit_down,
    standing,
    wait_for_script,
    wait_while,
)
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.line import ForwardingProxy
    from tests.site import Site

DELAY = 2
"""Seconds that watchers are behind."""
MOST_MOVES = 500
"""No hand of a double-six set lasts so long."""
SEAL = re.compile(r"hand (\d+) · sha-256 ([0-9a-f]{64})(?:\s*seed ([0-9a-f]{64}))?")
Seals = dict[int, tuple[str, str]]


class Company:
    """A table, and the pages and raw feeds of those around it.

    The host, at a desk and signed in, has seat 0; the guest, on a phone and on a line that can be
    cut, seat 1. `promised`: the commitment of each hand as it stood on a page before the deal.
    """

    def __init__(self, visit: Visitor, site: Site, line: ForwardingProxy) -> None:
        self.site = site
        self.host, self.guest = visit(viewport=DESK), visit(base_url=line.url)
        self.watcher = visit()
        take_the_chair(self.host)
        house = {"seconds": "900", "delay": f"{DELAY}", "watch": "anybody"}
        self.table = open_table(self.host, "crosswise_open", house=house)
        self.book = TableRows(site, self.table)
        self.promised: dict[int, str] = {}
        self.streams: list[Stream] = []
        self._note_promise(1)

    @property
    def players(self) -> tuple[Page, Page]:
        """Both pages, by seat."""
        return self.host, self.guest

    def begin(self) -> None:
        """The guest comes by the link, the watcher by the table's address; the host begins."""
        self.guest.goto(invitation(self.host))
        sit_down(self.guest, "Blas")
        self.watcher.goto(self.table)
        self.host.get_by_role("button", name="Start match").click()
        for page in self.players:
            page.locator("#stage[data-seat][data-state=playing]").wait_for()
            wait_for_script(page)
        wait_for_script(self.watcher)

    def listen(self, feed: str, whose: Page | None = None) -> Stream:
        """Follow one of the table's feeds as this browser, or as nobody."""
        found = Stream(self.site.port, f"/live/{feed}/", cookies(whose) if whose else "")
        self.streams.append(found)
        return found

    def hang_up(self) -> None:
        """Follow no feed any more."""
        for stream in self.streams:
            stream.close()

    def play(self, count: int = MOST_MOVES, *, by_hand: bool = False) -> None:
        """So many moves, or until the hand is over; by hand as people click, else in one go.

        The host plays the better: that makes the match the shorter.
        """
        for _ in range(count):
            page = self.turn()
            if page is None:
                return
            if by_hand:
                move(page)
            else:
                move_in_one_go(page, heaviest=page is self.host)
        assert count < MOST_MOVES, "The hand does not end."

    def turn(self) -> Page | None:
        """The page of who is to move; None between hands and at the end."""
        found: list[str] = []

        def look() -> bool:
            found[:] = [standing(page) for page in self.players]
            return bool({MINE, BETWEEN, OVER} & {*found})

        wait_until(look, "It is nobody’s turn to move.")  # one has not heard of the last move yet
        return self.players[found.index(MINE)] if MINE in found else None

    def is_over(self) -> bool:
        """Whether the match is over, on both pages alike; else both are asked for a next hand."""
        found = {wait_while(page, THEIRS, MINE) for page in self.players}
        assert len(found) == 1, found
        return found == {OVER}

    def deal(self, hand: int) -> None:
        """Both ask for the next hand, which is promised on the page before anything is dealt."""
        self._note_promise(hand)
        for page in self.players:
            next_hand(page)
        for page in self.players:
            page.locator(f"#stage[data-round='{hand}']").wait_for()

    def _note_promise(self, hand: int) -> None:
        self.host.locator("#seal", has_text=f"hand {hand} · sha-256").wait_for()
        self.promised[hand], seed = seals(self.host)[hand]
        assert seed == ""


def seals(page: Page) -> Seals:
    """The promises on a page: of each hand the commitment, and the seed where that is open."""
    said = page.locator("#seal").text_content() or ""
    return {int(number): (sha, seed or "") for number, sha, seed in SEAL.findall(said)}
