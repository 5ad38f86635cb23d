"""SQL statements on whole tables: delete all rows, insert rows, set the last primary key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, connections

from core.sequences import has_sequence

if TYPE_CHECKING:
    from django.db import models

BATCH_SIZE: Final = 500  # rows per round trip


def clear_tables(tables: Iterable[type[models.Model]]) -> None:
    quote = connection.ops.quote_name
    names = [quote(model._meta.db_table) for model in tables]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                f"TRUNCATE {', '.join(names)}"
            )  # it locks the tables, so nobody writes meanwhile
            return
        for name in names:  # SQLite checks foreign keys at the end
            cursor.execute(f"DELETE FROM {name}")


def insert_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterator[Sequence[Any]]
) -> None:
    """Insert rows into a table. On PostgreSQL they are streamed and never all in memory."""
    quote = connection.ops.quote_name
    where = f"{quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {where} FROM STDIN") as target:
                for row in rows:
                    target.write_row(row)
            return
        statement = f"INSERT INTO {where} VALUES ({', '.join(['%s'] * len(columns))})"
        while batch := list(islice(rows, BATCH_SIZE)):
            cursor.executemany(statement, batch)


def set_last_key(model: type[models.Model], last: int | None, alias: str) -> None:
    """Set the table's sequence, so that the next key follows `last`, or is 1 if `last` is None."""
    connection, table = connections[alias], model._meta.db_table
    if not has_sequence(model):
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            if last is not None:
                insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)"
                cursor.execute(insert, [table, last])
        else:
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)",
                [f'"{table}"', model._meta.pk.column, last or 1, last is not None],
            )
