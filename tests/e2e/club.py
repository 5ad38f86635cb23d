"""Browser helpers for a club that plays dominoes at a real table: accounts, a league, a match
on phones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import segno

from tests.e2e.book import query_rows
from tests.e2e.table import fill

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.site import Site

PASSWORD = "six-six leads tonight"
# Two tiles each, no drawing, up to 35 points: a match takes three hands (Rulings D-2, D-5, D-8).
RULES = {
    "own-hand_size": "2",
    "own-boneyard": "pass",
    "own-target": "35",
}


# Width of the margin around a QR code, in squares.
QUIET = 2


def path_of(address: str) -> str:
    """Return the path of a URL, because another browser may use another host."""
    return urlsplit(address).path


def sign_up(page: Page, name: str) -> None:
    """Create an account. The page that required one is then shown again."""
    if "/accounts/signup/" not in page.url:
        page.goto("/accounts/signup/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password:", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Sign Up").click()
    page.wait_for_url(lambda url: "/signup/" not in url)


def found_league(page: Page, name: str) -> str:
    """Create a league with rules of its own, and return the path of its invitation."""
    page.goto("/leagues/new/?game=dominoes")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Rules", exact=True).select_option("own")
    page.locator("details.lg-own summary").click()
    for field, value in RULES.items():
        fill(page.locator(f"[name={field}]"), value)
    press_button(page, "Start league")
    return path_of(page.locator(".lg-invite .lg-link").inner_text())


def join(page: Page, invitation: str, name: str) -> None:
    """Follow the invitation, create an account and join the league."""
    page.goto(invitation)
    page.get_by_role("link", name="sign up").click()
    sign_up(page, name)
    page.wait_for_url(f"**{invitation}")
    press_button(page, "Join the league")


def open_match(page: Page, league: str, other: str) -> str:
    """Open the form for a first hand from the league's page, and return its path."""
    page.goto(league)
    page.get_by_role("link", name="Enter a match result").click()
    tap(page, other)
    press_button(page, "Go to the scoresheet")
    return path_of(page.url)


def press_button(page: Page, button: str) -> None:
    """Press a form button that the referee has enabled, and wait for the next page."""
    submit(page, page.get_by_role("button", name=button, exact=True))


def tap(page: Page, button: str) -> None:
    """Press a button that changes a part of the page without loading a new one."""
    page.get_by_role("button", name=button, exact=True).click()


def submit(page: Page, button: Locator) -> None:
    """Press a button that loads another page, and wait for it.

    Otherwise the next step of a test could still use the old page.
    """
    with page.expect_navigation():
        button.click()


def went_out(page: Page, name: str) -> None:
    """Enter the player who went out (laid all tiles)."""
    page.locator("label.in-chip", has=page.locator("input[name=out]")).filter(has_text=name).click()


def hold(page: Page, name: str, tiles: Sequence[str]) -> None:
    """Enter the tiles that a player still held."""
    page.locator("label.is-who").filter(has_text=name).click()
    for tile in tiles:
        page.get_by_role("checkbox", name=tile, exact=True).and_(page.locator(":visible")).locator(
            "xpath=.."
        ).click()


def expect_reading(page: Page, *sentences: str) -> None:
    """Wait until the referee's answer contains these sentences."""
    for sentence in sentences:
        page.locator("#answer").get_by_text(sentence).first.wait_for()


def lay_tile(page: Page, tile: str, how: str = "") -> None:
    """Enter the next tile of the train, and which way round it is laid if the page asks for it."""
    submit(page, page.locator(f"button[name=do][value='tile:{tile}']"))
    if how:
        submit(page, page.locator(f"button[name=do][value='move:{how}']"))


def hold_pips(page: Page, name: str, pips: int) -> None:
    """Enter only the pips of the tiles that a player still held."""
    page.locator("label.is-who").filter(has_text=name).click()
    field = page.get_by_label(f"Pips left in {name}’s hand")
    field.fill(f"{pips}")
    field.blur()


def among_friends(page: Page, own: str, other: str) -> str:
    """Open the form for a first hand of two players without accounts, and return its path."""
    page.goto("/dominoes/")
    page.get_by_role("link", name="Enter a match result").click()
    page.get_by_label("Your name").fill(own)
    page.get_by_label("Seat 2").fill(other)
    press_button(page, "Go to the scoresheet")
    return path_of(page.url)


def hand_in_score(page: Page, totals: Mapping[str, int]) -> None:
    """Submit only the final points of each player."""
    press_button(page, "Result only")
    for name, total in totals.items():
        page.get_by_label(name).fill(f"{total}")
        page.get_by_label(name).blur()
    press_button(page, "Submit score")
    page.locator("#ticket").wait_for()


def confirm(page: Page) -> None:
    """Confirm the result that waits for this player."""
    page.goto("/leagues/")
    page.locator("section.is-waiting a.st-line").first.click()
    press_button(page, "Confirm result")
    page.get_by_text("The result has been confirmed and now counts.").wait_for()


def code_of(page: Page) -> set[tuple[int, int]]:
    """Return the dark squares of the QR code on a page as columns and rows, without the margin."""
    drawn = page.locator("svg.qr path").first.get_attribute("d") or ""
    found: set[tuple[int, int]] = set()
    x, y = 0.0, 0.0
    for kind, figures in re.findall(r"([Mmh])([-\d. ]+)", drawn):
        first, *rest = (float(one) for one in figures.split())
        if kind == "h":
            found |= {(int(x) + step, int(y)) for step in range(int(first))}
            x += first
        else:
            x, y = (first, rest[0]) if kind == "M" else (x + first, y + rest[0])
    return {(column - QUIET, row - QUIET) for column, row in found}


def key_of(site: Site, form: str) -> str:
    """Return the secret key of the match whose form has this path."""
    match = int(form.split("/matches/")[1].split("/", maxsplit=1)[0])
    found: list[tuple[str]] = query_rows(
        site, "SELECT key FROM leagues_match WHERE id = :m", m=match
    )
    return found[0][0]


def code_for(text: str) -> set[tuple[int, int]]:
    """Return the dark squares of the QR code for a text."""
    lines = enumerate(segno.make(text, error="m").matrix)
    return {(x, y) for y, line in lines for x, dark in enumerate(line) if dark}


def standings(page: Page, league: str) -> dict[str, dict[str, Any]]:
    """Return place, score and rating of each player on the league's page, by name."""
    page.goto(league)
    told: list[list[str]] = page.locator(".st-table tbody tr").evaluate_all(
        "rows => rows.map(row => ['.st-who a', '.st-pos', '.st-pts', '.st-ratec'].map("
        "    one => row.querySelector(one).textContent))"
    )
    return {
        re.sub(r"^\s*\S\s+", "", name).strip(): {
            "place": place.strip(),
            "score": score.strip(),
            "rating": " ".join(rating.split()),
        }
        for name, place, score, rating in told
    }
