"""Write the search index, in the same transactions that write the data to be found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from django.db import transaction

from core.names.text import words_of
from search import sql
from search.models import Entry
from search.text import without_small_words

BATCH_SIZE: Final = 500
MAX_WORDS_LENGTH: Final = 400


class IndexRow(NamedTuple):
    """A row to add to the search index. The fields are those of `Entry`.

    `texts` are names as they are displayed.
    """

    kind: str
    key: int
    texts: Sequence[str]
    scope: int | None = None
    weight: int = 0

    @property
    def words(self) -> str:
        return " ".join(without_small_words(words_of(*self.texts)))[:MAX_WORDS_LENGTH]


def add_rows(rows: Iterable[IndexRow]) -> None:
    """Add rows that are not in the index yet. Rows without a letter or digit are left out."""
    held = ((row, row.words) for row in rows)
    sql.insert([(row.kind, row.key, row.scope, row.weight, words) for row, words in held if words])


def update_rows(rows: Iterable[IndexRow]) -> None:
    """Add rows to the index, or update those that exist.

    Rows without a letter or digit are left out.
    """
    for batch in _batches(rows):
        fresh = {(row.kind, row.key): row for row in batch}
        known: dict[tuple[str, int], Entry] = {}
        for kind in {row.kind for row in batch}:
            keys = [row.key for row in batch if row.kind == kind]
            known |= {(kind, entry.key): entry for entry in _entries(kind, keys)}
        new = [row for at, row in fresh.items() if at not in known]
        add_rows(new)
        changed = [entry for at, entry in known.items() if _update_entry(entry, fresh[at])]
        left = [entry.pk for entry in changed if not entry.words]
        Entry.objects.filter(pk__in=left).delete()
        held = [entry for entry in changed if entry.words]
        Entry.objects.bulk_update(held, ["words", "scope", "weight"])


def remove(kind: str, keys: Iterable[int]) -> None:
    held = list(keys)
    for start in range(0, len(held), BATCH_SIZE):
        Entry.objects.filter(kind=kind, key__in=held[start : start + BATCH_SIZE]).delete()


def remove_scope(scope: int, kind: str = "") -> None:
    """Remove all rows of a circuit from the index, or only those of one kind."""
    entries = Entry.objects.filter(scope=scope)
    (entries.filter(kind=kind) if kind else entries).delete()


@transaction.atomic
def replace(rows: Iterable[IndexRow], *, kind: str = "") -> int:
    """Rewrite the whole index, or all rows of one kind. Return the number of rows."""
    (Entry.objects.filter(kind=kind) if kind else Entry.objects.all()).delete()
    for batch in _batches(rows):
        add_rows(batch)
    return (Entry.objects.filter(kind=kind) if kind else Entry.objects.all()).count()


def differences(rows: Iterable[IndexRow]) -> list[str]:
    """Return a line for each entry of the index that differs from these newly calculated rows."""
    entries = Entry.objects.values_list("kind", "key", "scope", "weight", "words")
    stored = {(kind, key): columns for kind, key, *columns in entries}
    fresh = {(row.kind, row.key): [row.scope, row.weight, row.words] for row in rows if row.words}
    return [
        f"{kind} {key}: stored {stored.get((kind, key))}, calculated {fresh.get((kind, key))}"
        for kind, key in sorted({*stored, *fresh})
        if stored.get((kind, key)) != fresh.get((kind, key))
    ]


def merge() -> None:
    """Merge segments of SQLite's full-text index after many insertions.

    PostgreSQL needs no such call.
    """
    sql.merge()


def _entries(kind: str, keys: Sequence[int]) -> Iterable[Entry]:
    return Entry.objects.filter(kind=kind, key__in=keys)


def _update_entry(entry: Entry, row: IndexRow) -> bool:
    columns = (row.words, row.scope, row.weight)
    if (entry.words, entry.scope, entry.weight) == columns:
        return False
    entry.words, entry.scope, entry.weight = columns
    return True


def _batches(rows: Iterable[IndexRow]) -> Iterator[list[IndexRow]]:
    left = iter(rows)
    while batch := list(islice(left, BATCH_SIZE)):
        yield batch
