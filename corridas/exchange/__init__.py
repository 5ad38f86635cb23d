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
from corridas.exchange.csv_files import write_csv
from corridas.exchange.faults import Fault, Faults, quoted
from corridas.exchange.limits import Limits, limits
from corridas.exchange.reading import FileRead, deck_from, read_file
from corridas.exchange.standing import Standing, bulls_gone, newest_cards, standing
from corridas.exchange.tables import BULLS, DECK, FERIAS, TABLES, Table
from corridas.exchange.workbooks import write_workbook

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
    "Verdict",
    "bulls_gone",
    "calendar_after",
    "compare",
    "deck_from",
    "limits",
    "newest_cards",
    "quoted",
    "read_file",
    "rows_of",
    "standing",
    "write_bundle",
    "write_csv",
    "write_workbook",
]
