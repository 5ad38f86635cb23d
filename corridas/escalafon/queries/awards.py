"""Queries for awards with their formulas, and for the hall of fame."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.db.models import Count, Q, QuerySet

from corridas.escalafon.queries import ranking
from corridas.escalafon.queries.records import hundredths
from corridas.labels import AWARDS, TERM_LABELS, TIES
from corridas.labels import TERM_LABELS as WORDS
from corridas.models import Award, Corrida, Matador, Palmares, Season
from corridas.world.awards import FORMULAS, HERD, HUNDRED, REVELATION, TRIUMPH
from corridas.world.deeds import CIRCUIT
from corridas.world.honours import ENTRY, TERMS, Career

_ORDER: Final = {formula.key: place for place, formula in enumerate(FORMULAS)}


class Sum(NamedTuple):
    """A term of an award formula with its count, such as `12 ears x 3`."""

    number: int
    words: str
    weight: int

    @property
    def less(self) -> bool:
        return self.weight < 0

    @property
    def worth(self) -> int:
        return abs(self.weight)


@dataclass(frozen=True, kw_only=True)
class GivenAward:
    """An award of a feria or season for display.

    `row` names the winner, `score` is the result of the formula, and `bulls` is the number of bulls
    if the result is a mean, otherwise 0.
    """

    key: str
    label: str
    gloss: str
    score: int | Decimal
    sums: tuple[Sum, ...]
    bulls: int
    row: Award


@dataclass(frozen=True, kw_only=True)
class Rule:
    """The formula of an award in words: its terms, and its tie-breakers in order."""

    key: str
    label: str
    gloss: str
    terms: tuple[Sum, ...]
    ties: tuple[str, ...]


def rules() -> list[Rule]:
    return [
        Rule(
            key=formula.key,
            label=str(AWARDS[formula.key].label),
            gloss=str(AWARDS[formula.key].gloss),
            terms=tuple(Sum(1, str(TERM_LABELS[term.of]), term.weight) for term in formula.terms),
            ties=tuple(str(TIES[tie]) for tie in formula.ties),
        )
        for formula in FORMULAS
    ]


def given_by(until: dt.date | None) -> Q:
    """Return a filter for awards of ferias and seasons that have no corrida after a day."""
    if until is None:
        return Q()
    later = Corrida.objects.filter(date__gt=until)
    of_ferias = later.filter(feria__isnull=False).values("feria")
    return ~Q(feria=None, season__in=later.values("season")) & ~Q(feria__in=of_ferias)


def _rows(until: dt.date | None = None, **which: object) -> QuerySet[Award]:
    return Award.objects.filter(given_by(until), **which).select_related(
        "matador", "ganaderia", "bull", "corrida__plaza", "feria__plaza"
    )


def of_season(season: Season, until: dt.date | None = None) -> list[GivenAward]:
    """Return the awards of a season, or none if the season is not over.

    With `until`, return none if the season was not over on this day.
    """
    return _ordered_awards(_rows(until, season=season, feria=None))


def of_ferias(season: Season, until: dt.date | None = None) -> list[tuple[Award, list[GivenAward]]]:
    """Return the awards of each feria that is over now, or by the day `until`.

    The list is ordered by the ferias' last days. Each item is any award of the feria, which names
    it, and all its awards.
    """
    by_feria: dict[int, list[Award]] = {}
    rows = _rows(until, season=season, feria__isnull=False).order_by(*_BY_LAST_DAY)
    for row in rows:
        by_feria.setdefault(row.feria_id or 0, []).append(row)
    return [(rows[0], _ordered_awards(rows)) for rows in by_feria.values()]


def feria_triumphs(season: Season) -> list[GivenAward]:
    """Return the triumph award of each feria in which it was won, ordered by the ferias' last
    days.
    """
    rows = _rows(season=season, feria__isnull=False, key=TRIUMPH, matador__isnull=False)
    return [_award_given(row) for row in rows.order_by(*_BY_LAST_DAY)]


# Sort keys for ferias: the last day comes first, because it is shown with the awards.
_BY_LAST_DAY: Final = ("feria__ends", "feria__starts", "feria_id")


def of_feria(feria: int) -> list[GivenAward]:
    return _ordered_awards(_rows(feria=feria))


def _ordered_awards(rows: Iterable[Award]) -> list[GivenAward]:
    known = [row for row in rows if row.key in _ORDER]
    return [_award_given(row) for row in sorted(known, key=lambda row: _ORDER[row.key])]


def _score(row: Award) -> int | Decimal:
    """Return the result of an award for display.

    The result of a herd is a mean. It is calculated from the terms and rounded to hundredths,
    because the stored value is rounded down.
    """
    if row.key != HERD:
        return row.score
    bulls = row.detail.get("bulls")
    if not bulls:
        return hundredths(row.score, HUNDRED)
    return hundredths(sum(count * weight for _of, count, weight in row.detail["terms"]), bulls)


def _award_given(row: Award) -> GivenAward:
    terms = row.detail.get("terms", [])
    return GivenAward(
        key=row.key,
        label=str(AWARDS[row.key].label),
        gloss=str(AWARDS[row.key].gloss),
        score=_score(row),
        sums=tuple(
            Sum(count, str(TERM_LABELS[of]), weight)
            for of, count, weight in terms
            if count and of in TERM_LABELS
        ),
        bulls=row.detail.get("bulls", 0),
        row=row,
    )


# Number of matadors shown who are closest to the hall of fame.
NEXT: Final = 5
_COUNTS: Final = ("leads", "indultos", "tails", "ears", "corridas")


class Member(NamedTuple):
    matador: Matador
    points: int
    seasons: int
    counts: Counter[str]
    sums: tuple[Sum, ...]


class Hall(NamedTuple):
    members: list[Member]
    waiting: list[Member]
    entry: int
    terms: tuple[Sum, ...]


def hall(circuit: int, until: dt.date | None = None) -> Hall:
    won = _awards_won(circuit, until)
    careers = _careers_until(circuit, until, won) if until else _careers(circuit, won)
    careers = sorted(careers, key=lambda career: (-career.points, career.matador))
    inside = [career for career in careers if career.inside]
    waiting = [career for career in careers if not career.inside and career.points][:NEXT]
    who = Matador.objects.in_bulk([career.matador for career in (*inside, *waiting)])
    return Hall(
        members=[_member(career, who[career.matador]) for career in inside],
        waiting=[_member(career, who[career.matador]) for career in waiting],
        entry=ENTRY,
        terms=tuple(Sum(1, str(WORDS[term.of]), term.weight) for term in TERMS),
    )


def _careers(circuit: int, won: Mapping[int, Counter[str]]) -> list[Career]:
    rows: Any = Palmares.objects.filter(book__circuit=circuit, book__scope=CIRCUIT)
    return [
        Career(matador, seasons, dict(zip(_COUNTS, counts, strict=True)) | won[matador])
        for matador, seasons, *counts in rows.values_list("matador_id", "seasons", *_COUNTS)
    ]


def _careers_until(circuit: int, until: dt.date, won: Mapping[int, Counter[str]]) -> list[Career]:
    """Calculate careers up to a day.

    A first place in the ranking only counts if the season was over by then.
    """
    counts_by_year = ranking.by_season(Season.objects.filter(circuit=circuit), until)
    people = ranking.people_by_id({pk for counts in counts_by_year.values() for pk in counts})
    given = Award.objects.filter(given_by(until), season__circuit=circuit, feria=None)
    over = set(given.values_list("season__year", flat=True))
    seasons: Counter[int] = Counter()
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for year, counts in counts_by_year.items():
        for line in ranking.ranked(counts, people):
            seasons[line.pk] += 1
            sums[line.pk].update({name: counts[line.pk][name] for name in _COUNTS})
            sums[line.pk]["leads"] += line.place == 1 and year in over
    return [Career(pk, seasons[pk], sums[pk] | won[pk]) for pk in seasons]


def _awards_won(circuit: int, until: dt.date | None) -> dict[int, Counter[str]]:
    awards_won: dict[int, Counter[str]] = defaultdict(Counter)
    rows = Award.objects.filter(
        given_by(until),
        season__circuit=circuit,
        matador__isnull=False,
        key__in=(TRIUMPH, REVELATION),
    )
    rows_read = (
        rows.values_list("matador_id", "key").annotate(Count("pk"), Count("feria")).order_by()
    )
    for matador, key, count, ferias in rows_read:
        awards_won[matador]["season_awards"] += count - ferias
        awards_won[matador]["feria_awards"] += ferias if key == TRIUMPH else 0
    return awards_won


def _member(career: Career, matador: Matador) -> Member:
    sums = tuple(
        Sum(career.counts[term.of], str(WORDS[term.of]), term.weight)
        for term in TERMS
        if career.counts.get(term.of)
    )
    return Member(matador, career.points, career.seasons, Counter(career.counts), sums)
