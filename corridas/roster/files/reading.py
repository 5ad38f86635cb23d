"""Reads roster files into checked tables, and writes bundles."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from django.utils.translation import gettext_noop as _

from actas.envelope import SITE, SITE_VERSION
from core import isolation
from core.spreadsheets.bundles import FORMAT, MANIFEST, VERSION
from core.spreadsheets.csv_files import write_csv
from core.spreadsheets.errors import Fault, Faults, Refused
from core.spreadsheets.files import RESULT_TYPES, Tables, read_sheets
from core.spreadsheets.limits import Limits
from core.spreadsheets.sheets import Sheet, quoted
from corridas.engine import DECK_SIZE, Deck, DeckError
from corridas.roster.files.checking import (
    Key,
    Read,
    RosterEntry,
    UnknownTable,
    header_of,
    keys_in,
    read_table,
    recognise,
)
from corridas.roster.files.columns import DECK, HERDS, MATADORS, PLAZAS, TABLES, RosterTable
from corridas.roster.files.current import CurrentRoster
from corridas.world.roster.loading import CARD_NAMED

_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_READABLE: Final = 0o644 << 16


# Tables whose rows are referred to by other rows. Bulls are only referred to as sires.
NAMED_BY_OTHERS: Final = (PLAZAS, HERDS, MATADORS)


def rows_of(roster: CurrentRoster, table: str, *, office: bool) -> list[list[str]]:
    names = TABLES[table].names(office=office)
    return [[record[name] for name in names] for record in roster.tables[table].values()]


def write_bundle(roster: CurrentRoster, *, slug: str, name: str, office: bool) -> bytes:
    files = {
        f"{table.name}.csv": write_csv(
            table.names(office=office), rows_of(roster, table.name, office=office)
        ).encode()
        for table in TABLES.values()
    }
    counts = {f"{name}.csv": len(records) for name, records in roster.tables.items()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"{SITE} {SITE_VERSION}",
        "circuit": {"slug": slug, "name": name},
        "files": {
            file: {"sha256": sha256(data).hexdigest(), "rows": counts[file]}
            for file, data in files.items()
        },
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
    return _packed({MANIFEST: text.encode(), **files})


def _packed(files: Mapping[str, bytes]) -> bytes:
    """Return a zip file without timestamps, so that the same files give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, _LONG_AGO)
            member.create_system, member.external_attr = _UNIX, _READABLE
            member.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(member, data, compresslevel=9)
    return out.getvalue()


@dataclass(frozen=True)
class FileRead:
    """The tables of a file in the order of import.

    `guessed` are files whose encoding was guessed.
    """

    reads: tuple[Read, ...]
    guessed: tuple[str, ...] = ()


def read_file(data: bytes, name: str, faults: Faults, limits: Limits, *, office: bool) -> FileRead:
    return check_tables(read_sheets(data, name, limits, list(TABLES)), faults, office=office)


def read_apart(data: bytes, name: str, limits: Limits) -> Tables:
    """Parse an untrusted file in a separate process with limited time and memory.

    If it exceeds them, the result contains a fault.
    """
    try:
        return isolation.run(read_sheets, data, name, limits, list(TABLES), made_of=RESULT_TYPES)
    except isolation.TooExpensiveError:
        sentence = _(
            "The file takes too much time or memory to read. Save it again, or save it as "
            "CSV, and import the new file."
        )
        return Tables(fault=Fault(name, None, "", "", sentence))
    except isolation.BusyError:
        sentence = _("Other files are being read. Try again in a minute.")
        return Tables(fault=Fault(name, None, "", "", sentence))


def check_tables(tables: Tables, faults: Faults, *, office: bool) -> FileRead:
    if tables.fault is not None:
        faults.add(tables.fault)
        return FileRead(())
    alone = len(tables.sheets) == 1
    reads = [
        read
        for sheet in tables.sheets
        if (read := _read(sheet, faults, office=office, alone=alone))
    ]
    for table in {read.table.name for read in reads}:
        _check_once(table, reads, faults)
    order = list(TABLES)
    ordered = sorted(reads, key=lambda read: order.index(read.table.name))
    return FileRead(tuple(ordered), tables.guessed)


def recognised(tables: Tables) -> list[tuple[Sheet, RosterTable]]:
    """Return the sheets of a file that contain a roster table, with that table."""
    found = []
    for sheet in tables.sheets:
        with suppress(Refused):
            found.append((sheet, recognise(sheet)))
    return found


def first_rows(tables: Tables, most: int) -> tuple[Tables, int, dict[str, set[Key]]]:
    """Return the first rows of each sheet, the number of further rows, and keys of all rows.

    The keys are those of tables that other rows may refer to.
    """
    cut = [Sheet(sheet.name, sheet.lines[: most + 1]) for sheet in tables.sheets]
    left = sum(max(0, len(sheet.lines) - 1 - most) for sheet in tables.sheets)
    named: dict[str, set[Key]] = {}
    for sheet, table in recognised(tables) if left else ():
        if table in NAMED_BY_OTHERS or "sire_number" in header_of(sheet):
            named[table.name] = named.get(table.name, set()) | keys_in(sheet, table)
    return replace(tables, sheets=tuple(cut)), left, named


def _read(sheet: Sheet, faults: Faults, *, office: bool, alone: bool) -> Read | None:
    """Return the checked table of a sheet, or None if it contains no table.

    `alone` is true if it is the only sheet of the file.
    """
    before = faults.count
    try:
        read = read_table(sheet, faults, office=office)
    except UnknownTable as unknown:
        faults.add(unknown.fault if alone else _extra_sheet(sheet))
        return None
    except Refused as refused:
        faults.add(refused.fault)
        return None
    if read.table is DECK and faults.count == before:
        _check_deck(read, faults)
    return read


def _extra_sheet(sheet: Sheet) -> Fault:
    """Return the fault of a sheet that contains no roster table."""
    sentence = _(
        "The sheet “%(sheet)s” does not have the name of a roster table. Delete the "
        "sheet, or give it the name of the table that it contains. Possible names: "
        "%(tables)s."
    )
    params = {"sheet": quoted(sheet.name), "tables": ", ".join(TABLES)}
    return Fault(sheet.name, None, "", "", sentence, params)


def _check_once(table: str, reads: Iterable[Read], faults: Faults) -> None:
    sheets = [read.sheet for read in reads if read.table.name == table]
    for sheet in sheets[1:]:
        sentence = _("The file contains %(table)s twice: in “%(before)s” and here.")
        faults.add(Fault(sheet, None, "", "", sentence, {"table": table, "before": sheets[0]}))


def _check_deck(read: Read, faults: Faults) -> None:
    """Check a complete deck (Ruling I-1).

    A fault is located at the card that it is about, or at the last card.
    """
    entries = {int(entry.key[0]): entry for entry in read.entries}
    last = read.entries[-1] if read.entries else RosterEntry(read.sheet, 1, ("0",), {})
    missing = [place for place in range(DECK_SIZE) if place not in entries]
    if missing:
        sentence = _("The deck has no card %(card)s. It must have all seventy, from 0 to 69.")
        faults.add(Fault(read.sheet, last.line, "card", "", sentence, {"card": missing[0]}))
        return
    try:
        deck_from(entries[place].record for place in range(DECK_SIZE))
    except DeckError as error:
        named = CARD_NAMED.match(str(error))
        line = entries[int(named[1])].line if named else last.line
        faults.add(Fault(read.sheet, line, "", "", "%(reason)s", {"reason": str(error)}))


def deck_from(records: Iterable[dict[str, str]]) -> Deck:
    """Return the engine's deck of seventy records. Raise `DeckError` if it is illegal."""
    names = DECK.names(office=True)[1:]
    return Deck.parse("\n".join(" | ".join(record[name] for name in names) for record in records))
