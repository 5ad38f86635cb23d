"""The hall of fame, out of careers and awards."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.db.models import Count

from corridas.models import Award, Matador, Palmares, Season
from corridas.queries import escalafon
from corridas.queries.recordbook.awards import Sum, given_by
from corridas.queries.recordbook.words import TERMS as WORDS
from corridas.world.awards import REVELATION, TRIUMPH
from corridas.world.deeds import CIRCUIT
from corridas.world.honours import ENTRY, TERMS, Career

NEXT: Final = 5
"""So many of those who come nearest are named."""
_COUNTS: Final = ("leads", "indultos", "tails", "ears", "corridas")


class Member(NamedTuple):
    """A matador in the hall, or before its door, with what his points are made of."""

    matador: Matador
    points: int
    seasons: int
    counts: Counter[str]
    sums: tuple[Sum, ...]


class Hall(NamedTuple):
    """Who is inside, by points, and who comes nearest."""

    members: list[Member]
    waiting: list[Member]
    entry: int
    terms: tuple[Sum, ...]


def hall(circuit: int, until: dt.date | None = None) -> Hall:
    """The hall of a circuit, as of a day; three queries, four more for a day."""
    won = _awards(circuit, until)
    careers = _careers_until(circuit, until, won) if until else _careers(circuit, won)
    careers = sorted(careers, key=lambda one: (-one.points, one.matador))
    inside = [one for one in careers if one.inside]
    waiting = [one for one in careers if not one.inside and one.points][:NEXT]
    who = Matador.objects.in_bulk([one.matador for one in (*inside, *waiting)])
    return Hall(
        members=[_member(one, who[one.matador]) for one in inside],
        waiting=[_member(one, who[one.matador]) for one in waiting],
        entry=ENTRY,
        terms=tuple(Sum(1, str(WORDS[term.of]), term.weight) for term in TERMS),
    )


def _careers(circuit: int, won: Mapping[int, Counter[str]]) -> list[Career]:
    rows: Any = Palmares.objects.filter(circuit=circuit, scope=CIRCUIT, of="")
    return [
        Career(matador, seasons, dict(zip(_COUNTS, counts, strict=True)) | won[matador])
        for matador, seasons, *counts in rows.values_list("matador_id", "seasons", *_COUNTS)
    ]


def _careers_until(circuit: int, until: dt.date, won: Mapping[int, Counter[str]]) -> list[Career]:
    """The same out of the seasons up to a day; first place counts where a season was over."""
    found = escalafon.by_season(Season.objects.filter(circuit=circuit), until)
    people = escalafon.people({pk for counts in found.values() for pk in counts})
    given = Award.objects.filter(given_by(until), season__circuit=circuit, feria=None)
    over = set(given.values_list("season__year", flat=True))
    seasons: Counter[int] = Counter()
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for year, counts in found.items():
        for line in escalafon.ranked(counts, people):
            seasons[line.pk] += 1
            sums[line.pk].update({name: counts[line.pk][name] for name in _COUNTS})
            sums[line.pk]["leads"] += line.place == 1 and year in over
    return [Career(pk, seasons[pk], sums[pk] | won[pk]) for pk in seasons]


def _awards(circuit: int, until: dt.date | None) -> dict[int, Counter[str]]:
    """Awards of seasons and ferias won, by matador; one query."""
    found: dict[int, Counter[str]] = defaultdict(Counter)
    rows = Award.objects.filter(
        given_by(until),
        season__circuit=circuit,
        matador__isnull=False,
        key__in=(TRIUMPH, REVELATION),
    )
    told = rows.values_list("matador_id", "key").annotate(Count("pk"), Count("feria")).order_by()
    for matador, key, count, ferias in told:
        found[matador]["season_awards"] += count - ferias
        found[matador]["feria_awards"] += ferias if key == TRIUMPH else 0
    return found


def _member(career: Career, matador: Matador) -> Member:
    sums = tuple(
        Sum(career.counts[term.of], str(WORDS[term.of]), term.weight)
        for term in TERMS
        if career.counts.get(term.of)
    )
    return Member(matador, career.points, career.seasons, Counter(career.counts), sums)
