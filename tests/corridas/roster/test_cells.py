"""Cells are exported so that no spreadsheet reads them as formulas, and are imported unchanged."""

from __future__ import annotations

import io
import re
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.spreadsheets.csv_files import read_csv, write_csv
from core.spreadsheets.limits import Limits
from core.spreadsheets.sheets import escape_formula, unescape_formula
from core.spreadsheets.workbooks import read_workbook, write_workbook
from corridas.roster.files import columns
from corridas.world import roster

LETTERS = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Cn", "Zs", "Zl", "Zp"]), max_size=12
)
SIGNS = st.text("=+-@'a1\"; ,", max_size=6).map(str.strip)
CELLS = st.one_of(LETTERS, SIGNS)
TABLES = st.lists(st.lists(CELLS, min_size=3, max_size=3).filter(any), min_size=1, max_size=6)


@given(CELLS)
def test_an_escaped_text_can_be_unescaped(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text
    assert not re.match(r"[=+\-@].", escape_formula(text), re.DOTALL)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-2+3", "@SUM(A1)", '=HYPERLINK("x")', "'=1"])
def test_a_text_that_begins_like_a_formula_is_escaped(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


def test_the_dash_of_an_empty_range_is_not_escaped() -> None:
    assert escape_formula("-") == "-"


@given(TABLES)
def test_a_table_written_as_csv_is_read_unchanged(rows: list[list[str]]) -> None:
    text = write_csv(["a", "b", "c"], rows)
    sheet, guessed = read_csv(text.encode(), "t.csv", Limits())
    assert [list(line.cells) for line in sheet.lines[1:]] == rows
    assert [line.number for line in sheet.lines] == list(range(1, len(rows) + 2))
    assert not guessed


def test_a_table_written_as_workbook_is_read_unchanged_and_has_text_cells_only() -> None:
    rows = [["=1+1", "-", "1-8"], ["@x", "", "2026-01-02"], ["'=1", "007", "TRUE"]]
    data = write_workbook([("t", ["a", "b", "c"], rows)])
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert sheet is not None
    kinds = {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None}
    assert kinds == {"s"}
    (read,) = read_workbook(data, "t.xlsx", Limits())
    assert [list(line.cells) for line in read.lines[1:]] == rows


def test_every_error_message_of_a_roster_file_is_marked_for_translation() -> None:
    """The messages are collected in `columns.RULES`, where translators look for them."""
    folder = Path(roster.__file__).parent
    written = (folder / "rows.py").read_text() + (folder / "columns.py").read_text()
    sentences = set(re.findall(r'"([^"\n`]*%\(\w+\)s[^"\n`]*)"', written))
    bare = {"%(reason)s", "%(column)s: %(reason)s"}
    assert bare < sentences
    assert sentences - bare <= columns.RULES
