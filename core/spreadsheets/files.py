"""Read tables from a CSV file, a workbook or a bundle."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from core.spreadsheets.bundles import is_bundle, read_bundle
from core.spreadsheets.csv_files import read_csv
from core.spreadsheets.errors import Fault, Refused
from core.spreadsheets.kinds import LABELS, UploadKind, kind_of
from core.spreadsheets.limits import Limits
from core.spreadsheets.messages import gettext_noop as _
from core.spreadsheets.sheets import Line, Sheet
from core.spreadsheets.workbooks import read_workbook
from core.spreadsheets.zip_files import check_zip


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a file, or the error if it cannot be read.

    `guessed` names the files whose encoding was guessed.
    """

    sheets: tuple[Sheet, ...] = ()
    guessed: tuple[str, ...] = ()
    fault: Fault | None = None


# Maximum number of title rows (with a single cell) above the row of column names.
MAX_TITLES: Final = 5
# Classes of the objects that `read_sheets` returns. `core.isolation` lets a worker process return
# only instances of these classes.
RESULT_TYPES: Final = (Tables, Sheet, Line, Fault)


def read_sheets(data: bytes, name: str, limits: Limits, tables: Collection[str]) -> Tables:
    """Read a CSV file, a workbook or a bundle with these `tables`.

    Never raises: the result contains the error.
    """
    try:
        sheets, guessed = _sheets(data, name, limits, tables)
    except Refused as refused:
        return Tables(fault=refused.fault)
    return Tables(tuple(map(_without_titles, sheets)), guessed)


def _without_titles(sheet: Sheet) -> Sheet:
    """Remove title rows above the column names.

    The first row with several cells contains the column names.
    """
    lines = list(sheet.lines)
    filled = [sum(map(bool, line.cells)) for line in lines[: MAX_TITLES + 1]]
    names = next((at for at, cells in enumerate(filled) if cells > 1), 0)
    return Sheet(sheet.name, lines[names:]) if names else sheet


def _sheets(
    data: bytes, name: str, limits: Limits, tables: Collection[str]
) -> tuple[list[Sheet], tuple[str, ...]]:
    if not data.strip():
        raise Refused(_("The file is empty."), name)
    if len(data) > limits.file_bytes:
        raise Refused(
            _("The file is larger than %(most)s MB."), name, most=limits.file_bytes // 2**20
        )
    kind = kind_of(data)
    if kind in {UploadKind.ZIP, UploadKind.WORKBOOK} and is_bundle(data):
        return read_bundle(data, name, limits, tables)
    if kind is UploadKind.WORKBOOK:
        sheets = [sheet for sheet in read_workbook(data, name, limits) if sheet.lines]
        if not sheets:
            raise Refused(_("The file is empty."), name)
        return sheets, ()
    if kind is UploadKind.ZIP:
        check_zip(data, name, limits)  # if it is damaged, say so instead
    if kind is not None:
        raise Refused(
            _("This file is %(kind)s, which can’t be read here. Save the table as .xlsx or CSV."),
            name,
            kind=LABELS[kind],
        )
    sheet, guessed = read_csv(data, name, limits)
    return [sheet], (name,) if guessed else ()
