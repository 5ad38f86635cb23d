"""Printed pages fit on A4 and Letter at 100 %, with the same sheets and without overflow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.e2e.conftest import Visitor, sweep

if TYPE_CHECKING:
    from playwright.sync_api import Page

# CSS pixels in a millimetre.
MM = 96 / 25.4


class Paper(NamedTuple):
    """The size of a paper in millimetres."""

    width: float
    height: float


PAPERS = {"A4": Paper(210, 297), "Letter": Paper(215.9, 279.4)}
# Numbers of printed sheets: nine cards on a sheet, or one side of the score sheet.
SHEETS = {
    "/imprenta/baraja/": 8,
    "/imprenta/baraja/?backs": 16,
    "/imprenta/matadores/": 6,
    "/imprenta/matadores/?backs": 12,
    "/imprenta/hoja/": 2,
    "/imprenta/hoja/?log=1": 3,
}
TEXTS = ["/imprenta/listas/", "/imprenta/reglas/", "/imprenta/glosario/"]
BLANKS = ["/dominoes/scoresheet/", "/eltoro/scoresheet/"]
# JavaScript that returns elements that overflow their printed sheet.
CUT = """() => [...document.querySelectorAll(".imprenta-sheet, .imprenta-side")]
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
    """Return the number of printed pages with this paper, and their sizes."""
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


@pytest.mark.parametrize("language", sweep(["en-GB", "es-ES"], "es-ES"))
@pytest.mark.parametrize("way", sweep(SHEETS, "/imprenta/hoja/?log=1"))
def test_each_sheet_is_one_page_on_a4_and_letter(visit: Visitor, way: str, language: str) -> None:
    page = visit(locale=language)
    page.goto(way)
    for paper, (width, height) in PAPERS.items():
        expect_paper(page, paper, SHEETS[way])
        page.emulate_media(media="print")
        page.set_viewport_size({"width": round(width * MM), "height": round(height * MM)})
        assert page.evaluate(CUT) == []
        for sheet in page.locator(".imprenta-sheet:visible, .imprenta-side:visible").all():
            found = sheet.evaluate(SIZE)
            assert found[0] <= 210 * MM
            assert found[1] <= min(height for _, height in PAPERS.values()) * MM
        page.emulate_media(media="null")  # else the screen would be printed


@pytest.mark.parametrize("way", ["/imprenta/baraja/", "/imprenta/matadores/"])
def test_printed_cards_have_their_real_size(visit: Visitor, way: str) -> None:
    page = visit()
    page.goto(way)
    page.emulate_media(media="print")
    for card in page.locator(".imprenta-sheet .imprenta-card").all()[:9]:
        assert card.evaluate(SIZE) == pytest.approx([63 * MM, 88 * MM], abs=0.5)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("way", sweep([*TEXTS, *BLANKS], *TEXTS[:1], *BLANKS))
def test_texts_and_blank_forms_fit_the_paper(visit: Visitor, way: str, paper: str) -> None:
    page = visit()
    page.goto(way)
    expect_paper(page, paper, 1 if way in BLANKS else None)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": round((PAPERS[paper].width - 24) * MM), "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("paper", PAPERS)
def test_yearbook_is_printed_without_navigation(visit: Visitor, paper: str) -> None:
    page = visit()
    page.goto("/escalafon/")
    page.goto(page.locator("a[href*='/anuario/']").first.get_attribute("href") or "")
    hidden = page.locator(".bar, .tabbar, .foot, .rb-leaf")
    assert page.locator(".rb-leaf").is_visible()
    expect_paper(page, paper)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": round((PAPERS[paper].width - 28) * MM), "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("h1").is_visible()
    assert page.locator("#standings").is_visible()
    assert not any(part.is_visible() for part in hidden.all())
