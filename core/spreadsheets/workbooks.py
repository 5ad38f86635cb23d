"""Read and write XLSX workbooks with one table per sheet.

Formulas are never evaluated, and all cells are written as text.
"""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles import Font
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.xml.constants import ARC_STYLE
from openpyxl.xml.functions import fromstring

from core.spreadsheets.csv_files import check_size
from core.spreadsheets.errors import Refused
from core.spreadsheets.limits import Limits
from core.spreadsheets.messages import gettext_noop as _
from core.spreadsheets.sheets import Line, Sheet, escape_formula, unescape_formula
from core.spreadsheets.zip_files import check_zip

MAX_SHEETS: Final = 20
MAX_EMPTY_ROWS: Final = 20_000
# Maximum number of empty rows in a sheet. A tiny file can declare any number of them.
_MAX_COLUMN_WIDTH: Final = 40
FORMULA: Final = _("Formulas are not calculated here. Enter the value itself.")
ERROR: Final = _("This cell contains an error in the spreadsheet.")


def read_workbook(data: bytes, name: str, limits: Limits) -> list[Sheet]:
    """Read the tables of a workbook, including hidden sheets. Raises `Refused`."""
    check_zip(data, name, limits)
    try:
        reader = _Reader(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
        reader.read()
        return _sheets(reader.wb.worksheets, name, limits)
    except Refused:
        raise
    except Exception:  # a damaged file may raise anything in openpyxl or zlib
        sentence = _("The file is not a workbook, or it is damaged.")
        raise Refused(sentence, name) from None


class _Reader(ExcelReader):  # type: ignore[misc]  # openpyxl has no types
    """Workbook reader that reads only sheets, their texts, and which cells are dates.

    Programs write styles, properties and named ranges that openpyxl rejects, such as an empty fill.
    Tables need none of these.
    """

    def read(self) -> None:
        self.read_manifest()
        self.read_strings()
        self.read_workbook()
        if ARC_STYLE in self.valid_files:
            self._read_formats()
        self.read_worksheets()

    def _read_formats(self) -> None:
        root = fromstring(self.archive.read(ARC_STYLE))
        codes = dict(BUILTIN_FORMATS)
        for number_format in root.iterfind("{*}numFmts/{*}numFmt"):
            codes[int(number_format.get("numFmtId", 0))] = number_format.get("formatCode", "")
        styles = root.iterfind("{*}cellXfs/{*}xf")
        formats = [codes.get(int(style.get("numFmtId", 0)), "") for style in styles]
        self.wb._date_formats = {at for at, code in enumerate(formats) if is_date_format(code)}
        self.wb._timedelta_formats = {
            at for at, code in enumerate(formats) if is_timedelta_format(code)
        }


def _sheets(sheets: Sequence[object], name: str, limits: Limits) -> list[Sheet]:
    if len(sheets) > MAX_SHEETS:
        raise Refused(_("The workbook has more than %(most)s sheets."), name, most=MAX_SHEETS)
    return [_sheet(sheet, limits) for sheet in sheets]


def _sheet(sheet: Any, limits: Limits) -> Sheet:
    sheet.reset_dimensions()  # the size that a file declares may be wrong
    lines: list[Line] = []
    for number, cells in enumerate(sheet.iter_rows(max_col=limits.columns + 1), 1):
        line = _line(number, cells)
        if not line.empty or line.wrong:
            check_size(lines, line, sheet.title, limits)
            lines.append(line)
        elif number - len(lines) > MAX_EMPTY_ROWS:
            sentence = _(
                "This sheet has more than %(most)s empty rows. Delete them in the spreadsheet."
            )
            raise Refused(sentence, sheet.title, number, most=MAX_EMPTY_ROWS)
    return Sheet(sheet.title, lines)


def _line(number: int, cells: Sequence[Any]) -> Line:
    texts = [cell_text(cell.value) for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return Line(number, texts, _cell_errors(cells))


def _cell_errors(cells: Sequence[Any]) -> Mapping[int, str]:
    said = {"f": FORMULA, "e": ERROR}
    return {
        place: said[cell.data_type] for place, cell in enumerate(cells) if cell.data_type in said
    }


def cell_text(value: object) -> str:
    """Return a cell's value as text: integers without a decimal point, dates in ISO format."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**15:
        return str(int(value))
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(" ")
    return unescape_formula(str(value).strip())


def write_workbook(tables: Iterable[tuple[str, Sequence[str], Iterable[Sequence[str]]]]) -> bytes:
    """Return a workbook with one sheet per table (name, columns, rows). All cells are text."""
    book = Workbook(write_only=True)
    for name, columns, rows in tables:
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        kept = [[escape_formula(cell) for cell in row] for row in rows]
        for place, column in enumerate(columns):
            widest = max((len(row[place]) for row in kept), default=0)
            letter = chr(ord("A") + place)
            sheet.column_dimensions[letter].width = (
                min(_MAX_COLUMN_WIDTH, max(widest, len(column))) + 2
            )
        sheet.append([_head(sheet, column) for column in columns])
        for row in kept:
            sheet.append([_text(sheet, cell) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _head(sheet: object, text: str) -> Any:
    cell = WriteOnlyCell(sheet, value=text)
    cell.font = Font(bold=True)
    return cell


def _text(sheet: object, text: str) -> Any:
    """Return a cell of type text, so that spreadsheets do not convert ranges, years or formulas."""
    text = ILLEGAL_CHARACTERS_RE.sub("", text)
    cell = WriteOnlyCell(sheet, value=text or None)
    if text:
        cell.data_type = "s"
        cell.number_format = "@"
    return cell
