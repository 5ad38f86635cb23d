"""Rows written as they are, many at a time.

A season has eight thousand rows; `bulk_create` took three times as long for them as playing the
corridas. `simulation.statements` takes a tenth.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from corridas.simulation.statements import add, change, merge

if TYPE_CHECKING:
    from django.db import models

    from corridas.engine import LidiaResult


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
        """The lidia of a turn (0-5) and what came of it; `men` are keys, by place."""
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
    """Set columns of rows that are there; a row holds the columns, then the keys that tell it."""
    if rows:
        change(model, columns, keys, rows)


def upsert(
    model: type[models.Model],
    columns: Sequence[str],
    unique: Sequence[str],
    rows: Sequence[tuple[object, ...]],
    update: str = "",
) -> None:
    """Write rows, or move those that stand already; dates as text.

    `unique` are the columns that tell a row; without an `update` all others are written over.
    """
    if rows:
        others = [name for name in columns if name not in unique]
        moved = update or ", ".join(f'"{name}" = excluded."{name}"' for name in others)
        merge(model, columns, unique, rows, moved)
