"""Screenshots of careers, rosters and tables, on a site filled by `tools.scripts.decade`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

DIRECTOR = "Carmen"
CIRCUIT = "/circuitos/circuito-del-barrio/"
SEASONS = 10
DESK = 1280
# Number of the card on the table, for which the keypad offers all cards with that number.
DIGIT = "7"
FIRST_SCREEN, TALLEST = 900, 1600  # pixels


def take_the_careers(
    page: "Page",
    take_all: "Callable[..., None]",
    take: "Callable[[Page, str, int, int], None]",
) -> None:
    """Take screenshots of all these pages, signed in as a user.

    `take_all(page, name, at)` takes both widths and themes, and `take` takes one.
    """
    year = _last_year(page)
    for name, way in {
        "circuit": CIRCUIT,
        "matador-career": _veteran(page, year),
        "record-book": "/records/",
        "winter": f"/temporada/{year}/invierno/",
        "pad": _half_written(page),
        "office-matadors": "/admin/corridas/matador/",
    }.items():
        page.goto(way)
        if name == "pad":
            page.locator("label.tt-digit", has_text=DIGIT).click()
        take_all(page, name, tallest=TALLEST)
    _open_a_printed_card(page)
    take_all(page, "card-widget", ".card-editor", FIRST_SCREEN)
    page.emulate_media(color_scheme="light")
    for name, way in {"yearbook": f"/anuario/{year}/", "print-deck": "/imprenta/baraja/"}.items():
        page.goto(way)
        take(page, f"{name}-{DESK}-light", DESK, TALLEST)


def _last_year(page: "Page") -> int:
    page.goto("/records/")
    return int(page.locator(".rb-years a").nth(1).inner_text())


def _veteran(page: "Page", year: int) -> str:
    page.goto(f"/escalafon/{year}/")
    links = page.locator("table.esc tbody a").all()
    for way in [link.get_attribute("href") or "" for link in links]:
        page.goto(way)
        if page.locator("table.seasons tbody tr").count() >= SEASONS:
            return way
    raise LookupError("Nobody here has ten seasons behind him.")


def _half_written(page: "Page") -> str:
    page.goto("/tienta/")
    return page.locator(".tt-list a").first.get_attribute("href") or ""


def _open_a_printed_card(page: "Page") -> None:
    page.goto("/admin/corridas/matador/?card=printed&state__exact=active&q=Paquiro")
    page.locator("#result_list th.field-name a").first.click()
    page.wait_for_load_state()
