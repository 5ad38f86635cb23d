"""Who heads the escalafón: the order of Ruling I-17 in one query."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Sum

from corridas.models import Escalafon, Season
from corridas.queries.escalafon import COLUMNS, rank_key


def leader_of(season: Season) -> int | None:
    """The key of the matador in first place; None while nobody has made the paseíllo.

    Names are compared here, for every database has an alphabet of its own.
    """
    rows: Any = (
        Escalafon.objects.filter(season=season)
        .values("matador_id", "matador__name")
        .annotate(**{f"all_{name}": Sum(name) for name in COLUMNS})
    )
    first = min(rows, key=_rank, default=None)
    return first["matador_id"] if first else None


def _rank(row: dict[str, Any]) -> tuple[int, int, int, int, int, str]:
    counts = Counter({name: row[f"all_{name}"] for name in COLUMNS})
    return rank_key(counts, row["matador__name"])
