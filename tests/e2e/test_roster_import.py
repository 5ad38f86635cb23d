"""Importing a roster in a browser: an error is reported with its row, corrected, and imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.club import press_button
from tests.e2e.conftest import Visitor, take_the_chair

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

HEADER = "slug;name;city;country;continent;category;seats\n"
GOOD = "brihuega;La Muralla;Brihuega;ES;EU;3;6500\n"
BETTER = "las-ventas;Las Ventas;Madrid;ES;EU;1;23000\n"
BAD = "toro;Plaza de Toro;Toro;ES;EU;primera;many\n"
CORRECTED = "toro;Plaza de Toro;Toro;ES;EU;3;\n"


def choose(page: Page, file: Path, text: str) -> None:
    """Choose a file in the form and look at its preview."""
    file.write_text(text, encoding="utf-8-sig")
    page.get_by_label("File", exact=True).set_input_files(file)
    press_button(page, "Preview")


@pytest.mark.nightly
def test_roster_file_with_an_error_is_corrected_and_imported(
    visit: Visitor, complaints: list[str], tmp_path: Path
) -> None:
    page = visit()
    take_the_chair(page)
    page.goto("/direccion/elenco/")
    file = tmp_path / "plazas.csv"
    choose(page, file, HEADER + GOOD + BETTER + BAD)
    page.get_by_role("heading", name="The file has errors").wait_for()
    expect(page.get_by_role("alert")).to_contain_text("2 errors. Nothing has been saved.")
    faults = page.locator(".stacked tbody tr")
    expect(faults).to_have_count(2)
    first = faults.first.inner_text()
    assert all(told in first for told in ("plazas.csv", "4", "category", "primera", "1 to 3"))
    complaints[:] = [said for said in complaints if "422" not in said]

    choose(page, file, HEADER + GOOD + BETTER + CORRECTED)
    page.get_by_role("heading", name="Preview of the changes").wait_for()
    rows = page.locator(".stacked tbody tr")
    expect(rows).to_have_count(3)
    changed = rows.filter(has_text="Las Ventas").inner_text()
    assert "seats" in changed
    assert "23798" in changed
    assert "23000" in changed
    page.goto("/plazas/")
    expect(page.get_by_text("Brihuega")).to_have_count(0)

    page.go_back()
    page.get_by_role("button", name="Import file").click()
    page.get_by_role("status").get_by_text("3 rows were imported: 2 new, 1 changed").wait_for()
    page.goto("/plazas/brihuega/")
    page.get_by_role("heading", name="Brihuega").first.wait_for()


def test_exported_roster_can_be_imported_without_changes(visit: Visitor, tmp_path: Path) -> None:
    page = visit()
    take_the_chair(page)
    for name in ("Bundle (.zip)", "Workbook (.xlsx)"):
        page.goto("/direccion/elenco/")
        with page.expect_download() as waiting:
            page.get_by_role("link", name=name).click()
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        page.get_by_label("File", exact=True).set_input_files(file)
        press_button(page, "Preview")
        page.get_by_text("already matches this file").wait_for()
