"""Browser helpers for a corrida at a real table: cards are drawn, and the players submit them."""

from __future__ import annotations

from json import loads
from typing import TYPE_CHECKING, Any

from corridas.engine import CorridaRecord, LidiaRecord, Rules, fill, play_corrida
from corridas.tabletop.sheets import judge
from corridas.world.roster import DATA, load_deck
from fairness import Seed
from tests.e2e.book import query_rows
from tests.e2e.club import path_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.site import Site

SHUFFLED = Seed(bytes(range(1, 33)))


def sit_down(page: Page, own: str, other: str, circuit: str = "leyendas") -> str:
    """Start a table corrida for two players, and return the path of its form."""
    page.goto(f"/tienta/nueva/?circuit={circuit}")
    if page.locator("[name=own]").count():
        page.locator("[name=own]").fill(own)
    page.locator("[name=name-1]").fill(other)
    page.locator("[name=plaza]").select_option(index=2)
    for place in range(3):
        page.locator(f"[name=matador-{place}]").select_option(index=place + 1)
    page.locator("[name=lead-2]").select_option("0")
    page.get_by_role("button", name="Go to the scoresheet").click()
    page.locator("#lidia").wait_for()
    # The form is visible before its script runs. A key pressed in between would be lost.
    page.wait_for_load_state()
    return path_of(page.url)


def played(site: Site, form: str) -> CorridaRecord:
    """Return the corrida that the table plays: the engine shuffles the deck with a known seed."""
    number = int(form.strip("/").split("/")[-1])
    rows: list[tuple[str]] = query_rows(
        site, "SELECT draft FROM leagues_match WHERE id = :m", m=number
    )
    draft: dict[str, Any] = loads(rows[0][0])
    setup = judge(Rules(), load_deck(DATA), draft).setup
    assert setup is not None
    return play_corrida(setup, SHUFFLED)


def cards_on_pad(page: Page) -> int:
    """Return the number of cards that have been entered on the pad."""
    return int(page.locator("#pad").get_attribute("data-drawn") or 0)


def tap(page: Page, card: int, number: int) -> None:
    """Enter a card with two taps: its number, then the card."""
    before = cards_on_pad(page)
    page.locator(f"label.tt-digit:has(input[value='{number}'])").tap()
    page.locator(f".tt-card[value='card:{card}']").tap()
    page.locator(f"#pad[data-drawn='{before + 1}']").wait_for()


def strike(page: Page, card: int, number: int) -> None:
    """Enter a card with two keys: its number, then which of its seven cards."""
    before = cards_on_pad(page)
    hand = page.locator(f".tt-hand[data-digit='{number}'] .tt-card")
    values: list[str] = hand.evaluate_all("cards => cards.map(card => card.value)")
    page.keyboard.press(str(number))
    page.keyboard.press(str(values.index(f"card:{card}") + 1))
    page.locator(f"#pad[data-drawn='{before + 1}']").wait_for()


def figures(lidia: LidiaRecord) -> dict[str, str]:
    """Return the form fields of a lidia's score sheet, filled in as on paper."""
    sheet = fill(lidia.events, lidia.result.starter)
    found = {}
    for tercio, column in enumerate(sheet.tercios):
        found[f"p-{tercio}-0"] = " ".join(f"{each:+}" for each in column.matador) or "0"
        found[f"p-{tercio}-1"] = " ".join(f"B{each}" for each in column.bull) or "0"
    found |= {f"k-{stroke}": str(each) for stroke, each in enumerate(sheet.modifiers)}
    if sheet.indulto:
        found["indulto"] = str(sheet.indulto.number)
    if sheet.verdict:
        found["number"] = str(sheet.verdict.drawn)
    return found


def write_sheet(page: Page, lidia: LidiaRecord) -> None:
    """Fill in the score sheet of the lidia that is open."""
    for name, text in figures(lidia).items():
        page.locator(f"#tt-form [name={name}]").fill(text)
    avisos = fill(lidia.events, lidia.result.starter).avisos
    if lidia.result.ending.value != "spared":
        page.locator(f"#tt-form label:has([name=avisos][value='{avisos}'])").click()
    for place in lidia.result.injured:
        page.locator(f"#tt-form [name=hurt-{place}]").check()


def open_sheet(page: Page, bull: int) -> None:
    """Open a bull, and choose to enter its score sheet."""
    page.locator(f".tt-tabs a[href='?bull={bull}#lidia']").click()
    page.wait_for_load_state()
    page.get_by_role("button", name="Scoresheet", exact=True).click()
    page.locator(".tt-paper.is-form").wait_for()


def key_of_form(site: Site, form: str) -> str:
    """Return the secret key of the match whose form has this path."""
    number = int(form.strip("/").split("/")[-1])
    found: list[tuple[str]] = query_rows(
        site, "SELECT key FROM leagues_match WHERE id = :m", m=number
    )
    return found[0][0]
