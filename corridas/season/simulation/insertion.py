"""Bulk writes of rows.

A season has eight thousand rows. `bulk_create` took three times as long for them as playing the
corridas, and one statement for many rows takes a tenth of that. Building a model takes thirty times
as long as a tuple.
"""

from __future__ import annotations

import datetime as dt
from collections import namedtuple
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

from django.db import connection, models

from corridas.models import Lidia

if TYPE_CHECKING:
    from corridas.engine import LidiaResult

# Rows per statement of `merge` on databases that don't take rows as arrays
BATCH = 50

Row = Sequence[object]


def add(model: type[models.Model], columns: Sequence[str], rows: Sequence[Row]) -> None:
    where = f"{_table(model)} ({_listed(columns)})"
    if _behind_a_line():
        _copy(f"COPY {where} FROM STDIN", rows)
    else:
        _execute_all(f"INSERT INTO {where} VALUES ({_places(columns)})", rows)  # noqa: S608


def change(
    model: type[models.Model], columns: Sequence[str], keys: Sequence[str], rows: Sequence[Row]
) -> None:
    """Update `columns` of the rows identified by `keys`. A row holds the columns, then the keys."""
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
    """Insert rows, or apply `update` to existing ones with the same `unique` columns."""
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
    types = {str(field.column): field.db_type(connection) for field in model._meta.concrete_fields}
    types |= {"id": "bigint"}
    return f"UNNEST({', '.join(f'%s::{types[name]}[]' for name in columns)})"


def _turned(rows: Sequence[Row]) -> list[object]:
    return [_array(column) for column in zip(*rows, strict=True)]


def _array(column: Sequence[object]) -> object:
    """Return a column for the driver: whole numbers as text, which it formats slowly itself."""
    if all(type(value) is int for value in column):
        return f"{{{','.join(map(str, column))}}}"
    return list(column)


def _copy(statement: str, rows: Sequence[Row]) -> None:
    """Insert with COPY, which Django lacks. Driver errors are translated to Django's as usual."""
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


def columns_of(model: type[models.Model]) -> dict[str, str]:
    """Return the columns of a model by attribute, without the key that the database gives."""
    fields = (one for one in model._meta.concrete_fields if not isinstance(one, models.AutoField))
    return {field.attname: str(field.column) for field in fields}


class LidiaRow(namedtuple("LidiaRow", columns_of(Lidia), defaults=(None,))):  # type: ignore[misc]
    """The columns of a lidia, by the attributes of its model; `ends_at` may be left out."""

    __slots__ = ()

    @classmethod
    def of(
        cls,
        corrida: int,
        turn: int,
        draws: bytes,
        result: LidiaResult,
        *,
        men: Sequence[int],
        bull: int,
    ) -> Self:
        """Return the row of a lidia (turn 0-5) with its result. `men` are keys, by place."""
        return cls(
            corrida_id=corrida,
            turn=turn + 1,
            bull_id=bull,
            starter_id=men[result.starter],
            finisher_id=None if result.finisher is None else men[result.finisher],
            ending=result.ending.value,
            injured=sum(1 << place for place in result.injured),
            draws=draws,
            matador_points=result.matador_points,
            bull_points=result.bull_points,
            kill_points=result.kill_points,
            avisos=result.avisos,
            score=result.score,
            number=result.number,
            trophy=None if result.trophy is None else int(result.trophy),
            vuelta=result.vuelta,
            crowd=None if result.crowd is None else int(result.crowd),
        )


def insert(model: type[models.Model], rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows, which have the same names: arguments of the model."""
    if rows:
        names, columns = list(rows[0]), columns_of(model)
        values = itemgetter(*names)
        add(model, [columns[name] for name in names], [values(row) for row in rows])


def insert_lidias(rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows of the class `LidiaRow`."""
    if rows:
        add(Lidia, list(columns_of(Lidia).values()), rows)


def update(
    model: type[models.Model],
    columns: Sequence[str],
    rows: Sequence[tuple[object, ...]],
    *,
    keys: Sequence[str] = ("id",),
) -> None:
    """Update columns of existing rows. A row holds the columns, then the keys that identify it."""
    if rows:
        change(model, columns, keys, rows)


def upsert(
    model: type[models.Model],
    columns: Sequence[str],
    unique: Sequence[str],
    rows: Sequence[tuple[object, ...]],
    update: str = "",
) -> None:
    """Insert rows, or update those with the same `unique` columns. Dates are text.

    Without `update`, all other columns are overwritten.
    """
    if rows:
        others = [name for name in columns if name not in unique]
        moved = update or ", ".join(f'"{name}" = excluded."{name}"' for name in others)
        merge(model, columns, unique, rows, moved)
