"""SQL for full-text search, which differs by database, and for fast insertion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import connection
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from search.text import is_whole

# Name of the index on PostgreSQL. On SQLite it is a virtual table, and its internal tables have
# this prefix.
FULL_TEXT_INDEX: Final = "search_words"

# Expression of the words of an entry. It must be exactly the expression of the index, otherwise
# PostgreSQL does not use the index.
_POSTGRESQL: Final = (
    """array_to_tsvector(string_to_array("search_entry"."words", ' ')) @@ %s::tsquery"""
)
_SQLITE: Final = (
    '"search_entry"."id" IN (SELECT rowid FROM search_words WHERE search_words MATCH %s)'
)


def matching(words: Sequence[str]) -> RawSQL:
    """Return the condition that every word is the beginning of a word of an entry.

    Words consist of letters and digits only, so nothing needs to be escaped.
    """
    if connection.vendor == "postgresql":
        terms = " & ".join(f"'{word}'{'' if is_whole(word) else ':*'}" for word in words)
        return RawSQL(_POSTGRESQL, [terms], output_field=BooleanField())
    terms = " ".join(f'"{word}"{"" if is_whole(word) else "*"}' for word in words)
    return RawSQL(_SQLITE, [terms], output_field=BooleanField())


# Number of rows per INSERT statement into the search index. With a statement for each row, SQLite's
# triggers take ten times as long.
BATCH_SIZE: Final = 150

_INSERT: Final = 'INSERT INTO "search_entry" ("kind", "key", "scope", "weight", "words") VALUES '


def insert(rows: Sequence[tuple[str, int, int | None, int, str]]) -> None:
    """Insert entries: kind, key, scope, weight and words. A season adds over a thousand."""
    with connection.cursor() as cursor:
        for start in range(0, len(rows), BATCH_SIZE):
            batch = rows[start : start + BATCH_SIZE]
            places = ", ".join(["(%s, %s, %s, %s, %s)"] * len(batch))
            cursor.execute(_INSERT + places, [value for row in batch for value in row])


def stage_entries(table: str, kind: str, keys: str, *, scope: int) -> None:
    """Store the entries of a circuit (`scope`) in a temporary table, with new keys.

    `keys` is a table with the `original` keys and the `new` keys of copied rows.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f'CREATE TEMP TABLE {table} AS SELECT keys.original, keys.new, "weight", "words" '
            f'FROM {keys} AS keys JOIN "search_entry" ON "key" = keys.original '
            'AND "kind" = %s AND "scope" = %s',
            [kind, scope],
        )


def insert_staged_entries(
    table: str, kind: str, *, added: int, scope: int, after: int, until: int
) -> None:
    """Insert entries from a temporary table for another circuit (`scope`).

    Only entries whose original key is above `after` and at most `until` are inserted. `added` is
    added to their new keys.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO "search_entry" ("kind", "key", "scope", "weight", "words") '
            f'SELECT %s, new + %s, %s, "weight", "words" FROM {table} '
            "WHERE original > %s AND original <= %s ORDER BY original",
            [kind, added, scope, after, until],
        )


# Maximum number of index pages that one call merges.
_MERGED_PAGES: Final = 8


def merge() -> None:
    """Merge segments of SQLite's full-text index, which reduces its size by a third."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            # In this SQLite command, a negative number of pages means that segments of any size are
            # merged.
            statement = "INSERT INTO search_words(search_words, rank) VALUES ('merge', %s)"
            cursor.execute(statement, [-_MERGED_PAGES])
