"""A player at a dominoes table, who reads the page and clicks what it offers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from playwright.sync_api import Error

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# States of a player on a page: move, ask for the next hand, over, come back, wait.
MINE, BETWEEN, OVER, AWAY, THEIRS = "mine", "between", "over", "away", "theirs"

STANDS = """() => {
    const stage = document.getElementById("stage");
    if (!stage) return "";
    if (stage.querySelector(".tab-over")) return "over";
    if (stage.querySelector(".is-away")) return "away";
    if (stage.querySelector("[data-act=ready]")) return "between";
    return "mine" in stage.dataset ? "mine" : "theirs";
}"""

# JavaScript that makes all clicks of `move` at once, using the page's own forms and script.
IN_ONE_GO = """heaviest => {
    const stage = document.getElementById("stage");
    const fitting = [...stage.querySelectorAll("label.can-play")];
    const one = heaviest ? fitting.pop() : fitting[0];
    if (!one) { stage.querySelector(".dom-do button:enabled").click(); return; }
    one.click();
    const how = one.parentElement.querySelector(".dom-how");
    (how.querySelector(".dom-way:has(input[value*='+'])") || how.querySelector(".dom-way")).click();
    how.querySelector(".dom-lay").click();
}"""


def open_table(
    page: Page,
    profile: str,
    *,
    bots: int = 0,
    name: str = "",
    house: Mapping[str, str] | None = None,
) -> str:
    """Create a table for two players, with further form fields in `house`, and return its path."""
    page.goto("/tables/new/?game=dominoes")
    if name:
        page.get_by_label("Your name").fill(name)
    page.locator(f"input[name=profile][value={profile}]").check()
    if profile == "own":
        page.locator("summary", has_text="Your own rules").click()
    page.locator("input[name=seats][value='2']").check()
    page.locator("input[name=bots]").fill(str(bots))
    for field, value in (house or {}).items():
        fill(page.locator(f"[name={field}]"), value)
    page.get_by_role("button", name="Open table").click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))
    return urlsplit(page.url).path


def play_now(page: Page, bot: str, name: str) -> None:
    """Start a match against a bot, from the page of game tables."""
    page.goto("/tables/")
    page.get_by_label("Your name").first.fill(name)
    page.locator(f"button[name=bot][value={bot}]").first.click()
    page.wait_for_url(re.compile(r"/tables/\d+/$"))
    wait_for_script(page)


def fill(field: Locator, value: str) -> None:
    """Fill in a form field of any kind, or check the radio button with this value."""
    if field.first.evaluate("field => field.localName") == "select":
        field.select_option(value)
    elif field.first.get_attribute("type") == "radio":
        field.and_(field.page.locator(f"[value='{value}']")).check()
    elif field.first.get_attribute("type") == "checkbox":
        field.set_checked(value == "on")
    else:
        field.fill(value)


def invitation(page: Page) -> str:
    """Return the path of the link with which another player can join the table shown."""
    return urlsplit(page.get_by_label("Anyone with this link can take a seat:").input_value()).path


def sit_down(page: Page, name: str = "") -> None:
    """Take the first free seat of the table shown. A visitor without an account enters a name."""
    if name:
        page.get_by_role("textbox", name="Your name").first.fill(name)
    page.get_by_role("button", name="Take this seat").first.click()
    page.locator("#stage .tab-chair.is-you").wait_for()


def standing(page: Page) -> str:
    """Return the state of the player on this page, or an empty text while it is loading."""
    try:
        told: str = page.evaluate(STANDS)
    except Error as gone:
        if "context was destroyed" not in gone.message:
            raise
        return ""
    return told


def moves(page: Page) -> int:
    """Return the number of moves that the page shows."""
    return int(page.locator("#stage").get_attribute("data-moves") or -1)


def wait_while(page: Page, *states: str) -> str:
    """Wait until the page shows none of these states, and return its state."""
    told = page.wait_for_function(
        f"states => {{ const told = ({STANDS})(); return !states.includes(told) && told; }}",
        arg=list(states),
    )
    return str(told.json_value())


def wait_for_moves(page: Page, number: int) -> None:
    """Wait until the page shows this number of moves."""
    page.wait_for_function(
        "number => Number(document.getElementById('stage')?.dataset.moves) >= number",
        arg=number,
    )


def wait_for_script(page: Page) -> None:
    """Wait until the page's script is connected to the table's feed."""
    page.locator("#table.is-scripted[data-line=open]").wait_for()


def wait_until_free(page: Page) -> None:
    """Wait until all requests of the page are answered. Until then it ignores clicks."""
    page.locator("#table:not(.is-busy)").wait_for()


def wait_for_answer(page: Page, number: int) -> None:
    """Wait until the page shows this number of moves and its own move has been answered."""
    wait_for_moves(page, number)
    wait_until_free(page)


def move(page: Page) -> None:
    """Make a move with clicks: lay a tile that fits, otherwise draw, otherwise pass."""
    wait_until_free(page)
    before = moves(page)
    fitting = page.locator("#stage label.can-play")
    if fitting.count():
        choose(page, fitting.first)
        page.locator("#stage .dom-lay:visible").click()
    else:
        page.locator("#stage .dom-do button:enabled").first.click()
    wait_for_answer(page, before + 1)


def choose(page: Page, tile: Locator) -> None:
    """Choose a tile and how to lay it, crosswise if possible."""
    tile.click()
    ways = page.locator("#stage .dom-way:visible")
    across = ways.filter(has=page.locator("input[value*='+']"))
    (across if across.count() else ways).first.click()


def move_in_one_go(page: Page, *, heaviest: bool = False) -> None:
    """Make the same move with one script. Lay the lightest tile that fits, or the heaviest."""
    wait_until_free(page)
    before = moves(page)
    page.evaluate(IN_ONE_GO, heaviest)
    wait_for_answer(page, before + 1)


def next_hand(page: Page) -> None:
    """Ask for the next hand, unless it has been dealt already, because tables deal after a
    while.
    """
    wait_until_free(page)
    page.evaluate("document.querySelector('#stage [data-act=ready]')?.click()")


def train(page: Page) -> list[str]:
    """Return the tiles of the train as the page describes them for screen readers."""
    return page.locator("#stage .dom-play > .hidden-text ol li").all_inner_texts()
