"""Exports a table, or the whole roster of a circuit, as a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from core.spreadsheets.sheets import escape_formula
from corridas.models import Circuit
from corridas.roster.exchange.preview import check_may_exchange, sees_office_columns
from corridas.roster.files import (
    TABLES,
    CurrentRoster,
    current_roster,
    rows_of,
    table_records,
    write_bundle,
    write_csv,
    write_workbook,
)
from corridas.simulation.new_circuit import shipped

if TYPE_CHECKING:
    from accounts.models import User


class Form(StrEnum):
    """Format of an export: CSV (one table), workbook (one table or all) or bundle (all tables)."""

    CSV = "csv"
    XLSX = "xlsx"
    BUNDLE = "zip"


def export_roster(*, circuit: Circuit, by: User, form: Form, table: str = "") -> bytes:
    """Return the exported file.

    `table` is a table of the roster, or empty for all. Raise `NotAllowed` to users who may not edit
    this roster, and `ValueError` if the format cannot contain the table.
    """
    check_may_exchange(by, circuit)
    office = sees_office_columns(by)
    roster = current_roster(circuit, shipped().ferias)
    if form is Form.BUNDLE:
        return write_bundle(roster, slug=circuit.slug, name=circuit.name, office=office)
    if form is Form.XLSX:
        return _workbook(roster, [table] if table else list(TABLES), office=office)
    names = TABLES[table].names(office=office)
    return write_csv(names, rows_of(roster, table, office=office)).encode("utf-8-sig")


def csv_rows(*, circuit: Circuit, by: User, table: str) -> Iterator[Sequence[str]]:
    """Yield the header and the rows of a table of the roster, for a CSV file.

    Rows are read while the file is sent. Raise `PermissionDenied` to users who may not edit this
    roster.
    """
    check_may_exchange(by, circuit)
    names = TABLES[table].names(office=sees_office_columns(by))
    yield names
    for record in table_records(circuit, table, shipped().ferias):
        yield [escape_formula(record[name]) for name in names]


def _workbook(roster: CurrentRoster, tables: list[str], *, office: bool) -> bytes:
    return write_workbook(
        (name, TABLES[name].names(office=office), rows_of(roster, name, office=office))
        for name in tables
    )


def file_name(circuit: Circuit, form: Form, table: str = "") -> str:
    """Return the name of an exported file. An import recognises the table by this name."""
    return f"{circuit.slug}-{table or 'roster'}.{form.value}"
