"""The full-text condition, which each database writes in its own way."""

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
