"""A player at an El Toro table, who reads the page and clicks what it offers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from eltoro.engine import PROFILES
from eltoro.stage.sentences import card_name
from eltoro.table import ElToroPosition, ElToroTable
from leagues.games import RoundLog
from tests.e2e.book import TableRows
from tests.e2e.table import MINE, OVER, moves, standing, wait_for_answer, wait_until_free
from tests.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

SEATS = 6

# JavaScript that makes all clicks of one decision, using the page's own forms and script. A card of
# a kind that is not in `played` is played first, with a target. In the evening, cards of kinds that
# were played are discarded. The script returns the kind of the card.
ACT = """played => {
    const stage = document.getElementById("stage");
    const send = () => stage.querySelector(".elt-do .btn").click();
    const places = [...stage.querySelectorAll(".elt-place")];
    if (places.length) {
        places.forEach((place, at) => place.querySelectorAll("input")[at % 5].click());
        send();
        return "";
    }
    const away = [...stage.querySelectorAll(".elt-card input[type=checkbox]")];
    const cards = [...stage.querySelectorAll(".elt-card input[name=card]")];
    if (!cards.length) {
        away.filter(input => played.includes(input.dataset.kind)).forEach(input => input.click());
        send();
        return "";
    }
    const card = cards.find(input => !played.includes(input.dataset.kind)) || cards[0];
    card.click();
    const list = stage.querySelector(`.elt-picker[data-p="${card.dataset.p}"]`);
    const groups = [...list.querySelectorAll(".elt-group")];
    const radios = groups.filter(group => group.querySelector("[type=radio]"));
    list.querySelector("input[type=checkbox]")?.click();
    radios.forEach(group => [...group.querySelectorAll("input")].pop().click());
    send();
    return card.dataset.kind;
}"""

KINDS = """() => [...document.querySelectorAll("#stage .elt-card input[data-kind]")]
    .map(input => input.dataset.kind)"""


def lay_table(page: Page, seats: int = SEATS, **house: str) -> str:
    """Create a table for two people with bots on the other seats, and return its path."""
    page.goto("/tables/new/?game=eltoro")
    page.locator("input[name=profile][value=el-toro]").check()
    page.locator(f"input[name=seats][value='{seats}']").check()
    page.locator("input[name=bots]").fill(str(seats - 2))
    for field, value in house.items():
        found = page.locator(f"[name={field}]")
        if found.first.get_attribute("type") == "radio":
            page.locator(f"[name={field}][value='{value}']").check()
        elif found.first.evaluate("field => field.localName") == "select":
            found.select_option(value)
        else:
            found.fill(value)
    page.get_by_role("button", name="Open table").click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))
    return urlsplit(page.url).path


def decide(page: Page, played: set[str]) -> str:
    """Make one decision, and return the kind of the card played (or an empty text)."""
    wait_until_free(page)
    before = moves(page)
    kind: str = page.evaluate(ACT, sorted(played))
    wait_for_answer(page, before + 1)
    return kind


def kinds_held(page: Page) -> set[str]:
    """Return the kinds of cards in the player's hand, if the page asks for a decision."""
    return set(page.evaluate(KINDS))


def fullness(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    wide: int = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return wide


def wait_for_turn(page: Page, other: Page) -> Page | None:
    """Return the page of the player whose turn it is, once it is one of the two; None at the
    end.
    """
    found: list[str] = []

    def look() -> bool:
        found[:] = [standing(one) for one in (page, other)]
        return MINE in found or found == [OVER, OVER]

    wait_until(look, "It is nobody’s turn to move.")
    return (page, other)[found.index(MINE)] if MINE in found else None


class Record:
    """The game of a table as stored in the database."""

    def __init__(self, book: TableRows) -> None:
        self.deal, self.made, self.moments = book.deals()[0], book.made(), book.moments()

    def after(self, number: int) -> ElToroPosition:
        """Return the position after this number of moves."""
        texts = tuple(one.text for one in self.made[:number])
        played = RoundLog(number=1, seed=self.deal.seed, stake=self.deal.stake, moves=texts)
        rules = PROFILES["el-toro"].options()
        return ElToroTable().restore(rules=rules, seats=SEATS, rounds=[played])

    def given_away(self, number: int, told: str, seat: int | None) -> list[str]:
        """Return what a fragment of this moment reveals that its reader must not know: cards,
        the seed.
        """
        moment: Any = self.moments[number]
        if not moment.round:
            return [self.deal.seed.hex()] * (self.deal.seed.hex() in told)
        position = self.after(moment.moves)
        if position.game is None or position.game.is_over:
            return []
        hands = position.hands()
        own = set() if seat is None else set(hands[seat])
        last = position.moves[-1].split()[1:2] if position.moves else []
        cards = [position.rules.cards[card] for hand in hands for card in {*hand} - own]
        secrets = {card_name(card) for card in cards if card.key not in last}
        found = [name for name in sorted(secrets) if f">{name}<" in told or f"“{name}”" in told]
        return found + [self.deal.seed.hex()] * (self.deal.seed.hex() in told)
