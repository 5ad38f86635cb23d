"""Two players of a match at a game table and a spectator, each in a separate browser."""

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

# Delay of the spectators' view, in seconds.
DELAY = 2
# Maximum number of moves in a hand with a double-six set.
MOST_MOVES = 500
SEAL = re.compile(r"hand (\d+) · sha-256 ([0-9a-f]{64})(?:\s*seed ([0-9a-f]{64}))?")
Seals = dict[int, tuple[str, str]]


class Company:
    """A game table with the pages and raw feeds of its players and its spectator.

    The host uses a desktop, is signed in and has seat 0. The guest uses a phone, on a connection
    that can be cut, and has seat 1. `promised` has the commitment of each hand as shown on a page
    before the deal.
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
        """The pages of both players, by seat."""
        return self.host, self.guest

    def begin(self) -> None:
        """Let the guest join by the link and the spectator open the table; then start the match."""
        self.guest.goto(invitation(self.host))
        sit_down(self.guest, "Blas")
        self.watcher.goto(self.table)
        self.host.get_by_role("button", name="Start match").click()
        for page in self.players:
            page.locator("#stage[data-seat][data-state=playing]").wait_for()
            wait_for_script(page)
        wait_for_script(self.watcher)

    def listen(self, feed: str, whose: Page | None = None) -> Stream:
        """Follow one of the table's feeds with the cookies of a page, or without cookies."""
        found = Stream(self.site.port, f"/live/{feed}/", cookies(whose) if whose else "")
        self.streams.append(found)
        return found

    def disconnect(self) -> None:
        """Stop following all feeds."""
        for stream in self.streams:
            stream.close()

    def play(self, count: int = MOST_MOVES, *, by_hand: bool = False) -> None:
        """Play this number of moves, or to the end of the hand.

        `by_hand` makes the clicks of a person, otherwise a script makes them. The host plays better
        moves, which makes the match shorter.
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
        """Return the page of the player whose turn it is, or None between hands and at the end."""
        found: list[str] = []

        def look() -> bool:
            found[:] = [standing(page) for page in self.players]
            return bool({MINE, BETWEEN, OVER} & {*found})

        wait_until(look, "It is nobody’s turn to move.")  # the last move has not arrived yet
        return self.players[found.index(MINE)] if MINE in found else None

    def is_over(self) -> bool:
        """Return whether the match is over on both pages.

        Otherwise both must offer the next hand.
        """
        found = {wait_while(page, THEIRS, MINE) for page in self.players}
        assert len(found) == 1, found
        return found == {OVER}

    def deal(self, hand: int) -> None:
        """Start the next hand on both pages, after reading its commitment."""
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
    """Return the commitment of each hand on a page, with its seed if it has been revealed."""
    said = page.locator("#seal").text_content() or ""
    return {int(number): (sha, seed or "") for number, sha, seed in SEAL.findall(said)}
