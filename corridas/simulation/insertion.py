"""Insert the rows of lidias (fights), the most frequent rows of a season."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from django.db import models

from corridas.bulk import bulk_insert_tuples, columns_of
from corridas.models import Lidia

if TYPE_CHECKING:
    from corridas.engine import LidiaResult


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


def insert_lidias(rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows of the type `LidiaRow`."""
    bulk_insert_tuples(Lidia, list(columns_of(Lidia).values()), rows)
