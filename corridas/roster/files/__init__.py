"""Roster files: CSV, workbooks and bundles.

`read_file` turns a file into checked entries, and `compare` returns what they would change in the
current roster. `write_csv`, `write_workbook` and `write_bundle` export a roster. `docs/rosters.md`
describes the files.
"""

from __future__ import annotations

from core.spreadsheets.csv_files import write_csv
from core.spreadsheets.errors import Fault, Faults
from core.spreadsheets.files import Tables
from core.spreadsheets.limits import Limits
from core.spreadsheets.sheets import quoted
from core.spreadsheets.workbooks import write_workbook
from corridas.roster.files.checking import Key, Read, Record
from corridas.roster.files.columns import BULLS, DECK, FERIAS, TABLES, limits
from corridas.roster.files.comparison import Ground, Plan, RowVerdict, Step, calendar_after, compare
from corridas.roster.files.current import (
    CurrentRoster,
    bulls_gone,
    current_roster,
    newest_cards,
    table_records,
)
from corridas.roster.files.reading import (
    FileRead,
    check_tables,
    deck_from,
    first_rows,
    read_apart,
    read_file,
    recognised,
    rows_of,
    write_bundle,
)

__all__ = [
    "BULLS",
    "DECK",
    "FERIAS",
    "TABLES",
    "CurrentRoster",
    "Fault",
    "Faults",
    "FileRead",
    "Ground",
    "Key",
    "Limits",
    "Plan",
    "Read",
    "Record",
    "RowVerdict",
    "Step",
    "Tables",
    "bulls_gone",
    "calendar_after",
    "check_tables",
    "compare",
    "current_roster",
    "deck_from",
    "first_rows",
    "limits",
    "newest_cards",
    "quoted",
    "read_apart",
    "read_file",
    "recognised",
    "rows_of",
    "table_records",
    "write_bundle",
    "write_csv",
    "write_workbook",
]
