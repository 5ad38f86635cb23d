"""Bulk inserts and updates without model instances.

A season has about eight thousand rows. `bulk_create` took three times as long as playing the
corridas, and one statement for many rows takes a tenth of that. Creating a model instance takes
thirty times as long as creating a tuple.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

from django.db import models

from core.names.fields import derived_fields
from corridas.models import Lidia
from corridas.sql import add, change, merge

if TYPE_CHECKING:
    from corridas.engine import LidiaResult


def columns_of(model: type[models.Model]) -> dict[str, str]:
    """Return the database columns of a model by attribute, without an automatic primary key."""
    fields = (
        field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)
    )
    return {field.attname: str(field.column) for field in fields}


def _tuple_of(model: type[models.Model]) -> Any:
    return namedtuple(model.__name__, columns_of(model), defaults=(None,))


_LidiaColumns: Any = _tuple_of(Lidia)


class LidiaRow(_LidiaColumns):  # type: ignore[misc]
    """The columns of a `Lidia` row as a named tuple. `ends_at` may be left out."""

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
        """Create the row of a fight (turn 0-5) from its result.

        `men` are the keys of the matadors in the order of appearance.
        """
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
    """Insert rows given as mappings, which must all have the same keys (attributes of the model).

    Values of derived fields are calculated.
    """
    if rows:
        names, columns = list(rows[0]), columns_of(model)
        values, derived = itemgetter(*names), derived_fields(model)
        if derived:
            held = [(*values(row), *(field.value_of(row) for field in derived)) for row in rows]
        else:
            held = [values(row) for row in rows]
        names += [field.attname for field in derived]
        add(model, [columns[name] for name in names], held)


def insert_lidias(rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows of the type `LidiaRow`."""
    if rows:
        add(Lidia, list(columns_of(Lidia).values()), rows)


def update(
    model: type[models.Model],
    columns: Sequence[str],
    rows: Sequence[tuple[object, ...]],
    *,
    keys: Sequence[str] = ("id",),
) -> None:
    """Update columns of existing rows.

    A row contains the values of `columns`, followed by the values of `keys` that identify it.
    """
    if rows:
        change(model, columns, keys, rows)


def upsert(
    model: type[models.Model],
    columns: Sequence[str],
    unique: Sequence[str],
    rows: Sequence[tuple[object, ...]],
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
    moved = update or ", ".join(f'"{name}" = excluded."{name}"' for name in others)
    return merge(model, columns, unique, rows, moved, returning)
