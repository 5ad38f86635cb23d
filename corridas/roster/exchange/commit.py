"""Commits and undoes imports of roster files, each in one transaction."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.core.cache import cache
from django.db import transaction
from django.db.models import Max, Model
from django.utils.translation import gettext as _

from core.names.fields import bulk_update_with_keys
from corridas.engine import RANGES
from corridas.errors import OperationError
from corridas.models import Bull, Change, Circuit, Deck, Ganaderia, Matador, MatadorCard, Plaza, Run
from corridas.roster.exchange.preview import (
    TTL,
    Moved,
    Preview,
    StoredPreview,
    cache_key,
    check_may_exchange,
    earlier_cache_key,
    entry_of,
    sees_office_columns,
    study,
)
from corridas.roster.files import (
    DECK,
    TABLES,
    Key,
    Record,
    RowVerdict,
    Step,
    deck_from,
    newest_cards,
)
from corridas.roster.history import Edit, columns, record_changes, undo_batch

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True)
class Imported:
    """The result of an import.

    `counts` are the numbers of rows by verdict. `batch` identifies the import in the history.
    """

    batch: str
    counts: dict[RowVerdict, int]


def commit_import(*, circuit: Circuit, token: str, by: User, at: dt.datetime) -> Imported:
    """Import the file whose preview has this token.

    Raise `OperationError` if the preview has expired or a season is being simulated, `Moved` if the
    roster has changed so that the effect would differ from the preview, and `PermissionDenied` to
    users who may not edit this roster.
    """
    check_may_exchange(by, circuit)
    key, earlier_key = cache_key(circuit, by, token), earlier_cache_key(circuit, by, token)
    kept: StoredPreview | None = cache.get(key) or cache.get(earlier_key)
    if kept is None:
        raise OperationError(
            _(
                "Files are only kept for an hour. This file has been deleted or has already been "
                "imported. Choose it again."
            ),
            "file",
        )
    with transaction.atomic():
        row = Circuit.objects.select_for_update().get(pk=circuit.pk)
        # While a season is being simulated, its contracts depend on the roster with which it began.
        if Run.objects.filter(season__circuit=row, state__in=Run.ACTIVE).exists():
            raise OperationError(_("The season is being played. Stop it first."))
        look = study(
            row, kept.tables, kept.name, archive=kept.archive, office=sees_office_columns(by)
        )
        _check_unmoved(look, kept, key)
        done = _write(row, look, by, at)
    cache.delete_many([key, earlier_key])
    return done


def _check_unmoved(look: Preview, stored: StoredPreview, waiting: str) -> None:
    """Raise `Moved` unless the import would have the same effect as in the preview."""
    if look.wrong or look.plan.empty:
        cache.delete(waiting)
        raise Moved(look)
    if look.plan.fingerprint != stored.fingerprint:
        again = stored._replace(fingerprint=look.plan.fingerprint)
        cache.set(waiting, again, TTL)
        raise Moved(Preview(look.name, look.plan, token=waiting.rpartition(":")[2]))


def _write(circuit: Circuit, look: Preview, by: User, at: dt.datetime) -> Imported:
    writing = Writing(circuit, at)
    for table in TABLES:
        writing.write(table, [step for step in look.plan.moving if step.table == table])
    writing.write_calendar(look.plan.calendar)
    batch = secrets.token_hex(16)
    record_changes(edits=writing.finish(), by=by, at=at, batch=batch)
    counts = {
        verdict: sum(step.verdict is verdict for step in look.plan.steps) for verdict in RowVerdict
    }
    return Imported(batch, counts)


CHUNK: Final = 500
Written = dict[Key, Any]


def number(text: str) -> int | None:
    return int(text) if text else None


def degrees(text: str) -> float | None:
    return float(text) if text else None


def day(text: str) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


# Functions that convert the text of a record to the value of a column. All other columns store the
# text.
_VALUES: Final[Mapping[str, Callable[[str], object]]] = {
    **dict.fromkeys(("category", "weight", "year", "number", "rating"), int),
    **dict.fromkeys(("seats", "retired_in", "counted_from", "promise", "renown"), number),
    **dict.fromkeys(("latitude", "longitude"), degrees),
    "alternativa": day,
    "fictional": bool,
}

# Columns that refer to other rows. They are written after these rows exist.
_REFERENCES: Final = frozenset(
    {"padrino", "testigo", "sire_year", "sire_number", "herd", "matador"}
)


class Writing:
    """Writes the imported tables of a circuit and collects the previous values.

    Tables are written in the order of `TABLES`.
    """

    def __init__(self, circuit: Circuit, at: dt.datetime) -> None:
        self.circuit, self.at = circuit, at
        self.before = columns(circuit)
        self.edits: list[Edit] = []

    def write(self, table: str, steps: Sequence[Step]) -> None:
        if steps:
            getattr(self, f"_write_{table}")(steps)

    def finish(self) -> list[Edit]:
        return [*self.edits, Edit(self.circuit, self.before)]

    def _write_plazas(self, steps: Sequence[Step]) -> None:
        there: Written = {(row.slug,): row for row in Plaza.objects.filter(circuit=self.circuit)}
        self._write_rows(steps, there, lambda key: Plaza(circuit=self.circuit, slug=key[0]))

    def _write_herds(self, steps: Sequence[Step]) -> None:
        herds = Ganaderia.objects.filter(circuit=self.circuit)
        there: Written = {(row.slug,): row for row in herds}
        last = herds.aggregate(last=Max("renown"))["last"]
        following = iter(range(0 if last is None else last + 1, 10**6))
        ordered = [
            step.record | {"renown": step.record["renown"] or str(next(following))}
            for step in steps
        ]
        self._write_rows(
            steps, there, lambda key: Ganaderia(circuit=self.circuit, slug=key[0]), ordered
        )

    def _write_matadors(self, steps: Sequence[Step]) -> None:
        there: Written = {(row.slug,): row for row in Matador.objects.filter(circuit=self.circuit)}
        rows = self._write_rows(
            steps, there, lambda key: Matador(circuit=self.circuit, slug=key[0])
        )
        there |= rows
        named = [step for step in steps if _names(step, "padrino", "testigo")]
        for step in named:
            row = rows[step.key]
            row.padrino = there.get((step.record["padrino"],))
            row.testigo = there.get((step.record["testigo"],))
        changed = [rows[step.key] for step in named]
        Matador.objects.bulk_update(changed, ["padrino", "testigo"], batch_size=CHUNK)

    def _write_bulls(self, steps: Sequence[Step]) -> None:
        herds = {herd.slug: herd for herd in Ganaderia.objects.filter(circuit=self.circuit)}
        there = self._bulls(steps, herds)
        rows = self._write_rows(steps, there, lambda key: Bull(ganaderia=herds[key[0]]))
        there |= rows
        sired = [step for step in steps if _names(step, "sire_number", "sire_year")]
        for step in sired:
            rows[step.key].sire = there.get(_sire(step.record))
        changed = [rows[step.key] for step in sired]
        Bull.objects.bulk_update(changed, ["sire"], batch_size=CHUNK)

    def _bulls(self, steps: Sequence[Step], herds: Mapping[str, Ganaderia]) -> Written:
        keys = {step.key for step in steps} | {_sire(step.record) for step in steps}
        years = {int(year) for _herd, year, _number in keys if year}
        rows = Bull.objects.filter(ganaderia__circuit=self.circuit, year__in=years)
        by_key = {herd.pk: herd for herd in herds.values()}
        bulls: Written = {}
        for row in rows.filter(ganaderia__slug__in={herd for herd, _year, _number in keys}):
            row.ganaderia = by_key[row.ganaderia_id]
            bulls[row.ganaderia.slug, str(row.year), str(row.number)] = row
        return bulls

    def _write_cards(self, steps: Sequence[Step]) -> None:
        """Write the imported cards.

        If a cartel has announced the newest printing, the next one is created. Otherwise the newest
        printing is changed.
        """
        newest = newest_cards(self.circuit)
        matadors = {row.slug: row for row in Matador.objects.filter(circuit=self.circuit)}
        open_cards = {
            step.key: newest[step.key[0]] for step in steps if step.verdict is RowVerdict.CHANGED
        }

        def print_card(key: Key) -> MatadorCard:
            last = newest.get(key[0])
            card = MatadorCard(matador=matadors[key[0]], printing=last.printing + 1 if last else 1)
            card.since = last.since if last else None
            return card

        self._write_rows(steps, open_cards, print_card)

    def _write_deck(self, steps: Sequence[Step]) -> None:
        """Write the imported deck.

        Circuits with the same cards share one row, so a row may be created or found.
        """
        names = DECK.names(office=True)[1:]
        cards = [
            {name: str(getattr(card, name)) for name in names}
            for card in self.circuit.deck.engine_deck().cards
        ]
        for step in steps:
            cards[int(step.key[0])] = step.record
        text = str(deck_from(cards))
        deck, made = Deck.objects.get_or_create(
            digest=sha256(text.encode()).hexdigest(),
            defaults={"name": self.circuit.name, "cards": text},
        )
        self.edits += [Edit(deck, None)] if made else []
        self.circuit.deck = deck
        self.circuit.save(update_fields=["deck"])

    def _write_ferias(self, steps: Sequence[Step]) -> None:
        """Do nothing, because `write_calendar` writes the whole calendar at once."""

    def write_calendar(self, calendar: Sequence[Record] | None) -> None:
        if calendar is not None:
            self.circuit.calendar = [entry_of(record)._asdict() for record in calendar]
            self.circuit.save(update_fields=["calendar"])

    def _write_rows(
        self,
        steps: Sequence[Step],
        there: Mapping[Key, Any],
        begin: Callable[[Key], Any],
        records: Sequence[Record] | None = None,
    ) -> Written:
        rows: Written = {}
        touched: set[str] = set()
        for step, record in zip(steps, records or [step.record for step in steps], strict=True):
            row = there.get(step.key)
            before = columns(row) if row else None
            names = [difference.column for difference in step.differences] if row else list(record)
            row = rows[step.key] = row or begin(step.key)
            written = self._put(row, record, names)
            touched |= written if before else set()
            self.edits.append(Edit(row, before))
        _save(rows, touched)
        return rows

    def _put(self, row: Model, record: Record, names: Sequence[str]) -> set[str]:
        written = set()
        for name in names:
            if name in _REFERENCES or name == "card":
                continue
            field, value = name, _VALUES.get(name, str)(record[name])
            if name == "archived":
                field, value = "archived_at", self.at if record[name] else None
            setattr(row, field, value)
            written.add(field)
        return written


def _save(rows: Written, touched: set[str]) -> None:
    new = [row for row in rows.values() if row.pk is None]
    old = [row for row in rows.values() if row.pk is not None]
    if old and touched:
        bulk_update_with_keys(type(old[0]), old, sorted(touched), batch=CHUNK)
    if new:
        type(new[0])._default_manager.bulk_create(new, batch_size=CHUNK)


def _names(step: Step, *references: str) -> bool:
    if step.verdict is RowVerdict.NEW:
        return any(step.record[name] for name in references)
    return any(difference.column in references for difference in step.differences)


def _sire(record: Record) -> Key:
    return (record["herd"], record["sire_year"], record["sire_number"])


assert not set(RANGES) & set(_VALUES)


class Together(NamedTuple):
    """A batch of changes: how many rows were changed together, when and by whom."""

    batch: str
    rows: int
    at: dt.datetime
    by: str


def last_import(circuit: Circuit) -> Together | None:
    """Return the latest batch of changes of a circuit that has not been undone; two queries."""
    stands = Change.objects.filter(circuit=circuit, undone_by=None, undoes=None).exclude(batch="")
    last = stands.select_related("by").first()
    if last is None:
        return None
    rows = Change.objects.filter(batch=last.batch, undone_by=None).count()
    return Together(last.batch, rows, last.at, str(last.by or ""))


def undo_import(*, circuit: Circuit, batch: str, by: User, at: dt.datetime) -> int:
    """Undo a batch of changes. Return the number of rows.

    Raise `PermissionDenied` to users who may not edit this roster. Raise `OperationError` if the
    batch is not the latest of this circuit, or if one of its rows has changed since or is announced
    on a cartel.
    """
    check_may_exchange(by, circuit)
    last = last_import(circuit)
    elsewhere = Change.objects.filter(batch=batch).exclude(circuit=circuit).exclude(circuit=None)
    if last is None or last.batch != batch or elsewhere.exists():
        raise OperationError(_("You can only undo the latest group of changes here."))
    return len(undo_batch(batch=batch, by=by, at=at))
