"""A career year by year: place, figures, and the rating of the card he fought with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db.models import Sum

from corridas.models import Escalafon, Matador, MatadorCard
from corridas.queries import escalafon
from corridas.queries.records import SeasonLine, career, injuries
from corridas.queries.tables import years_at_tables

COLUMNS: Final = (*escalafon.COLUMNS, "injuries")


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


def years_of(
    matador: Matador, until: date | None = None, seasons: Sequence[SeasonLine] | None = None
) -> Years:
    """Every season of a matador up to a day, with its sum; as many queries for any number.

    `seasons` are those of his career, where they have been read.
    """
    if seasons is None:
        seasons = career(matador, until)
    cards = _ratings(matador)
    tables, hurt = years_at_tables(matador, until), _injuries(matador, until)
    lines = tuple(
        Year(
            year=season.year,
            place=season.line.place,
            of=season.of,
            rating=_rating(cards, season.year),
            at_tables=tables.get(season.year, 0),
            injuries=hurt[season.year],
            **{name: getattr(season.line, name) for name in escalafon.COLUMNS},
        )
        for season in seasons
    )
    total = {name: sum(getattr(one, name) for one in lines) for name in COLUMNS}
    best = min((one.place for one in lines), default=0)
    return Years(lines=lines, total=total, best=best, leads=sum(one.place == 1 for one in lines))


def _injuries(matador: Matador, until: date | None) -> Counter[int]:
    """Injuries by year: those counted, and of the season of a day those suffered by then."""
    rows = Escalafon.objects.filter(matador=matador)
    if until:
        rows = rows.filter(season__year__lt=until.year)
    counted = rows.order_by().values_list("season__year").annotate(Sum("injuries"))
    found = Counter(dict(counted))
    if until:
        suffered = injuries(matador, until).filter(corrida__season__year=until.year)
        found[until.year] = suffered.count()
    return found


def _ratings(matador: Matador) -> list[tuple[int, int]]:
    rows = MatadorCard.objects.filter(matador=matador).order_by("printing")
    return [(since or 0, rating) for since, rating in rows.values_list("since", "rating")]


def _rating(cards: list[tuple[int, int]], year: int) -> int | None:
    """The rating of the last card printed for that season or before it."""
    return next((rating for since, rating in reversed(cards) if since <= year), None)
