"""Awards as they were given, with their formulas and the numbers filled in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet

from corridas.models import Award, Corrida, Season
from corridas.queries.recordbook.book import hundredths
from corridas.queries.recordbook.words import AWARDS, TERMS, TIES
from corridas.world.awards import FORMULAS, HERD, HUNDRED

_ORDER: Final = {formula.key: place for place, formula in enumerate(FORMULAS)}


class Sum(NamedTuple):
    """A term of a formula with its number: `ears 12 x 3`."""

    number: int
    words: str
    weight: int

    @property
    def less(self) -> bool:
        """Whether it takes away."""
        return self.weight < 0

    @property
    def worth(self) -> int:
        """What one is worth, whatever the sign."""
        return abs(self.weight)


@dataclass(frozen=True, kw_only=True)
class Given:
    """An award: `row` holds to whom, `score` as it is read, `bulls` where it is a mean."""

    key: str
    label: str
    gloss: str
    score: int | Decimal
    sums: tuple[Sum, ...]
    bulls: int
    row: Award


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A formula in words: its terms, and what decides a tie, in turn."""

    key: str
    label: str
    gloss: str
    terms: tuple[Sum, ...]
    ties: tuple[str, ...]


def rules() -> list[Rule]:
    """All formulas as they are published."""
    return [
        Rule(
            key=formula.key,
            label=str(AWARDS[formula.key].label),
            gloss=str(AWARDS[formula.key].gloss),
            terms=tuple(Sum(1, str(TERMS[term.of]), term.weight) for term in formula.terms),
            ties=tuple(str(TIES[tie]) for tie in formula.ties),
        )
        for formula in FORMULAS
    ]


def given_by(until: dt.date | None) -> Q:
    """Awards of the ferias and seasons of which no corrida is later than a day."""
    if until is None:
        return Q()
    later = Corrida.objects.filter(date__gt=until)
    of_ferias = later.filter(feria__isnull=False).values("feria")
    return ~Q(feria=None, season__in=later.values("season")) & ~Q(feria__in=of_ferias)


def _rows(until: dt.date | None = None, **which: object) -> QuerySet[Award]:
    return Award.objects.filter(given_by(until), **which).select_related(
        "matador", "ganaderia", "bull", "corrida__plaza", "feria__plaza"
    )


def of_season(season: Season, until: dt.date | None = None) -> list[Given]:
    """A season's own awards; none before it is over, or if it was not by a day; one query."""
    return _told(_rows(until, season=season, feria=None))


def of_ferias(season: Season, until: dt.date | None = None) -> list[tuple[Award, list[Given]]]:
    """The awards of each feria of a season that is over, or was by a day, by date; one query.

    The first of each pair is any of them, for the feria it names.
    """
    by_feria: dict[int, list[Award]] = {}
    rows = _rows(until, season=season, feria__isnull=False).order_by("feria__starts", "feria_id")
    for row in rows:
        by_feria.setdefault(row.feria_id or 0, []).append(row)
    return [(rows[0], _told(rows)) for rows in by_feria.values()]


def of_feria(feria: int) -> list[Given]:
    """The awards of one feria; one query."""
    return _told(_rows(feria=feria))


def _told(rows: Iterable[Award]) -> list[Given]:
    known = [row for row in rows if row.key in _ORDER]
    return [_given(row) for row in sorted(known, key=lambda row: _ORDER[row.key])]


def _score(row: Award) -> int | Decimal:
    """A mean is rounded to hundredths here, from its terms: its row keeps it rounded down."""
    if row.key != HERD:
        return row.score
    bulls = row.detail.get("bulls")
    if not bulls:
        return hundredths(row.score, HUNDRED)
    return hundredths(sum(count * weight for _of, count, weight in row.detail["terms"]), bulls)


def _given(row: Award) -> Given:
    terms = row.detail.get("terms", [])
    return Given(
        key=row.key,
        label=str(AWARDS[row.key].label),
        gloss=str(AWARDS[row.key].gloss),
        score=_score(row),
        sums=tuple(
            Sum(count, str(TERMS[of]), weight)
            for of, count, weight in terms
            if count and of in TERMS
        ),
        bulls=row.detail.get("bulls", 0),
        row=row,
    )
