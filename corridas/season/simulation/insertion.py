"""Bulk writes of rows, which hold their columns as named tuples."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from django.db import models

from corridas.sql import add, change, merge

if TYPE_CHECKING:
    from corridas.engine import LidiaResult


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
