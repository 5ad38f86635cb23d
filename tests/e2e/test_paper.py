"""Printed pages fit A4 and Letter at 100 %: the same sheets, and nothing beyond an edge."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.e2e.conftest import Visitor, sweep

if TYPE_CHECKING:
    from playwright.sync_api import Page

MM = 96 / 25.4
"""CSS pixels."""


class Paper(NamedTuple):
    """Its size in millimetres."""

    width: float
    height: float


PAPERS = {"A4": Paper(210, 297), "Letter": Paper(215.9, 279.4)}
SHEETS = {
    "/imprenta/baraja/": 8,
    "/imprenta/baraja/?backs": 16,
    "/imprenta/matadores/": 6,
    "/imprenta/matadores/?backs": 12,
    "/imprenta/hoja/": 2,
    "/imprenta/hoja/?log=1": 3,
}
"""How many sheets of paper there are: nine cards each, or a side of the scoresheet."""
TEXTS = ["/imprenta/listas/", "/imprenta/reglas/", "/imprenta/glosario/"]
BLANKS = ["/dominoes/scoresheet/", "/eltoro/scoresheet/"]
# What sticks out of its sheet, printed.
CUT = """() => [...document.querySelectorAll(".imp-sheet, .imp-side")]
    .filter((sheet) => sheet.getClientRects().length)
    .flatMap((sheet) => {
        const { right, bottom } = sheet.getBoundingClientRect();
        return [...sheet.querySelectorAll("*")]
            .filter((part) => !part.closest("svg"))
            .map((part) => [part, part.getBoundingClientRect()])
            .filter(([, box]) => box.right > right + 1 || box.bottom > bottom + 1)
            .map(([part]) => part.outerHTML.slice(0, 80));
    })"""
SIZE = (
    "sheet => { const { width, height } = sheet.getBoundingClientRect(); return [width, height]; }"
)


def printed(page: Page, paper: str) -> tuple[int, set[tuple[int, int]]]:
    """The number of pages that come out of a printer with this paper, and their sizes."""
    file = page.pdf(format=paper, print_background=True, prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", file)
    sizes = {
        (round(float(width) / 72 * 25.4), round(float(height) / 72 * 25.4))
        for width, height in boxes
    }
    return len(re.findall(rb"/Type\s*/Page[^s]", file)), sizes


def expect_paper(page: Page, paper: str, count: int | None = None) -> None:
    number, sizes = printed(page, paper)
    assert sizes == {(round(PAPERS[paper].width), round(PAPERS[paper].height))}
    assert count in {None, number}


@pytest.mark.parametrize("language", ["en-GB", "es-ES"])
@pytest.mark.parametrize("way", sweep(SHEETS, "/imprenta/baraja/?backs", "/imprenta/hoja/?log=1"))
def test_sheets_come_out_one_a_page_on_either_paper(
    visit: Visitor, way: str, language: str
) -> None:
    page = visit(locale=language)
    page.goto(way)
    for paper, (width, height) in PAPERS.items():
        expect_paper(page, paper, SHEETS[way])
        page.emulate_media(media="print")
        page.set_viewport_size({"width": round(width * MM), "height": round(height * MM)})
        assert page.evaluate(CUT) == []
        for sheet in page.locator(".imp-sheet:visible, .imp-side:visible").all():
            found = sheet.evaluate(SIZE)
            assert found[0] <= 210 * MM
            assert found[1] <= min(height for _, height in PAPERS.values()) * MM
        page.emulate_media(media="null")  # else the screen would be printed


@pytest.mark.parametrize("way", ["/imprenta/baraja/", "/imprenta/matadores/"])
def test_printed_cards_keep_their_size(visit: Visitor, way: str) -> None:
    page = visit()
    page.goto(way)
    page.emulate_media(media="print")
    for card in page.locator(".imp-sheet .imp-card").all()[:9]:
        assert card.evaluate(SIZE) == pytest.approx([63 * MM, 88 * MM], abs=0.5)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("way", sweep([*TEXTS, *BLANKS], *TEXTS[:1], *BLANKS))
def test_texts_and_blanks_are_printed_on_the_paper_that_there_is(
    visit: Visitor, way: str, paper: str
) -> None:
    page = visit()
    page.goto(way)
    expect_paper(page, paper, 1 if way in BLANKS else None)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": round((PAPERS[paper].width - 24) * MM), "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
