"""Many rows in few statements, as each database takes them fastest.

SQLite prepares a statement once and runs it a row at a time within the process. PostgreSQL stands
behind a line: there new rows go by COPY, and a statement that changes some takes them all at once,
a column an array. A season took half the time so (`make bench ONLY=season_postgres`).

Columns and tables are named by the models; rows hold their values in the order of the columns.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import connection, models

BATCH = 50
"""Rows that `merge` writes with one statement where rows do not go as arrays."""

Row = Sequence[object]


def add(model: type[models.Model], columns: Sequence[str], rows: Sequence[Row]) -> None:
    """Insert rows; constraints hold as always."""
    where = f"{_table(model)} ({_listed(columns)})"
    if _behind_a_line():
        _copy(f"COPY {where} FROM STDIN", rows)
    else:
        _execute_all(f"INSERT INTO {where} VALUES ({_places(columns)})", rows)  # noqa: S608


def change(
    model: type[models.Model], columns: Sequence[str], keys: Sequence[str], rows: Sequence[Row]
) -> None:
    """Set `columns` of the rows that `keys` tell; a row holds the columns, then the keys."""
    table, names = _table(model), (*columns, *keys)
    if _behind_a_line():
        sets = ", ".join(f"{_quoted(name)} = fresh.{_quoted(name)}" for name in columns)
        told = " AND ".join(f"{table}.{_quoted(key)} = fresh.{_quoted(key)}" for key in keys)
        source = f"{_arrays(model, names)} AS fresh ({_listed(names)})"
        _execute(f"UPDATE {table} SET {sets} FROM {source} WHERE {told}", _turned(rows))  # noqa: S608
    else:
        sets = ", ".join(f"{_quoted(name)} = %s" for name in columns)
        told = " AND ".join(f"{_quoted(key)} = %s" for key in keys)
        _execute_all(f"UPDATE {table} SET {sets} WHERE {told}", rows)  # noqa: S608


def merge(
    model: type[models.Model],
    columns: Sequence[str],
    unique: Sequence[str],
    rows: Sequence[Row],
    update: str,
) -> None:
    """Insert rows, or move those that `unique` finds standing, as `update` says."""
    head = f"INSERT INTO {_table(model)} ({_listed(columns)})"
    tail = f" ON CONFLICT ({_listed(unique)}) DO UPDATE SET {update}"
    if _behind_a_line():
        source = _arrays(model, columns)
        _execute(f"{head} SELECT * FROM {source}{tail}", _turned(rows))  # noqa: S608
        return
    one = f"({_places(columns)})"
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        values = [value for row in batch for value in row]
        _execute(f"{head} VALUES {', '.join([one] * len(batch))}{tail}", values)


def _behind_a_line() -> bool:
    return connection.vendor == "postgresql"


def _arrays(model: type[models.Model], columns: Sequence[str]) -> str:
    """The rows as a table: an array a column, each with the type of its field."""
    types = {str(field.column): field.db_type(connection) for field in model._meta.concrete_fields}
    types |= {"id": "bigint"}
    return f"UNNEST({', '.join(f'%s::{types[name]}[]' for name in columns)})"


def _turned(rows: Sequence[Row]) -> list[object]:
    return [_array(column) for column in zip(*rows, strict=True)]


def _array(column: Sequence[object]) -> object:
    """A column as the driver takes it; whole numbers as text, which it is slow to write itself."""
    if all(type(value) is int for value in column):
        return f"{{{','.join(map(str, column))}}}"
    return list(column)


def _copy(statement: str, rows: Sequence[Row]) -> None:
    """Django knows no COPY: the driver does it, and its errors become Django's as always."""
    with (
        connection.cursor() as cursor,
        connection.wrap_database_errors,
        cursor.copy(statement) as copying,
    ):
        for row in rows:
            copying.write_row(row)


def _execute(statement: str, values: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _execute_all(statement: str, rows: Sequence[Row]) -> None:
    """One statement for every row; dates are written as the database reads them."""
    dated = [at for at, value in enumerate(rows[0]) if isinstance(value, dt.date)]
    values: Sequence[Any] = [_adapted(row, dated) for row in rows] if dated else rows
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def _adapted(row: Row, dated: Sequence[int]) -> tuple[object, ...]:
    values = list(row)
    for at in dated:
        value, adapt = values[at], connection.ops.adapt_datefield_value
        if isinstance(value, dt.datetime):
            values[at] = connection.ops.adapt_datetimefield_value(value)
        elif isinstance(value, dt.date):
            values[at] = adapt(value)
    return tuple(values)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _table(model: type[models.Model]) -> str:
    return _quoted(model._meta.db_table)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(_quoted, names))


def _places(columns: Sequence[str]) -> str:
    return ", ".join(["%s"] * len(columns))
