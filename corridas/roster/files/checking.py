"""Checks the rows of a roster file.

Valid rows become entries. Every fault is located by sheet, row and column.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_noop as _

from core.names.text import clean, comparison_key
from core.spreadsheets.errors import Fault, Faults, Refused
from core.spreadsheets.sheets import Line, Sheet, quoted
from corridas.calendar_faults import sentence_of
from corridas.engine import RANGES, CardError, MatadorCard
from corridas.roster.card_faults import FAULTS
from corridas.roster.files.columns import CARDS, DEFAULTS, MATADORS, TABLES, Column, RosterTable
from corridas.world.calendar import CalendarError
from corridas.world.roster.columns import check_order
from corridas.world.roster.rows import RosterError, TableRow, whole_number

Record = dict[str, str]
Key = tuple[str, ...]
MAX_LETTERS: Final = 2_000
_DATE_LIKE: Final = 10


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A valid row of a roster file: its location, its key and its values.

    `record` only contains the columns of the file, with normalised values.
    """

    sheet: str
    line: int
    key: Key
    record: Record


@dataclass(frozen=True, slots=True)
class Read:
    """A table of a roster file after it has been checked.

    `aside` are columns that were left out because only administrators may write them.
    """

    table: RosterTable
    sheet: str
    columns: tuple[str, ...]
    entries: tuple[RosterEntry, ...]
    aside: tuple[str, ...] = ()


class UnknownTable(Refused):
    """A sheet has neither the name nor the columns of a roster table."""


def recognise(sheet: Sheet) -> RosterTable:
    """Return the roster table that a sheet contains, found by its name or its columns.

    Raise `UnknownTable` if neither fits.
    """
    if not sheet.lines:
        raise Refused(_("The table is empty."), sheet.name)
    stem = comparison_key(sheet.name.rpartition("/")[2]).removesuffix(".csv")
    named = [
        table
        for name, table in TABLES.items()
        if stem == name or stem.endswith((f"-{name}", f"_{name}", f" {name}"))
    ]
    if named:
        return named[0]
    header = set(header_of(sheet))
    fitting = max(TABLES.values(), key=lambda table: _likeness(table, header))
    if not set(fitting.key) & header:
        tables = ", ".join(TABLES)
        raise UnknownTable(
            _("The first row must contain the column names of one of these tables: %(tables)s."),
            sheet.name,
            sheet.lines[0].number,
            tables=tables,
        )
    return fitting


def _likeness(table: RosterTable, header: set[str]) -> tuple[int, int]:
    """Return a score that says how well the header of a sheet fits a table.

    Known columns count for it. Missing and unknown columns count against it.
    """
    known, needed = set(table.by_name), set(table.needed())
    strange, missing = header - known - {""}, needed - header
    return len(header & known) - 2 * len(missing) - 3 * len(strange), -len(known)


def header_of(sheet: Sheet) -> list[str]:
    return _headings(sheet.lines[0].cells)


def _headings(cells: Sequence[str]) -> list[str]:
    return [comparison_key(cell).replace(" ", "_") for cell in cells]


def read_table(sheet: Sheet, faults: Faults, *, office: bool) -> Read:
    table = recognise(sheet)
    header = header_of(sheet)
    wrong = list(_header_faults(sheet, table, header))
    faults.extend(wrong)
    if wrong:
        return Read(table, sheet.name, (), ())
    reader = _Reader(table, sheet, header, faults, office=office)
    entries = tuple(entry for line in sheet.lines[1:] if (entry := reader.entry(line)))
    return Read(table, sheet.name, tuple(reader.columns), entries, reader.aside)


def keys_in(sheet: Sheet, table: RosterTable) -> set[Key]:
    """Return the keys of all rows of a sheet, including rows with faults."""
    header = header_of(sheet)
    if not set(table.key) <= set(header):
        return set()
    return set(zip(*(_cells(sheet, header.index(name), name) for name in table.key), strict=True))


_NUMBERS: Final = frozenset({"year", "number"})
# Key columns that are numbers. The same number can be written in several ways.


def _cells(sheet: Sheet, place: int, name: str) -> list[str]:
    rows = (line.cells for line in sheet.lines[1:])
    texts = [_cleaned(cells[place]) if place < len(cells) else "" for cells in rows]
    return [_as_number(text) for text in texts] if name in _NUMBERS else texts


def _as_number(text: str) -> str:
    number = whole_number(text)
    return text if number is None else str(number)


def _cleaned(cell: str) -> str:
    """Return the text of a cell as it will be stored.

    Control characters are not removed, so that they are reported as a fault.
    """
    text = cell.strip()
    return text if _has_controls(text) else clean(text)


def _has_controls(text: str) -> bool:
    return not text.isprintable() and any(unicodedata.category(s) in {"Cc", "Cs"} for s in text)


def _header_faults(sheet: Sheet, table: RosterTable, header: Sequence[str]) -> list[Fault]:
    line = sheet.lines[0].number
    known = table.by_name
    twice = sorted({name for name in header if name and header.count(name) > 1})
    faults = [
        Fault(
            sheet.name,
            line,
            name,
            name,
            _("The column “%(name)s” appears twice."),
            {"name": name},
        )
        for name in map(quoted, twice)
    ]
    strangers = [name for name in header if name and name not in known]
    faults.extend(_unknown(sheet, line, table, quoted(name)) for name in strangers)
    for name in table.needed():
        if name not in header:
            sentence = _("The column “%(name)s” is missing.")
            faults.append(Fault(sheet.name, line, name, "", sentence, {"name": name}))
    return faults


def _unknown(sheet: Sheet, line: int, table: RosterTable, name: str) -> Fault:
    near = difflib.get_close_matches(name, table.by_name, n=1)
    if near:
        sentence = _("There is no column “%(name)s” in %(table)s. Did you mean “%(near)s”?")
    else:
        sentence = _("There is no column “%(name)s” in %(table)s. Its columns are %(columns)s.")
    params = {
        "name": name,
        "table": table.name,
        "near": near[0] if near else "",
        "columns": ", ".join(table.by_name),
    }
    return Fault(sheet.name, line, name, name, sentence, params)


class _Reader:
    """Reads the rows of one sheet and finds keys that occur twice."""

    def __init__(
        self,
        table: RosterTable,
        sheet: Sheet,
        header: Sequence[str],
        faults: Faults,
        *,
        office: bool,
    ) -> None:
        self.table, self.sheet, self.faults = table, sheet, faults
        mine = set(table.names(office=office))
        self.header = header
        self.columns = [name for name in table.by_name if name in header and name in mine]
        self.aside = tuple(name for name in header if name and name not in mine)
        self.places = {name: header.index(name) for name in self.columns}
        self.first: dict[Key, int] = {}

    def entry(self, line: Line) -> RosterEntry | None:
        """Return the entry of a row, or None if it has faults, which are reported."""
        faults = self._faults(line)
        record: Record = {}
        if not faults:
            row = TableRow(self.sheet.name, line.number, self._fields(line))
            record, faults = self._checked(row)
        if faults:
            self.faults.extend(faults)
            return None
        key = tuple(record[name] for name in self.table.key)
        if key in self.first:
            self.faults.add(self._twice(line, key))
            return None
        self.first[key] = line.number
        return RosterEntry(self.sheet.name, line.number, key, record)

    def _faults(self, line: Line) -> list[Fault]:
        cells = line.cells
        if _headings(cells) == list(self.header):
            return [self._of_row(line, _("This row repeats the column names."))]
        beyond = [
            cell
            for place, cell in enumerate(cells)
            if cell and (place >= len(self.header) or not self.header[place])
        ]
        if beyond:
            return [
                self._of_row(
                    line,
                    _("This row has more cells than the table has columns."),
                    quoted(beyond[0]),
                )
            ]
        return [
            Fault(self.sheet.name, line.number, self.header[place], quoted(cells[place]), sentence)
            for place, sentence in line.wrong.items()
            if place < len(cells)
        ]

    def _of_row(self, line: Line, sentence: str, value: str = "") -> Fault:
        return Fault(self.sheet.name, line.number, "", value, sentence)

    def _fields(self, line: Line) -> dict[str, str]:
        cells = line.cells
        return {
            name: _cleaned(cells[place]) if place < len(cells) else ""
            for name, place in self.places.items()
        }

    def _checked(self, row: TableRow) -> tuple[Record, list[Fault]]:
        record: Record = {}
        faults: list[Fault] = []
        for name in self.columns:
            try:
                record[name] = self._value(row, self.table.by_name[name])
            except RosterError as error:
                faults.append(_fault(row, error))
        if not faults:
            try:
                _check_whole(self.table, row, record)
            except RosterError as error:
                faults.append(_fault(row, error))
        return record, faults

    def _value(self, row: TableRow, column: Column) -> str:
        text = row[column.name]
        if not text and column.blank:
            return DEFAULTS.get(self.table.name, {}).get(column.name, "")
        _check_text(row, column, text)
        value = column.check(row, column.name)
        return "" if value is None else str(value)

    def _twice(self, line: Line, key: Key) -> Fault:
        sentence = _("The key “%(key)s” is already used in row %(before)s.")
        params = {"key": quoted(" ".join(key)), "before": self.first[key]}
        return Fault(
            self.sheet.name, line.number, self.table.key[-1], quoted(key[-1]), sentence, params
        )


def _check_text(row: TableRow, column: Column, text: str) -> None:
    most = column.longest or MAX_LETTERS
    row.require(
        len(text) <= most,
        _("%(column)s is longer than %(most)s characters"),
        column.name,
        most=most,
    )
    row.require(
        not _has_controls(text),
        _("%(column)s contains a character that is not allowed"),
        column.name,
    )


def _check_whole(table: RosterTable, row: TableRow, record: Record) -> None:
    if table is MATADORS:
        if all(name in record for name in ("born", "alternativa", "died")):
            check_order(row)
        retired = record.get("state", "") == "retired" or not record.get("retired_in")
        row.require(
            retired,
            _("Only a retired matador can have a year in the retired_in column."),
            "retired_in",
        )
        own = record["slug"] not in {record.get("padrino"), record.get("testigo")}
        row.require(own, _("A matador can’t be his own padrino or testigo"), "padrino")
    elif table is CARDS:
        row.attempt(lambda: _face(row, record))
    elif "sire_year" in record or "sire_number" in record:
        whole = bool(record.get("sire_year")) == bool(record.get("sire_number"))
        row.require(whole, _("For a sire, enter both sire_year and sire_number"), "sire_year")


def _face(row: TableRow, record: Mapping[str, str]) -> MatadorCard:
    """Return the card of the engine for a row. The engine raises the errors of an invalid card."""
    fields = row.read({column.name: column.check for column in CARDS.columns[1:]})
    return MatadorCard(name=record["matador"], **fields)


def _fault(row: TableRow, error: RosterError) -> Fault:
    value = quoted(row.fields.get(error.column, "")) if error.column else ""
    sentence = error.sentence
    params: Mapping[str, object] = error.params
    if isinstance(error.__cause__, CardError):
        sentence, params = FAULTS[error.__cause__.code], error.__cause__.params
    elif isinstance(error.__cause__, CalendarError):
        sentence, params = "%(reason)s", {"reason": sentence_of(error.__cause__)}
    if error.column in RANGES and _looks_like_a_date(row[error.column]):
        sentence = _(
            "The spreadsheet has turned this range into a date. Format the column as text "
            "and enter the range again, for example 3-8."
        )
    return Fault(row.file, row.line, error.column, value, sentence, params)


def _looks_like_a_date(text: str) -> bool:
    """Return whether a spreadsheet has probably turned a range into a date.

    Examples are `2026-03-08` and `08-Mar`.
    """
    named = any(map(str.isalpha, text)) and any(map(str.isdigit, text))
    return len(text) >= _DATE_LIKE or named
