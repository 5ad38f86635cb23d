"""A career year by year: place, figures, and the rating of the card he fought with."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Sum

from corridas.models import Escalafon, Matador, MatadorCard
from corridas.queries import escalafon
from corridas.queries.tables import years_at_tables

COLUMNS: Final = (*escalafon.COLUMNS, "injuries")
RANKED: Final = ("corridas", "ears", "tails", "indultos", "avisos")
"""What a place depends on, besides the name."""


@dataclass(frozen=True, kw_only=True)
class Year:
    """A season of a matador: his place among `of`, his card's rating, his counters.

    `rating` is None where no card had been printed; `at_tables` of his corridas were fought at a
    real table.
    """

    year: int
    place: int
    of: int
    rating: int | None
    corridas: int
    bulls: int
    ears: int
    tails: int
    vueltas: int
    indultos: int
    avisos: int
    three_avisos: int
    injuries: int
    at_tables: int = 0


@dataclass(frozen=True, kw_only=True)
class Years:
    """A career: its seasons, the latest first, and their sum."""

    lines: tuple[Year, ...]
    total: dict[str, int]
    best: int
    leads: int

    @property
    def ratings(self) -> list[tuple[int, int]]:
        """Year and rating, the oldest first."""
        return [(one.year, one.rating) for one in reversed(self.lines) if one.rating]


def years_of(matador: Matador) -> Years:
    """Every season of a matador with its sum; four queries whatever their number."""
    places = _places(matador)
    cards = _ratings(matador)
    tables = years_at_tables(matador)
    own: Any = (
        Escalafon.objects.filter(matador=matador)
        .values("season_id", "season__year")
        .annotate(**{f"all_{name}": Sum(name) for name in COLUMNS})
        .order_by("-season__year")
    )
    lines = tuple(
        Year(
            year=row["season__year"],
            place=places[row["season_id"]][0],
            of=places[row["season_id"]][1],
            rating=_rating(cards, row["season__year"]),
            at_tables=tables.get(row["season__year"], 0),
            **{name: row[f"all_{name}"] for name in COLUMNS},
        )
        for row in own
        if row["season_id"] in places
    )
    total = {name: sum(getattr(one, name) for one in lines) for name in COLUMNS}
    best = min((one.place for one in lines), default=0)
    return Years(lines=lines, total=total, best=best, leads=sum(one.place == 1 for one in lines))


def _ratings(matador: Matador) -> list[tuple[int, int]]:
    rows = MatadorCard.objects.filter(matador=matador).order_by("printing")
    return [(since or 0, rating) for since, rating in rows.values_list("since", "rating")]


def _rating(cards: list[tuple[int, int]], year: int) -> int | None:
    """The rating of the last card printed for that season or before it."""
    return next((rating for since, rating in reversed(cards) if since <= year), None)


def _places(matador: Matador) -> dict[int, tuple[int, int]]:
    """The place and the number of those ranked, by season (Ruling I-17); one query."""
    seasons = Escalafon.objects.filter(matador=matador).values("season")
    rows: Any = (
        Escalafon.objects.filter(season__in=seasons)
        .values("season_id", "matador_id", "matador__name")
        .annotate(**{f"all_{name}": Sum(name) for name in RANKED})
        .order_by()
    )
    ranked: dict[int, list[tuple[tuple[object, ...], int]]] = defaultdict(list)
    for row in rows:
        counts = {name: row[f"all_{name}"] for name in RANKED}
        if counts["corridas"]:
            rank = escalafon.rank_key(counts, row["matador__name"])
            ranked[row["season_id"]].append((rank, row["matador_id"]))
    return {
        season: (_place(found, matador.pk), len(found))
        for season, found in ranked.items()
        if any(key == matador.pk for _rank, key in found)
    }


def _place(found: list[tuple[Any, int]], matador: int) -> int:
    own = next(rank for rank, key in found if key == matador)
    ahead = [rank for rank, _key in found if rank < own]
    return len(ahead) + 1
