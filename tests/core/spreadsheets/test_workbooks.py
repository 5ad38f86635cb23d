"""Excel workbooks: dates and numbers are read whatever styles the file contains."""

from __future__ import annotations

import datetime as dt
import io
import zipfile

import openpyxl
import pytest

from core.spreadsheets.limits import Limits
from core.spreadsheets.workbooks import read_workbook


def workbook(**parts: str | None) -> bytes:
    """Return a workbook with dates and numbers.

    `parts` replaces XML files in it, or removes them if the value is None.
    """
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = "t"
    book.active.append(["day", "own", "time", "number", "text"])
    book.active.append([dt.datetime(1954, 11, 19), 1, 0.5, 12.0, "12.000"])
    book.active.append([dt.datetime(2026, 3, 1), 1, 0.5, 12000, "12.0"])
    for row in (2, 3):
        book.active.cell(row, 2, 46082).number_format = 'dd" de "mm" de "yyyy'
        book.active.cell(row, 4).number_format = "#,##0.00"
    out, again = io.BytesIO(), io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as whole, zipfile.ZipFile(again, "w") as packed:
        for name in whole.namelist():
            text = parts.get(name.rpartition("/")[2].partition(".")[0], whole.read(name))
            if text is not None:
                packed.writestr(name, text)
    return again.getvalue()


def cells(data: bytes) -> list[list[str]]:
    (sheet,) = read_workbook(data, "x.xlsx", Limits())
    return [list(line.cells) for line in sheet.lines[1:]]


def styles(inside: str = "") -> str:
    return (
        '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd&quot; de &quot;mm"/></numFmts>'
        '<fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
        '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="164"/>'
        f'<xf numFmtId="4"/></cellXfs>{inside}</styleSheet>'
    )


READ = [
    ["1954-11-19", "2026-03-01", "0.5", "12", "12.000"],
    ["2026-03-01", "2026-03-01", "0.5", "12000", "12.0"],
]


@pytest.mark.parametrize(
    "parts",
    [
        {"styles": styles()},
        {
            "styles": styles(
                '<cellStyles><cellStyle xfId="7"/></cellStyles><dxfs><dxf><x/></dxf></dxfs>'
            )
        },
        {"core": "<nothing/>", "theme1": "not XML"},
        {"theme1": None, "app": None, "core": None},
    ],
    ids=["empty fill", "unknown styles", "properties", "only what is needed"],
)
def test_damaged_styles_and_properties_of_a_workbook_are_ignored(
    parts: dict[str, str | None],
) -> None:
    assert cells(workbook(**parts)) == READ


def test_dates_of_a_workbook_without_styles_are_read_as_numbers() -> None:
    assert cells(workbook(styles=None))[1][1] == "46082"
