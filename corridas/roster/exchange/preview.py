"""Previews the import of a roster file: what it would change, or what is wrong with it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from corridas import circuit_queries as circuits
from corridas.calendar_faults import calendar_fault, sentence_of
from corridas.circuits.calendar_checks import overlap_error, refused_overlap, years_ahead
from corridas.errors import OperationError
from corridas.models import Circuit
from corridas.roster.files import (
    BULLS,
    FERIAS,
    Fault,
    Faults,
    Ground,
    Key,
    Plan,
    Read,
    Record,
    RowVerdict,
    Step,
    Tables,
    bulls_gone,
    calendar_after,
    check_tables,
    compare,
    current_roster,
    first_rows,
    limits,
    quoted,
    read_apart,
    recognised,
)
from corridas.roster.files.columns import CARDS, MATADORS
from corridas.roster.queries import circuits_of, oversees
from corridas.simulation.new_circuit import shipped
from corridas.world.calendar import MAX_ENTRIES, CalendarEntry, CalendarError, first_break

if TYPE_CHECKING:
    Person = User | AnonymousUser


# Seconds for which an uploaded file is stored until its import is confirmed.
TTL: Final = 60 * 60
DIRECT: Final = "corridas.direct_circuit"
PERMISSION: Final = "corridas.keep_rosters"


class StoredPreview(NamedTuple):
    """A preview as stored in the cache.

    It has the tables of the file, the options, and a fingerprint of the effect that was shown.
    """

    tables: Tables
    name: str
    archive: bool
    fingerprint: str


@dataclass(frozen=True)
class Preview:
    """The effect of a roster file.

    With any fault nothing is imported and there is no token. `unlisted` is the number of faults
    that are not listed, and `unread` the number of rows that were not checked because there were
    too many faults.
    """

    name: str
    plan: Plan
    faults: tuple[Fault, ...] = ()
    unlisted: int = 0
    unread: int = 0
    token: str = ""

    @property
    def wrong(self) -> int:
        """The number of all faults, including those that are not listed."""
        return len(self.faults) + self.unlisted


# Maximum number of rows that a preview lists. New and changed rows come first.
MAX_ROWS: Final = 300
# Number of rows of each table that are checked first. If they already contain the maximum number of
# faults, the rest of the file is not checked.
FIRST_ROWS: Final = 500


class Moved(OperationError):
    """The roster has changed since the preview. `look` is a new preview."""

    def __init__(self, look: Preview) -> None:
        super().__init__(
            _(
                "The roster has changed since this preview. Check the new preview before you "
                "confirm."
            )
        )
        self.look = look


def may_exchange(by: Person, circuit: Circuit) -> bool:
    """Return whether a user may import and export the roster of a circuit.

    The director and administrators of rosters may.
    """
    return by.has_perm(DIRECT, circuit) or (
        by.is_authenticated and circuits_of(by).filter(pk=circuit.pk).exists()
    )


def check_may_exchange(by: Person, circuit: Circuit) -> None:
    if not may_exchange(by, circuit):
        raise PermissionDenied(_("Only people who maintain this roster can export or import it."))


def sees_office_columns(by: Person) -> bool:
    """Return whether a user may see columns reserved for administrators.

    An example is the potential of a matador.
    """
    return oversees(by) or by.has_perm(PERMISSION)


def preview_import(
    *, circuit: Circuit, data: bytes, name: str, by: User, archive: bool = False
) -> Preview:
    """Return what the import of a file would change. The file is stored for an hour.

    With `archive`, rows that are missing from a table of the file are archived. Raise
    `PermissionDenied` to users who may not edit this roster.
    """
    check_may_exchange(by, circuit)
    tables = read_apart(data, quoted(name), limits())
    look = study(circuit, tables, name, archive=archive, office=sees_office_columns(by))
    if look.wrong or look.plan.empty:
        return look
    token = secrets.token_urlsafe(16)
    cache.set(
        cache_key(circuit, by, token),
        StoredPreview(tables, name, archive, look.plan.fingerprint),
        TTL,
    )
    return Preview(name, look.plan, token=token)


def cache_key(circuit: Circuit, by: User, token: str) -> str:
    return f"roster-upload:{circuit.pk}:{by.pk}:{quote(token, safe='')[:40]}"


def earlier_cache_key(circuit: Circuit, by: User, token: str) -> str:
    """Return the cache key that earlier versions used for a preview.

    It is only read, never written.
    """
    return f"roster-preview:{circuit.pk}:{by.pk}:{quote(token, safe='')[:40]}"


def study(circuit: Circuit, tables: Tables, name: str, *, archive: bool, office: bool) -> Preview:
    """Return the preview of tables, or their faults.

    The first rows of each table are checked first, so that a file full of faults is rejected early.
    """
    studying = _Studying(circuit, quoted(name), archive=archive, office=office)
    if too_long := studying.too_long(tables):
        return too_long
    first, left, named = first_rows(tables, FIRST_ROWS)
    if left:
        look = studying.look(first, named)
        if look.wrong >= studying.limits.faults:
            return replace(look, unread=left)
    return studying.look(tables, {})


class _Studying:
    """Compares the tables of a file with the roster of a circuit, which is read only once."""

    def __init__(self, circuit: Circuit, name: str, *, archive: bool, office: bool) -> None:
        self.circuit, self.name = circuit, name
        self.archive, self.office = archive, office
        self.limits = limits()
        self.roster = current_roster(circuit, shipped().ferias)
        self.there = {name: len(rows) for name, rows in self.roster.tables.items()}
        most = self.limits.rows
        men = min(most, self.there[MATADORS.name] + circuits.matadors_left(circuit))
        ferias = max(MAX_ENTRIES, self.there[FERIAS.name])
        self.room = dict.fromkeys(self.there, most)
        self.room |= {MATADORS.name: men, CARDS.name: men, FERIAS.name: ferias}

    def too_long(self, tables: Tables) -> Preview | None:
        """Return a preview with the faults of tables that have too many rows.

        Return None if no table has more rows than a roster may have.
        """
        faults = [
            _too_many(
                table.name, self.room, sheet.name, sheet.lines[self.room[table.name] + 1].number
            )
            for sheet, table in recognised(tables)
            if len(sheet.lines) - 1 > self.room[table.name]
        ]
        return Preview(self.name, Plan(()), tuple(faults)) if faults else None

    def look(self, tables: Tables, named: Mapping[str, set[Key]]) -> Preview:
        """Return the preview of these tables.

        `named` are keys of further rows of the same file that are not part of these tables.
        """
        faults, roster, circuit = Faults(self.limits.faults), self.roster, self.circuit
        read = check_tables(tables, faults, office=self.office)
        reads = read.reads
        bulls = [e.key for r in reads if r.table is BULLS for e in r.entries]
        gone = bulls_gone(circuit, [key for key in bulls if key not in roster.tables[BULLS.name]])
        steps = compare(reads, Ground(roster, gone, self.archive, named), faults)
        _check_room(steps, self.there, self.room, faults)
        before = roster.tables[FERIAS.name]
        calendar = _calendar(circuit, reads, before, faults, replace=self.archive)
        if calendar is not None and len(calendar) > self.room[FERIAS.name]:
            sheet = next(read.sheet for read in reads if read.table is FERIAS)
            faults.add(_too_many(FERIAS.name, self.room, sheet, None))
        aside = tuple(dict.fromkeys(column for each in reads for column in each.aside))
        plan = Plan(steps, calendar, aside, read.guessed)
        return Preview(self.name, plan, tuple(faults.listed), faults.unlisted)


def _check_room(
    steps: tuple[Step, ...], there: dict[str, int], room: dict[str, int], faults: Faults
) -> None:
    for table, rows in there.items():
        if table == FERIAS.name:
            # A file can replace the calendar, so `calendar_after` counts its entries instead.
            continue
        new = [step for step in steps if step.table == table and step.verdict is RowVerdict.NEW]
        if new and rows + len(new) > room[table]:
            faults.add(_too_many(table, room, new[-1].sheet, new[-1].line))


def _too_many(table: str, room: Mapping[str, int], sheet: str, line: int | None) -> Fault:
    sentence = gettext_noop("A roster can have at most %(most)s %(table)s.")
    return Fault(sheet, line, "", "", sentence, {"most": room[table], "table": table})


def _calendar(
    circuit: Circuit,
    reads: tuple[Read, ...],
    before: dict[tuple[str, ...], Record],
    faults: Faults,
    *,
    replace: bool,
) -> tuple[Record, ...] | None:
    for read in reads:
        if read.table is FERIAS and not faults.count:
            after = calendar_after(read, before, replace=replace)
            if after is not None:
                _check_days(read, after, years_ahead(circuit), faults)
            return after
    return None


def entry_of(record: Record) -> CalendarEntry:
    return CalendarEntry(
        record["feria"],
        record["plaza"],
        record["starts"],
        int(record["corridas"]),
        record["days"],
    )


def _check_days(read: Read, calendar: tuple[Record, ...], years: range, faults: Faults) -> None:
    """Report the first feria whose dates are impossible in a year.

    In the coming year overlaps with another feria are reported too.
    """
    entries = [entry_of(record) for record in calendar]
    if error := first_break(entries, years):
        faults.add(_calendar_fault(read, error))
    elif overlap := refused_overlap(entries, years[0]):
        named = (overlap.entry, overlap.other)
        lines = [entry.line for entry in read.entries if entry_of(entry.record) in named]
        line, params = max(lines, default=None), {"reason": overlap_error(overlap)}
        value = overlap.entry.starts if line else ""
        faults.add(Fault(read.sheet, line, "starts" if line else "", value, "%(reason)s", params))


def _calendar_fault(read: Read, error: CalendarError) -> Fault:
    """Return the fault about a feria, located in its row of the file.

    The feria may also not be part of the file.
    """
    column = "corridas" if error.code == "too_long" else "starts"
    for row in read.entries:
        if error.entry and entry_of(row.record) == error.entry:
            params = {"reason": sentence_of(error)}
            return Fault(read.sheet, row.line, column, row.record[column], "%(reason)s", params)
    return Fault(read.sheet, None, "", "", "%(reason)s", {"reason": calendar_fault(error)})
