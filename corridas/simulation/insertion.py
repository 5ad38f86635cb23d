"""Rows written as they are, many at a time.

A season has eight thousand rows; `bulk_create` took three times as long for them as playing the
corridas. One prepared statement takes a tenth.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection, models


class Fought(NamedTuple):
    """The columns of a lidia, in the words of `models.Lidia`."""

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


class Billed(NamedTuple):
    """The columns of a cartel, in the words of `models.Cartel`."""

    corrida_id: int
    ganaderia_id: int
    deck_id: int
    seed: bytes
    commitment: bytes
    engine_version: str
    set_by_hand: bool


class Contracted(NamedTuple):
    """The columns of a puesto, in the words of `models.Puesto`."""

    cartel_id: int
    order: int
    matador_id: int
    card_id: int
    date: dt.date
    instead_of_id: int | None = None


class Penned(NamedTuple):
    """The columns of a bull picked for a cartel, in the words of `models.Bull`."""

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
    """Insert named tuples whose fields are columns of the model; constraints hold as always."""
    if not rows:
        return
    names = getattr(rows[0], "_fields", ())
    column_of = {field.attname: str(field.column) for field in model._meta.concrete_fields}
    columns = ", ".join(connection.ops.quote_name(column_of[name]) for name in names)
    places = ", ".join(["%s"] * len(names))
    table = connection.ops.quote_name(model._meta.db_table)
    execute_all(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)  # noqa: S608


def execute_all(statement: str, rows: Sequence[tuple[object, ...]]) -> None:
    """One statement for every row; dates are written as the database reads them."""
    dated = [at for at, value in enumerate(rows[0]) if isinstance(value, dt.date)] if rows else []
    values: Sequence[Any] = [_adapted(row, dated) for row in rows] if dated else rows
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def _adapted(row: tuple[object, ...], dated: Sequence[int]) -> tuple[object, ...]:
    values = list(row)
    for at in dated:
        value, adapt = values[at], connection.ops.adapt_datefield_value
        if isinstance(value, dt.datetime):
            values[at] = connection.ops.adapt_datetimefield_value(value)
        elif isinstance(value, dt.date):
            values[at] = adapt(value)
    return tuple(values)


BATCH = 50
"""Rows that `upsert` writes with one statement."""


def upsert(
    model: type[models.Model],
    columns: Sequence[str],
    unique: Sequence[str],
    rows: Sequence[tuple[object, ...]],
    update: str = "",
) -> None:
    """Write rows, or move those that stand already, fifty with a statement; dates as text.

    `unique` are the columns that tell a row; without an `update` all others are written over.
    """
    others = [name for name in columns if name not in unique]
    moved = update or ", ".join(f'"{name}" = excluded."{name}"' for name in others)
    quoted = ", ".join(f'"{name}"' for name in columns)
    head = f'INSERT INTO "{model._meta.db_table}" ({quoted}) VALUES '  # noqa: S608
    tail = f" ON CONFLICT ({', '.join(unique)}) DO UPDATE SET {moved}"
    one = f"({', '.join(['%s'] * len(columns))})"
    with connection.cursor() as cursor:
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            values: list[Any] = [value for row in batch for value in row]
            cursor.execute(head + ", ".join([one] * len(batch)) + tail, values)
