"""The full-text condition, which each database writes in its own way, and the fastest insertion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

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


class Keys(NamedTuple):
    """A table with the `original` keys and the `new` ones of copies, to which `added` is added."""

    table: str
    added: int


def copy_entries(
    kind: str, keys: Keys, *, source: int, target: int, after: int, until: int
) -> None:
    """Insert copies of a scope's entries of one kind for another scope.

    Those are copied whose original key is above `after` and at most `until`.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO "search_entry" ("kind", "key", "scope", "weight", "words") '
            'SELECT entry."kind", keys.new + %s, %s, entry."weight", entry."words" '
            f'FROM {keys.table} AS keys JOIN "search_entry" AS entry '
            'ON entry."kind" = %s AND entry."key" = keys.original AND entry."scope" = %s '
            "WHERE keys.original > %s AND keys.original <= %s ORDER BY keys.original",
            [keys.added, target, kind, source, after, until],
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
