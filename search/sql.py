"""The full-text condition, which each database writes in its own way, and the fastest insertion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import connection
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from search.text import is_whole

# The index on PostgreSQL; on SQLite a table, and others whose names begin like this.
FULL_TEXT_INDEX: Final = "search_words"

# The expression of the index, letter for letter.
_POSTGRESQL: Final = (
    """array_to_tsvector(string_to_array("search_entry"."words", ' ')) @@ %s::tsquery"""
)
_SQLITE: Final = (
    '"search_entry"."id" IN (SELECT rowid FROM search_words WHERE search_words MATCH %s)'
)


def matching(words: Sequence[str]) -> RawSQL:
    """Return the condition that every word is the start of one of an entry.

    Words have nothing but letters and figures, so there is nothing to escape.
    """
    if connection.vendor == "postgresql":
        terms = " & ".join(f"'{word}'{'' if is_whole(word) else ':*'}" for word in words)
        return RawSQL(_POSTGRESQL, [terms], output_field=BooleanField())
    terms = " ".join(f'"{word}"{"" if is_whole(word) else "*"}' for word in words)
    return RawSQL(_SQLITE, [terms], output_field=BooleanField())


# Rows per statement. The triggers of SQLite take ten times as long with a statement for each row.
BATCH_SIZE: Final = 150

_INSERT: Final = 'INSERT INTO "search_entry" ("kind", "key", "scope", "weight", "words") VALUES '


def insert(rows: Sequence[tuple[str, int, int | None, int, str]]) -> None:
    """Insert entries: kind, key, scope, weight and words. A season writes over a thousand."""
    with connection.cursor() as cursor:
        for start in range(0, len(rows), BATCH_SIZE):
            batch = rows[start : start + BATCH_SIZE]
            places = ", ".join(["(%s, %s, %s, %s, %s)"] * len(batch))
            cursor.execute(_INSERT + places, [value for row in batch for value in row])


def stage_entries(table: str, kind: str, keys: str, *, scope: int) -> None:
    """Store the entries of a scope in a temporary table, with the keys of the copied rows.

    `keys` is a table with `original` keys and `new` ones.
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
    """Insert the entries in a temporary table for another scope.

    `added` is added to the keys. Entries whose original key is above `after` and at most `until`
    are inserted.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO "search_entry" ("kind", "key", "scope", "weight", "words") '
            f'SELECT %s, new + %s, %s, "weight", "words" FROM {table} '
            "WHERE original > %s AND original <= %s ORDER BY original",
            [kind, added, scope, after, until],
        )


# Pages written at most in one go.
_MERGED_PAGES: Final = 8


def merge() -> None:
    """Merge segments of SQLite's full-text index, which then takes two thirds of the space."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            # A negative number merges segments of any size.
            statement = "INSERT INTO search_words(search_words, rank) VALUES ('merge', %s)"
            cursor.execute(statement, [-_MERGED_PAGES])
