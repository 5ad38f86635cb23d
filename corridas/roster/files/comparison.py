"""What bringing a file in would do to a roster, row by row; nothing is written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from django.utils.translation import gettext_noop as _

from corridas.models import Bull, Matador
from corridas.roster.files.checking import Entry, Key, Read, Record
from corridas.roster.files.standing import CurrentRoster, Records
from corridas.roster.files.tables import BOUND, BULLS, CARDS, DEFAULTS, FERIAS, TABLES, YES, Table
from spreadsheets.errors import Fault, Faults, quoted


class Verdict(StrEnum):
    """What becomes of a row."""

    NEW = "new"
    CHANGED = "changed"
    PRINTING = "printing"
    """A printed card: the values become the next printing."""
    ARCHIVED = "archived"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Difference:
    """A column that changes."""

    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of one row; `line` is its row in the file, None for what is missing from it.

    `record` is the whole row as it would stand.
    """

    table: str
    sheet: str
    line: int | None
    key: Key
    verdict: Verdict
    record: Record
    differences: tuple[Difference, ...] = ()

    @property
    def name(self) -> str:
        """What people call the row."""
        return self.record.get("name") or " ".join(self.key)


@dataclass(frozen=True)
class Plan:
    """All steps in the order of the file; `calendar` is the whole of it where it would differ.

    `aside`: columns left out because the office keeps them; `guessed`: files whose letters were
    guessed to be Latin.
    """

    steps: tuple[Step, ...]
    calendar: tuple[Record, ...] | None = None
    aside: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()

    @property
    def moving(self) -> tuple[Step, ...]:
        """The steps that change anything."""
        return tuple(step for step in self.steps if step.verdict is not Verdict.SAME)

    @property
    def empty(self) -> bool:
        """Whether nothing would change."""
        return not self.moving and self.calendar is None

    @property
    def reordered(self) -> bool:
        """Whether the order of the calendar is all that changes in it."""
        moved = any(step.table == FERIAS.name for step in self.moving)
        return self.calendar is not None and not moved

    def counts(self) -> dict[str, dict[Verdict, int]]:
        """How many rows of each table are new, changed, and so on."""
        found = Counter((step.table, step.verdict) for step in self.steps)
        tables = dict.fromkeys(step.table for step in self.steps)
        return {name: {verdict: found[name, verdict] for verdict in Verdict} for name in tables}

    @property
    def fingerprint(self) -> str:
        """What would be done, in short: another as soon as the roster differs where it counts."""
        told = repr(
            [
                (s.table, s.key, s.verdict.value, sorted(s.record.items()), s.differences)
                for s in self.moving
            ]
        )
        return sha256(f"{told}{self.calendar}".encode()).hexdigest()


@dataclass(frozen=True)
class Ground:
    """What a file is compared with: the roster, and bulls that are gone.

    `archive`: whether what is missing from a table of the file goes into the archive.
    """

    roster: CurrentRoster
    gone: Records = field(default_factory=dict)
    archive: bool = False


REFERENCES: Final[Mapping[str, Mapping[str, str]]] = {
    CARDS.name: {"matador": "matadors"},
    BULLS.name: {"herd": "herds"},
    FERIAS.name: {"plaza": "plazas"},
    "matadors": {"padrino": "matadors", "testigo": "matadors"},
}
"""Columns that name a row of another table."""


def compare(reads: Sequence[Read], ground: Ground, faults: Faults) -> tuple[Step, ...]:
    """The steps of all tables; rows that name what is nowhere, or what is bound, are faults."""
    known = {
        name: set(records)
        | {entry.key for read in reads if read.table.name == name for entry in read.entries}
        for name, records in ground.roster.tables.items()
    }
    steps: list[Step] = []
    for read in reads:
        comparing = _Comparing(read, ground, known)
        for entry in read.entries:
            found = list(comparing.faults(entry))
            faults.extend(found)
            if not found:
                steps.append(comparing.step(entry))
        steps.extend(comparing.missing())
    return tuple(steps)


class _Comparing:
    """One table of a file beside the same table of the roster."""

    def __init__(self, read: Read, ground: Ground, known: Mapping[str, set[Key]]) -> None:
        self.read, self.ground, self.known = read, ground, known
        self.table: Table = read.table
        self.there = ground.roster.tables[self.table.name]
        self.bound = ground.roster.bound.get(self.table.name, frozenset())
        self.binding = BOUND.get(self.table.name, ())

    def faults(self, entry: Entry) -> Iterator[Fault]:
        """What stands against a row."""
        for column, other in REFERENCES.get(self.table.name, {}).items():
            slug = entry.record.get(column)
            if slug and (slug,) not in self.known[other]:
                sentence = _(
                    "There is no “%(name)s” in %(table)s, either on this site or in the file."
                )
                yield self._fault(entry, column, sentence, name=quoted(slug), table=other)
        yield from self._sire_faults(entry)
        if entry.key in self.ground.gone:
            yield from self._gone_faults(entry)
        elif entry.key in self.bound:
            for difference in self._differences(entry):
                if difference.column in self.binding:
                    sentence = _(
                        "“%(of)s” must stay “%(before)s”, because a cartel has already been "
                        "announced with it."
                    )
                    yield self._fault(
                        entry,
                        difference.column,
                        sentence,
                        of=difference.column,
                        before=difference.before,
                    )

    def _sire_faults(self, entry: Entry) -> Iterator[Fault]:
        number = entry.record.get("sire_number")
        if self.table is BULLS and number:
            sire = (entry.record["herd"], entry.record["sire_year"], number)
            if sire == entry.key or sire not in self.known[BULLS.name]:
                sentence = _("The herd has no other bull with number %(number)s in %(year)s.")
                yield self._fault(entry, "sire_number", sentence, number=number, year=sire[1])

    def _gone_faults(self, entry: Entry) -> Iterator[Fault]:
        """A bull that came out is history: its row may stand in a file, unchanged."""
        was = self.ground.gone[entry.key]
        for column in ("name", "coat", "weight"):
            if entry.record[column] != was[column]:
                sentence = _(
                    "“%(of)s” must stay “%(before)s”, because this bull has already been fought."
                )
                yield self._fault(entry, column, sentence, of=column, before=was[column])

    def _fault(self, entry: Entry, column: str, sentence: str, **params: object) -> Fault:
        return Fault(
            entry.sheet, entry.line, column, quoted(entry.record[column]), sentence, params
        )

    def step(self, entry: Entry) -> Step:
        """What becomes of a row that nothing stands against."""
        if entry.key in self.ground.gone:
            return self._step(entry, Verdict.SAME, self.ground.gone[entry.key])
        before = self.there.get(entry.key)
        if before is None:
            blank = dict.fromkeys(self.table.by_name, "")
            usual = DEFAULTS.get(self.table.name, {})
            return self._step(entry, Verdict.NEW, {**blank, **usual, **entry.record})
        differences = tuple(self._differences(entry))
        after = before | {difference.column: difference.after for difference in differences}
        return self._step(entry, self._verdict(entry, differences), after, differences)

    def _verdict(self, entry: Entry, differences: Sequence[Difference]) -> Verdict:
        if not differences:
            return Verdict.SAME
        printed = self.table is CARDS and entry.key in self.bound
        return Verdict.PRINTING if printed else Verdict.CHANGED

    def _differences(self, entry: Entry) -> list[Difference]:
        before = self.there[entry.key]
        spared = (
            self.table is BULLS
            and entry.key in self.bound
            and before["state"] == Bull.State.SEMENTAL
        )
        return [
            Difference(name, before[name], entry.record[name])
            for name in self.read.columns
            if before[name] != entry.record[name] and not (spared and name == "state")
        ]

    def _step(
        self,
        entry: Entry,
        verdict: Verdict,
        record: Record,
        differences: tuple[Difference, ...] = (),
    ) -> Step:
        return Step(
            self.table.name, entry.sheet, entry.line, entry.key, verdict, record, differences
        )

    def missing(self) -> Iterator[Step]:
        """What is missing from the file and goes into the archive, where that was asked for."""
        aside = self._aside() if self.ground.archive else {}
        there = {entry.key for entry in self.read.entries}
        for key, record in self.there.items() if aside else ():
            differences = tuple(
                Difference(name, record[name], value)
                for name, value in aside.items()
                if record[name] != value
            )
            live = record.get("archived") != YES and record.get("state") != Matador.State.RETIRED
            if key not in there and differences and live:
                yield Step(
                    self.table.name,
                    self.read.sheet,
                    None,
                    key,
                    Verdict.ARCHIVED,
                    record | aside,
                    differences,
                )

    def _aside(self) -> Record:
        """What a row of this table has when it is in the archive; empty where none goes there."""
        if self.table.name == "matadors":
            return {"state": Matador.State.RETIRED.value}
        return {"archived": YES} if "archived" in self.table.by_name else {}


def calendar_after(read: Read, before: Records, *, replace: bool) -> tuple[Record, ...] | None:
    """The calendar with a file's entries in it; None where it stays as it is.

    A file that holds all of it, or is to replace it, gives the order; else what is there keeps its
    place and what is new comes last.
    """
    given = {entry.key: entry.record for entry in read.entries}
    whole = replace or set(before) <= set(given)
    kept = {} if whole else before
    after = tuple((kept | given).values())
    return None if after == tuple(before.values()) else after


assert set(REFERENCES) <= set(TABLES)
