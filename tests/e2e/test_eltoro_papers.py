"""Pages of El Toro for reading and printing are accessible and fit on paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.beach import lay_out, with_friends, write_points
from tests.e2e.club import expect_reading, press_button
from tests.e2e.conftest import Visitor, sweep
from tests.e2e.test_every_page import examine, width

if TYPE_CHECKING:
    from playwright.sync_api import PdfMargins

PAGES = ["/eltoro/", "/eltoro/rules/", "/eltoro/scoresheet/"]


@pytest.mark.parametrize("way", sweep(PAGES))
def test_el_toro_pages_are_accessible(visit: Visitor, way: str) -> None:
    page = visit(reduced_motion="reduce")
    page.goto(way)
    expect(page.locator("h1")).to_have_count(1)
    assert width(page) == (0, "")
    assert examine(page) == []


@pytest.mark.nightly
def test_el_toro_entry_form_with_errors_is_accessible(visit: Visitor) -> None:
    page = visit(reduced_motion="reduce")
    with_friends(page, "ana", "blas")
    write_points(page, "ana", ["999", "x"])
    expect_reading(page, "is not a whole number", "a player can score at most")
    assert width(page) == (0, "")
    assert examine(page) == []
    press_button(page, "Where the runners arrived")
    lay_out(page, {"Restaurant": {"ana": 2}, "Casino": {"blas": 20}})
    expect_reading(
        page, "blas had 9 runners, so the number that reached a destination can’t be 20."
    )
    page.set_viewport_size({"width": 390, "height": 844})
    assert width(page) == (0, "")
    assert examine(page) == []


@pytest.mark.parametrize("size", sweep(["A4", "A5"], "A4"))
def test_el_toro_scoresheet_fits_one_sheet_of_paper(visit: Visitor, size: str) -> None:
    page = visit()
    page.goto("/eltoro/scoresheet/")
    sides: PdfMargins = {"top": "10mm", "right": "10mm", "bottom": "10mm", "left": "10mm"}
    printed = page.pdf(format=size, margin=sides, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1
