"""Every kind of page opens at its top, and its headings have room for accents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.accents import CUT_OFF, cut_off
from tests.e2e.conftest import DESK, PHONE, Visitor, sweep, take_the_chair
from tests.e2e.test_every_page import KINDS, pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["pages"]

# Pages with a row of options that is wider than a phone.
ROWS = ["/sucesos/", "/sucesos/?kind=table.over", "/sucesos/?kind=award.given"]
OTHERS = [*ROWS, "/leagues/", "/dominoes/", "/eltoro/", "/circuitos/", "/imprenta/", "/tienta/"]
SAMPLE = ("/", "live", "matador", *ROWS[:1])


def examine(page: Page) -> None:
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        page.reload()
        assert page.evaluate("[scrollX, scrollY]") == [0, 0]
        assert cut_off(page) == []


@pytest.mark.parametrize("kind", sweep([*KINDS, *OTHERS], *SAMPLE))
@pytest.mark.parametrize("language", sweep(["en-GB", "es-ES"], "es-ES"))
def test_pages_open_at_the_top_with_room_for_accents(
    visit: Visitor, pages: dict[str, str], complaints: list[str], kind: str, language: str
) -> None:
    page = visit(locale=language)
    page.goto(pages.get(kind, kind))
    examine(page)
    if kind == "no page":
        complaints[:] = [said for said in complaints if "404" not in said]


@pytest.mark.parametrize("way", sweep(["/direccion/", "/accounts/"], "/direccion/"))
def test_directors_pages_open_at_the_top_with_room_for_accents(visit: Visitor, way: str) -> None:
    page = visit()
    take_the_chair(page)
    page.goto(way)
    examine(page)


def test_selected_option_of_a_wide_row_is_in_view(visit: Visitor) -> None:
    page = visit(viewport=PHONE)
    page.goto("/sucesos/?kind=table.over")
    row, chosen = page.locator(".chips ul"), page.locator(".chips [aria-current]")
    assert row.evaluate("row => row.scrollWidth > row.clientWidth")
    box = chosen.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.parametrize(
    ("style", "fault"),
    [
        ("overflow: clip; line-height: 1", "cut off by"),
        ("overflow: clip; line-height: 1.3", ""),
        ("line-height: .9; inline-size: min-content", "touches the line above"),
        ("line-height: 1.04; inline-size: min-content", ""),
        ("contain: paint; line-height: .9", "cut off by"),
    ],
)
def test_accent_check_notices_headings_without_room(visit: Visitor, style: str, fault: str) -> None:
    page = visit(bypass_csp=True)
    page.goto("/glosario/")
    page.locator("main").evaluate(
        "(main, style) => { main.innerHTML = `<h2 style='${style}'>Una Una</h2>`; }", style
    )
    found = [one for one in page.evaluate(CUT_OFF)[1] if "Una Una" in one]
    assert [fault in one for one in found] == [True] * bool(fault)
