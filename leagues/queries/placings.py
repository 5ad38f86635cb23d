"""Places of results as standings and forms read them."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet

from leagues.models import Place
from leagues.standings import Placing

_FIELDS: Final = ("match", "player", "seat", "side", "place", "points", "against", "when", "game")
_COLUMNS: Final = (
    "result__match_id",
    "player_id",
    "seat",
    "side",
    "place",
    "points",
    "against",
    "result__played_at",
    "result__game",
)


def placings(chosen: QuerySet[Place]) -> tuple[Placing, ...]:
    """These places in the order of history, then of the seats; one query."""
    rows = chosen.order_by("result__played_at", "result__match_id", "seat").values_list(*_COLUMNS)
    return tuple(Placing(**dict(zip(_FIELDS, row, strict=True))) for row in rows)
