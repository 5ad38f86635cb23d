"""Compares a roster file with the current roster, row by row. Nothing is written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from django.utils.translation import gettext_noop as _

from core.addresses import reserved_words
from core.names.text import clean
from core.spreadsheets.errors import Fault, Faults
from core.spreadsheets.sheets import quoted
from corridas.models import Bull, Matador
from corridas.roster.files.checking import Key, Read, Record, RosterEntry
from corridas.roster.files.columns import (
    BOUND,
    BULLS,
    CARDS,
    DEFAULTS,
    FERIAS,
    TABLES,
    YES,
    RosterTable,
)
from corridas.roster.files.current import CurrentRoster, Records


class RowVerdict(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    # A changed card that has already been announced. The values become its next printing.
    PRINTING = "printing"
    ARCHIVED = "archived"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Difference:
    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Step:
    """The effect of an import on one row.

    `line` is the row in the file, None for a row that the file does not contain. `record` is the
    whole row after the import.
    """

    table: str
    sheet: str
    line: int | None
    key: Key
    verdict: RowVerdict
    record: Record
    differences: tuple[Difference, ...] = ()

    @property
    def name(self) -> str:
        return self.record.get("name") or " ".join(self.key)

    @property
    def details(self) -> tuple[Difference, ...]:
        """The changed columns, or all columns with a value for a new row.

        They are calculated on demand, because a file may have sixty thousand rows but a preview
        shows few.
        """
        if self.verdict is not RowVerdict.NEW:
            return self.differences
        written = ((name, self.record.get(name, "")) for name in TABLES[self.table].by_name)
        return tuple(Difference(name, "", value) for name, value in written if value)


@dataclass(frozen=True)
class Plan:
    """All effects of an import in the order of the file.

    `calendar` is the whole new calendar, or None if it does not change. `aside` are columns left
    out because only administrators may write them. `guessed` are files that were assumed to be
    encoded in Windows-1252.
    """

    steps: tuple[Step, ...]
    calendar: tuple[Record, ...] | None = None
    aside: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()

    @property
    def moving(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.verdict is not RowVerdict.SAME)

    @property
    def empty(self) -> bool:
        return not self.moving and self.calendar is None

    @property
    def reordered(self) -> bool:
        moved = any(step.table == FERIAS.name for step in self.moving)
        return self.calendar is not None and not moved

    def counts(self) -> dict[str, dict[RowVerdict, int]]:
        counter = Counter((step.table, step.verdict) for step in self.steps)
        tables = dict.fromkeys(step.table for step in self.steps)
        return {
            name: {verdict: counter[name, verdict] for verdict in RowVerdict} for name in tables
        }

    @property
    def fingerprint(self) -> str:
        """A digest of the effect.

        It differs if the roster has changed in a column that matters for the import.
        """
        text = repr(
            [
                (s.table, s.key, s.verdict.value, sorted(s.record.items()), s.differences)
                for s in self.moving
            ]
        )
        return sha256(f"{text}{self.calendar}".encode()).hexdigest()


@dataclass(frozen=True)
class Ground:
    """The roster with which a file is compared.

    `gone` are bulls that have fought and are no longer part of it. With `archive`, rows that are
    missing from a table of the file are archived. `named` are keys of rows of the file that have
    not been read.
    """

    roster: CurrentRoster
    gone: Records = field(default_factory=dict)
    archive: bool = False
    named: Mapping[str, set[Key]] = field(default_factory=dict)


# Columns that refer to a row of another table, with the name of that table.
REFERENCES: Final[Mapping[str, Mapping[str, str]]] = {
    CARDS.name: {"matador": "matadors"},
    BULLS.name: {"herd": "herds"},
    FERIAS.name: {"plaza": "plazas"},
    "matadors": {"padrino": "matadors", "testigo": "matadors"},
}


def compare(reads: Sequence[Read], ground: Ground, faults: Faults) -> tuple[Step, ...]:
    """Return the effects of all tables of a file.

    References to unknown rows, and changes that a published commitment forbids, are reported as
    faults.
    """
    known = {
        name: set(records)
        | ground.named.get(name, set())
        | {entry.key for read in reads if read.table.name == name for entry in read.entries}
        for name, records in ground.roster.tables.items()
    }
    steps: list[Step] = []
    for read in reads:
        comparing = _Comparing(read, ground, known)
        for entry in read.entries:
            differences = list(comparing.faults(entry))
            faults.extend(differences)
            if not differences:
                steps.append(comparing.step(entry))
        steps.extend(comparing.missing())
    return tuple(steps)


class _Comparing:
    """Compares one table of a file with the same table of the current roster."""

    def __init__(self, read: Read, ground: Ground, known: Mapping[str, set[Key]]) -> None:
        self.read, self.ground, self.known = read, ground, known
        self.table: RosterTable = read.table
        self.there = ground.roster.tables[self.table.name]
        self.bound = ground.roster.bound.get(self.table.name, frozenset())
        self.binding = BOUND.get(self.table.name, ())

    def faults(self, entry: RosterEntry) -> Iterator[Fault]:
        for column, other in REFERENCES.get(self.table.name, {}).items():
            slug = entry.record.get(column)
            if slug and (slug,) not in self.known[other]:
                sentence = _(
                    "There is no “%(name)s” in %(table)s, either on this site or in the file."
                )
                yield self._fault(entry, column, sentence, name=quoted(slug), table=other)
        yield from self._sire_faults(entry)
        yield from self._address_faults(entry)
        if entry.key in self.ground.gone:
            yield from self._gone_faults(entry)
        elif entry.key in self.bound:
            for difference in self._differences(entry):
                if difference.column in self.binding:
                    sentence = _(
                        "“%(of)s” must stay “%(before)s”, because a cartel with this value has "
                        "already been announced."
                    )
                    yield self._fault(
                        entry,
                        difference.column,
                        sentence,
                        of=difference.column,
                        before=difference.before,
                    )

    def _sire_faults(self, entry: RosterEntry) -> Iterator[Fault]:
        number = entry.record.get("sire_number")
        if self.table is BULLS and number:
            sire = (entry.record["herd"], entry.record["sire_year"], number)
            if sire == entry.key or sire not in self.known[BULLS.name]:
                sentence = _(
                    "Apart from this bull, the herd has no bull with the number %(number)s in "
                    "%(year)s."
                )
                yield self._fault(entry, "sire_number", sentence, number=number, year=sire[1])

    def _address_faults(self, entry: RosterEntry) -> Iterator[Fault]:
        """Yield faults for new rows whose slug would conflict with the URL of another page."""
        slug = entry.record.get("slug")
        if slug and entry.key not in self.there and slug in reserved_words(*self.table.folders):
            sentence = _(
                "“%(slug)s” is already used in the address of another page on this site. Choose "
                "another slug."
            )
            yield self._fault(entry, "slug", sentence, slug=slug)

    def _gone_faults(self, entry: RosterEntry) -> Iterator[Fault]:
        """Yield faults for a changed row of a bull that has already fought.

        Such a row is only allowed if it is unchanged.
        """
        was = self.ground.gone[entry.key]
        for column in ("name", "coat", "weight"):
            if entry.record[column] != clean(was[column]):
                sentence = _(
                    "“%(of)s” must stay “%(before)s”, because this bull has already been fought."
                )
                yield self._fault(entry, column, sentence, of=column, before=was[column])

    def _fault(self, entry: RosterEntry, column: str, sentence: str, **params: object) -> Fault:
        return Fault(
            entry.sheet, entry.line, column, quoted(entry.record[column]), sentence, params
        )

    def step(self, entry: RosterEntry) -> Step:
        if entry.key in self.ground.gone:
            return self._step(entry, RowVerdict.SAME, self.ground.gone[entry.key])
        before = self.there.get(entry.key)
        if before is None:
            blank = dict.fromkeys(self.table.by_name, "")
            usual = DEFAULTS.get(self.table.name, {})
            return self._step(entry, RowVerdict.NEW, {**blank, **usual, **entry.record})
        differences = tuple(self._differences(entry))
        after = before | {difference.column: difference.after for difference in differences}
        return self._step(entry, self._verdict(entry, differences), after, differences)

    def _verdict(self, entry: RosterEntry, differences: Sequence[Difference]) -> RowVerdict:
        if not differences:
            return RowVerdict.SAME
        printed = self.table is CARDS and entry.key in self.bound
        return RowVerdict.PRINTING if printed else RowVerdict.CHANGED

    def _differences(self, entry: RosterEntry) -> list[Difference]:
        before = self.there[entry.key]
        spared = (
            self.table is BULLS
            and entry.key in self.bound
            and before["state"] == Bull.State.SEMENTAL
        )
        return [
            Difference(name, before[name], entry.record[name])
            for name in self.read.columns
            # Compare cleaned names: an unclean stored name counts as equal, and stays as it was
            # announced.
            if clean(before[name]) != entry.record[name] and not (spared and name == "state")
        ]

    def _step(
        self,
        entry: RosterEntry,
        verdict: RowVerdict,
        record: Record,
        differences: tuple[Difference, ...] = (),
    ) -> Step:
        return Step(
            self.table.name, entry.sheet, entry.line, entry.key, verdict, record, differences
        )

    def missing(self) -> Iterator[Step]:
        archived = self._archived_values() if self.ground.archive else {}
        there = {entry.key for entry in self.read.entries}
        for key, record in self.there.items() if archived else ():
            differences = tuple(
                Difference(name, record[name], value)
                for name, value in archived.items()
                if record[name] != value
            )
            live = record.get("archived") != YES and record.get("state") != Matador.State.RETIRED
            if key not in there and differences and live:
                yield Step(
                    self.table.name,
                    self.read.sheet,
                    None,
                    key,
                    RowVerdict.ARCHIVED,
                    record | archived,
                    differences,
                )

    def _archived_values(self) -> Record:
        if self.table.name == "matadors":
            return {"state": Matador.State.RETIRED.value}
        return {"archived": YES} if "archived" in self.table.by_name else {}


def calendar_after(read: Read, before: Records, *, replace: bool) -> tuple[Record, ...] | None:
    """Return the calendar after the import of these entries, or None if it does not change.

    If the file has all entries, or replaces the calendar, its order is used. Otherwise existing
    entries keep their order and new ones come last.
    """
    given = {entry.key: entry.record for entry in read.entries}
    whole = replace or set(before) <= set(given)
    kept = {} if whole else before
    after = tuple((kept | given).values())
    return None if after == tuple(before.values()) else after


assert set(REFERENCES) <= set(TABLES)
