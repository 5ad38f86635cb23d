"""Data for the yearbook of a season: ranking, awards, records, ferias, months, injuries."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from corridas.engine import Tally, Trophy
from corridas.escalafon.queries import awards, ranking, records
from corridas.models import Corrida, Feria, Injury, Lidia, Matador, Record, Season, Winter
from corridas.results import visible_results as bull_of

RANKED: Final = 30
# Number of great fights shown in a yearbook.
GREAT: Final = 12


@dataclass(frozen=True, kw_only=True)
class Month:
    day: dt.date
    counts: Tally


@dataclass(frozen=True, kw_only=True)
class FeriaLine:
    """A feria with its awards (`given`) and its number of corridas (`held`)."""

    feria: Feria
    held: int
    given: list[awards.GivenAward]

    @property
    def triumph(self) -> awards.GivenAward | None:
        return next((award for award in self.given if award.key == "triumph"), None)


class Change(NamedTuple):
    """A matador whose career changed in the winter after the season.

    The kind is `retired`, `returned`, `alternativa` or `debut`.
    """

    kind: str
    matador: Matador


@dataclass(frozen=True, kw_only=True)
class Yearbook:
    season: Season
    standings: list[ranking.Standing]
    totals: Counter[str]
    awards: list[awards.GivenAward]
    fallen: list[records.RecordEntry]
    ferias: list[FeriaLine]
    months: list[Month]
    injuries: list[Injury]
    great: list[Any]
    winter: list[Change]

    @property
    def over(self) -> bool:
        return bool(self.awards)


def yearbook(
    season: Season, until: dt.date | None = None, lines: Iterable[Record] | None = None
) -> Yearbook:
    """Return the yearbook of a season from results posted up to a day.

    `lines` are the records of the circuit, if they have been calculated for a day.
    """
    over = Corrida.objects.over().filter(season=season)
    if until:
        over = over.filter(date__lte=until)
    held = list(over.values_list("date", "feria_id"))
    months = _months(_rows(over), [day for day, _feria in held], season.year)
    totals: Counter[str] = Counter()
    for month in months:
        totals.update(month.counts)
    counts = ranking.by_season(Season.objects.filter(pk=season.pk), until).get(season.year, {})
    injuries = Injury.objects.filter(corrida__in=over.values("pk"))
    return Yearbook(
        season=season,
        standings=ranking.ranked(counts, ranking.people_by_id(counts)),
        totals=totals,
        awards=awards.of_season(season, until),
        fallen=records.fallen(season) if lines is None else records.fallen_of(lines, season),
        ferias=_ferias(season, Counter(feria for _day, feria in held), until),
        months=months,
        injuries=list(injuries.select_related("matador", "corrida__plaza").order_by("since", "pk")),
        great=_great(over),
        winter=_winter(season, until),
    )


def _rows(over: QuerySet[Corrida]) -> list[object]:
    lidias = Lidia.objects.filter(corrida__in=over.values("pk"), finisher__isnull=False)
    return list(
        lidias.order_by().values_list(
            "corrida__date__month", "trophy", "vuelta", "ending", "avisos", named=True
        )
    )


def _months(rows: list[Any], days: list[dt.date], year: int) -> list[Month]:
    counters: dict[int, Tally] = defaultdict(Tally)
    for day in days:
        counters[day.month]["corridas"] += 1
    for row in rows:
        counters[row.corrida__date__month].add(row)
    return [
        Month(day=dt.date(year, number, 1), counts=counters[number]) for number in sorted(counters)
    ]


def _ferias(season: Season, held: Counter[int | None], until: dt.date | None) -> list[FeriaLine]:
    """Return the ferias by their first day, because that date is shown."""
    lines = [
        FeriaLine(feria=row.feria, held=held[row.feria.pk], given=given)
        for row, given in awards.of_ferias(season, until)
        if row.feria is not None
    ]
    return sorted(lines, key=lambda line: (line.feria.starts, line.feria.ends, line.feria.pk))


def _great(over: QuerySet[Corrida]) -> list[object]:
    rows = (
        Lidia.objects.filter(corrida__in=over.values("pk"), finisher__isnull=False)
        .filter(trophy=Trophy.RABO)
        .select_related("bull__ganaderia", "finisher", "corrida__plaza")
        .defer("draws")
        .order_by("-score", "corrida__date", "corrida", "turn")[:GREAT]
    )
    return [(row, bull_of(row)) for row in rows]


CHANGES: Final = ("retired", "returned", "alternativa", "debut")


def _winter(season: Season, until: dt.date | None) -> list[Change]:
    """Return matadors who retired, returned, were promoted or began in the winter after a season.

    The list is empty if the season was not over by the day `until`.
    """
    if until and season.corridas.filter(date__gt=until).exists():
        return []
    done = Winter.objects.filter(season=season, done_at__isnull=False)
    news = done.values_list("news", flat=True).first() or []
    changes = [(item["kind"], item["slug"]) for item in news if item.get("kind") in CHANGES]
    named = Matador.objects.filter(
        circuit=season.circuit_id, slug__in={slug for _k, slug in changes}
    )
    people = {item.slug: item for item in named} if changes else {}
    known = [Change(kind, people[slug]) for kind, slug in changes if slug in people]
    return sorted(known, key=lambda item: CHANGES.index(item.kind))
