"""Insert and update many rows without model instances, with one statement for many rows.

A season has about eight thousand rows. `bulk_create` took three times as long as playing the
corridas, and one statement for many rows takes a tenth of that. Creating a model instance takes
thirty times as long as creating a tuple.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from django.db import connection, models

from core.names.fields import derived_fields
from corridas.sql import all_rows, as_array, execute, is_postgres

# Rows per statement on databases without array parameters. With one statement for each row,
# inserting takes 50 % longer.
BATCH_SIZE: Final = 50

Row = Sequence[object]


def columns_of(model: type[models.Model]) -> dict[str, str]:
    """Return the database columns of a model by attribute, without an automatic primary key."""
    fields = (
        field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)
    )
    return {field.attname: str(field.column) for field in fields}


def bulk_insert(model: type[models.Model], rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows given as mappings, which must all have the same keys (attributes of the model).

    Values of derived fields are calculated.
    """
    if not rows:
        return
    names, columns = list(rows[0]), columns_of(model)
    values, derived = itemgetter(*names), derived_fields(model)
    if derived:
        held = [(*values(row), *(field.value_of(row) for field in derived)) for row in rows]
    else:
        held = [values(row) for row in rows]
    names += [field.attname for field in derived]
    bulk_insert_tuples(model, [columns[name] for name in names], held)


def bulk_insert_tuples(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Row]
) -> None:
    """Insert rows given as values of these columns. Derived fields must be among them."""
    if not rows:
        return
    where = f"{_table(model)} ({_listed(columns)})"
    if is_postgres():
        _copy(f"COPY {where} FROM STDIN", rows)
    else:
        _insert_all(f"INSERT INTO {where} VALUES ", rows)


def bulk_update(
    model: type[models.Model],
    columns: Sequence[str],
    rows: Sequence[Row],
    *,
    keys: Sequence[str] = ("id",),
) -> None:
    """Update columns of existing rows.

    A row contains the values of `columns`, followed by the values of `keys` that identify it.
    """
    if not rows:
        return
    table, names = _table(model), (*columns, *keys)
    if is_postgres():
        sets = ", ".join(f"{_quoted(name)} = fresh.{_quoted(name)}" for name in columns)
        condition = " AND ".join(f"{table}.{_quoted(key)} = fresh.{_quoted(key)}" for key in keys)
        source = f"{_arrays(model, names)} AS fresh ({_listed(names)})"
        execute(f"UPDATE {table} SET {sets} FROM {source} WHERE {condition}", _turned(rows))
    else:
        sets = ", ".join(f"{_quoted(name)} = %s" for name in columns)
        condition = " AND ".join(f"{_quoted(key)} = %s" for key in keys)
        _execute_all(f"UPDATE {table} SET {sets} WHERE {condition}", rows)


def bulk_upsert(
    model: type[models.Model],
    columns: Sequence[str],
    unique: Sequence[str],
    rows: Sequence[Row],
    update: str = "",
    returning: Sequence[str] = (),
) -> list[tuple[Any, ...]]:
    """Insert rows, or update those that exist with the same values in the `unique` columns.

    `update` is the SQL of the update. By default all other columns are overwritten. Returns the
    columns `returning` of the rows after the change, in no particular order.
    """
    if not rows:
        return []
    others = [name for name in columns if name not in unique]
    update = update or ", ".join(f'"{name}" = excluded."{name}"' for name in others)
    head = f"INSERT INTO {_table(model)} ({_listed(columns)})"
    tail = f" ON CONFLICT ({_listed(unique)}) DO UPDATE SET {update}"
    if returning:
        tail += f" RETURNING {_listed(returning)}"
    if not is_postgres():
        return _insert_all(f"{head} VALUES ", rows, tail)
    statement, values = f"{head} SELECT * FROM {_arrays(model, columns)}{tail}", _turned(rows)
    if returning:
        return all_rows(statement, values)
    execute(statement, values)
    return []


def _arrays(model: type[models.Model], columns: Sequence[str]) -> str:
    types = {str(field.column): field.db_type(connection) for field in model._meta.concrete_fields}
    types |= {"id": "bigint"}
    return f"UNNEST({', '.join(f'%s::{types[name]}[]' for name in columns)})"


def _turned(rows: Sequence[Row]) -> list[object]:
    return [as_array(column) for column in zip(*rows, strict=True)]


def _copy(statement: str, rows: Sequence[Row]) -> None:
    """Insert rows with COPY, which Django does not support.

    Errors of the driver are converted to Django's exceptions.
    """
    with (
        connection.cursor() as cursor,
        connection.wrap_database_errors,
        cursor.copy(statement) as copying,
    ):
        for row in rows:
            copying.write_row(row)


def _execute_all(statement: str, rows: Sequence[Row]) -> None:
    values: Sequence[Any] = _dated(rows)
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def _insert_all(head: str, rows: Sequence[Row], tail: str = "") -> list[tuple[object, ...]]:
    """Insert rows into SQLite in batches, and return the rows that the statements return.

    The statements bypass Django, which would rewrite their placeholders; that takes half as long as
    inserting the rows. Errors of the driver are converted to Django's exceptions.
    """
    places, rows = f"({', '.join('?' * len(rows[0]))})", _dated(rows)
    returned: list[tuple[object, ...]] = []
    connection.ensure_connection()
    with connection.wrap_database_errors:
        for start in range(0, len(rows), BATCH_SIZE):
            batch = rows[start : start + BATCH_SIZE]
            statement = f"{head}{', '.join([places] * len(batch))}{tail}"
            values = [value for row in batch for value in row]
            returned += connection.connection.execute(statement, values)
    return returned


def _dated(rows: Sequence[Row]) -> Sequence[Row]:
    """Return rows with dates converted for the driver.

    All rows must have dates in the same columns.
    """
    dated = [at for at, value in enumerate(rows[0]) if isinstance(value, dt.date)]
    return [_adapted(row, dated) for row in rows] if dated else rows


def _adapted(row: Row, dated: Sequence[int]) -> list[object]:
    values = list(row)
    for at in dated:
        value = values[at]
        if isinstance(value, dt.datetime):
            values[at] = connection.ops.adapt_datetimefield_value(value)
        elif isinstance(value, dt.date):
            values[at] = str(value)
    return values


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _table(model: type[models.Model]) -> str:
    return _quoted(model._meta.db_table)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(_quoted, names))
