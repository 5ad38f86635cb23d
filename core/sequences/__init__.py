"""Primary keys: the highest in each table, and PostgreSQL's sequences that assign them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.models import Max

Table = type[models.Model]
# Largest integer that JavaScript, and many JSON parsers, can represent exactly.
MAX_EXACT_NUMBER = 2**53


class LaggingSequence(NamedTuple):
    """A sequence whose `last` assigned key is below the `highest` key in its table.

    Inserting a row would then fail, because its key exists already.
    """

    model: Table
    last: int
    highest: int


def numbered_models() -> Iterator[Table]:
    """Yield the models whose primary keys are assigned by the database."""
    for model in apps.get_models(include_auto_created=True):
        options = model._meta
        if options.managed and not options.proxy and isinstance(options.pk, models.AutoField):
            yield model


def highest_key(model: Table) -> int:
    return int(model._base_manager.aggregate(key=Max("pk"))["key"] or 0)


def sequences_behind() -> list[LaggingSequence]:
    """Return the sequences whose last key is below the highest key of their table.

    On SQLite this cannot happen.
    """
    if connection.vendor != "postgresql":
        return []
    known = set(connection.introspection.table_names())
    found = []
    for model in numbered_models():
        if model._meta.db_table in known:
            last, highest = last_key(model) or 0, highest_key(model)
            # Some tables with a single row use the key 1 for it without using the sequence, so a
            # highest key of 1 is no error.
            if highest > max(last, 1):
                found.append(LaggingSequence(model, last, highest))
    return found


def has_sequence(model: Table) -> bool:
    return "Auto" in model._meta.pk.get_internal_type()


def last_key(model: Table, alias: str = DEFAULT_DB_ALIAS) -> int | None:
    """Return the last primary key assigned by the table's sequence.

    Returns None if there is no sequence or no key has been assigned.
    """
    connection, table = connections[alias], model._meta.db_table
    if not has_sequence(model):
        return None
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            cursor.execute(
                "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)",
                [f'"{table}"', model._meta.pk.column],
            )
        row = cursor.fetchone()
    return int(row[0]) if row and row[0] else None


def advance_sequences() -> list[LaggingSequence]:
    """Raise the sequences whose last key is below the highest key, and return them.

    No sequence is ever lowered.
    """
    advanced = []
    for behind in sequences_behind():
        model = behind.model
        table = connection.ops.quote_name(model._meta.db_table)
        with transaction.atomic(), connection.cursor() as cursor:
            # The lock prevents inserts until the transaction ends, so no key is assigned meanwhile.
            cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
            highest = highest_key(model)
            if highest > (last_key(model) or 0):
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)",
                    [table, model._meta.pk.column, highest],
                )
        advanced.append(behind)
    return advanced


def models_with_long_keys() -> list[Table]:
    """Return the models with primary keys above `MAX_EXACT_NUMBER`."""
    known = set(connection.introspection.table_names())
    return [
        model
        for model in numbered_models()
        if model._meta.db_table in known and highest_key(model) > MAX_EXACT_NUMBER
    ]
