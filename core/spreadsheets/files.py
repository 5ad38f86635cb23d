"""Reading tables from a CSV file, a workbook or a bundle."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from core.spreadsheets.bundles import is_bundle, read_bundle
from core.spreadsheets.csv_files import read_csv
from core.spreadsheets.errors import Fault, Refused
from core.spreadsheets.errors import gettext_noop as _
from core.spreadsheets.limits import Limits
from core.spreadsheets.sheets import Line, Sheet
from core.spreadsheets.workbooks import read_workbook

_ZIP: Final = b"PK\x03\x04"
_OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a file, or the errors. `guessed` names files whose encoding was guessed."""

    sheets: tuple[Sheet, ...] = ()
    guessed: tuple[str, ...] = ()
    fault: Fault | None = None


RESULT_TYPES: Final = (Tables, Sheet, Line, Fault)
# Classes in the result of `read_sheets`.


def read_sheets(data: bytes, name: str, limits: Limits, tables: Collection[str]) -> Tables:
    """Read a CSV file, a workbook or a bundle of `tables`. Never raises."""
    try:
        sheets, guessed = _sheets(data, name, limits, tables)
    except Refused as refused:
        return Tables(fault=refused.fault)
    return Tables(tuple(sheets), guessed)


def _sheets(
    data: bytes, name: str, limits: Limits, tables: Collection[str]
) -> tuple[list[Sheet], tuple[str, ...]]:
    if not data.strip():
        raise Refused(_("The file is empty."), name)
    if len(data) > limits.file_bytes:
        raise Refused(
            _("The file is larger than %(most)s MB."), name, most=limits.file_bytes // 2**20
        )
    if data.startswith(_OLD_EXCEL):
        raise Refused(
            _(
                "Old workbooks (.xls) and workbooks with a password can’t be read. Save the "
                "file as .xlsx."
            ),
            name,
        )
    if data.startswith(_ZIP):
        if is_bundle(data):
            return read_bundle(data, name, limits, tables)
        sheets = [sheet for sheet in read_workbook(data, name, limits) if sheet.lines]
        if not sheets:
            raise Refused(_("The file is empty."), name)
        return sheets, ()
    sheet, guessed = read_csv(data, name, limits)
    return [sheet], (name,) if guessed else ()
