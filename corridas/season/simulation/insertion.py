"""Bulk writes of rows.

A season has eight thousand rows. `bulk_create` took three times as long for them as playing the
corridas, and one statement for many rows takes a tenth of that.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.db import connection, models

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


class Fought(NamedTuple):
    """The columns of a lidia, named as in `models.Lidia`."""

    corrida_id: int
    turn: int
    bull_id: int
    starter_id: int
    finisher_id: int | None
    ending: str
    injured: int
    draws: bytes
    matador_points: int
    bull_points: int
    kill_points: int
    avisos: int
    score: int | None
    number: int | None
    trophy: int | None
    vuelta: bool | None
    crowd: int | None
    ends_at: dt.datetime | None = None

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


class Billed(NamedTuple):
    corrida_id: int
    ganaderia_id: int
    deck_id: int
    seed: bytes
    commitment: bytes
    engine_version: str
    set_by_hand: bool


class Contracted(NamedTuple):
    cartel_id: int
    order: int
    matador_id: int
    card_id: int
    date: dt.date
    instead_of_id: int | None = None


class Penned(NamedTuple):
    ganaderia_id: int
    year: int
    number: int
    name: str
    coat: str
    weight: int
    state: str
    cartel_id: int
    place: int
    sire_id: int | None = None


def insert(model: type[models.Model], rows: Sequence[tuple[object, ...]]) -> None:
    if rows:
        names = getattr(rows[0], "_fields", ())
        column_of = {field.attname: str(field.column) for field in model._meta.concrete_fields}
        add(model, [column_of[name] for name in names], rows)


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
