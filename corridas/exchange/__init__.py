"""Rosters as files: CSV, workbooks and bundles, out of rows and back, checked row by row.

`read_file` turns a file into checked entries, `compare` says what they would change in a roster
that is `standing`; `write_csv`, `write_workbook` and `write_bundle` are the way out.
`docs/rosters.md` says what the files look like.
"""

from corridas.exchange.bundles import rows_of, write_bundle
from corridas.exchange.checking import Entry, Key, Read, Record
from corridas.exchange.comparing import (
    Difference,
    Ground,
    Plan,
    Step,
    Verdict,
    calendar_after,
    compare,
)
from corridas.exchange.limits import limits
from corridas.exchange.reading import FileRead, check_tables, deck_from, read_apart, read_file
from corridas.exchange.standing import Standing, bulls_gone, newest_cards, standing
from corridas.exchange.tables import BULLS, DECK, FERIAS, TABLES, Table
from spreadsheets.csv_files import write_csv
from spreadsheets.faults import Fault, Faults, quoted
from spreadsheets.files import Tables
from spreadsheets.limits import Limits
from spreadsheets.workbooks import write_workbook

__all__ = [
    "BULLS",
    "DECK",
    "FERIAS",
    "TABLES",
    "Difference",
    "Entry",
    "Fault",
    "Faults",
    "FileRead",
    "Ground",
    "Key",
    "Limits",
    "Plan",
    "Read",
    "Record",
    "Standing",
    "Step",
    "Table",
    "Tables",
    "Verdict",
    "bulls_gone",
    "calendar_after",
    "check_tables",
    "compare",
    "deck_from",
    "limits",
    "newest_cards",
    "quoted",
    "read_apart",
    "read_file",
    "rows_of",
    "standing",
    "write_bundle",
    "write_csv",
    "write_workbook",
]
