"""A file of whatever kind as the tables of a roster, and all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_noop as _

from corridas.engine import DECK_SIZE, Deck, DeckError
from corridas.exchange.bundles import is_bundle, read_bundle
from corridas.exchange.checking import Entry, Read, read_table
from corridas.exchange.csv_files import read_csv
from corridas.exchange.faults import Fault, Faults, Refused
from corridas.exchange.limits import Limits
from corridas.exchange.sheets import Sheet
from corridas.exchange.tables import DECK, TABLES
from corridas.exchange.workbooks import read_workbook
from corridas.world.roster.loading import CARD_NAMED

_ZIP = b"PK\x03\x04"
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True)
class FileRead:
    """The tables of a file in the order in which they are brought in; `guessed` names files."""

    reads: tuple[Read, ...]
    guessed: tuple[str, ...] = ()


def read_file(data: bytes, name: str, faults: Faults, limits: Limits, *, office: bool) -> FileRead:
    """The tables of a CSV file, a workbook or a bundle; what is wrong is added to the faults."""
    try:
        sheets, guessed = _sheets(data, name, limits)
    except Refused as refused:
        faults.add(refused.fault)
        return FileRead(())
    reads = [read for sheet in sheets if (read := _read(sheet, faults, office=office))]
    for table in {read.table.name for read in reads}:
        _check_once(table, reads, faults)
    order = list(TABLES)
    return FileRead(tuple(sorted(reads, key=lambda read: order.index(read.table.name))), guessed)


def _sheets(data: bytes, name: str, limits: Limits) -> tuple[Sequence[Sheet], tuple[str, ...]]:
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
            return read_bundle(data, name, limits)
        sheets = [sheet for sheet in read_workbook(data, name, limits) if sheet.lines]
        if not sheets:
            raise Refused(_("The file is empty."), name)
        return sheets, ()
    sheet, guessed = read_csv(data, name, limits)
    return [sheet], (name,) if guessed else ()


def _read(sheet: Sheet, faults: Faults, *, office: bool) -> Read | None:
    before = faults.count
    try:
        read = read_table(sheet, faults, office=office)
    except Refused as refused:
        faults.add(refused.fault)
        return None
    if read.table is DECK and faults.count == before:
        _check_deck(read, faults)
    return read


def _check_once(table: str, reads: Iterable[Read], faults: Faults) -> None:
    sheets = [read.sheet for read in reads if read.table.name == table]
    for sheet in sheets[1:]:
        sentence = _("The file contains %(table)s twice: in “%(before)s” and here.")
        faults.add(Fault(sheet, None, "", "", sentence, {"table": table, "before": sheets[0]}))


def _check_deck(read: Read, faults: Faults) -> None:
    """The rules of a whole deck (Ruling I-1), told at the card they name, else where it ends."""
    entries = {int(entry.key[0]): entry for entry in read.entries}
    last = read.entries[-1] if read.entries else Entry(read.sheet, 1, ("0",), {})
    missing = [place for place in range(DECK_SIZE) if place not in entries]
    if missing:
        sentence = _("The deck has no card %(card)s. It must have all seventy, from 0 to 69.")
        faults.add(Fault(read.sheet, last.line, "card", "", sentence, {"card": missing[0]}))
        return
    try:
        deck_of(entries[place] for place in range(DECK_SIZE))
    except DeckError as error:
        named = CARD_NAMED.match(str(error))
        line = entries[int(named[1])].line if named else last.line
        faults.add(Fault(read.sheet, line, "", "", "%(reason)s", {"reason": str(error)}))


def deck_of(entries: Iterable[Entry]) -> Deck:
    """The engine's deck; `DeckError` where it is not legal."""
    return deck_from([entry.record for entry in entries])


def deck_from(records: Iterable[dict[str, str]]) -> Deck:
    """The deck of seventy records in their order; `DeckError` where it is not legal."""
    names = DECK.names(office=True)[1:]
    return Deck.parse("\n".join(" | ".join(record[name] for name in names) for record in records))
