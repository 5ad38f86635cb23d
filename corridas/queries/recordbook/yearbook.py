"""A season between two covers: standings, awards, records, ferias, months, injuries."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from corridas.models import Corrida, Feria, Injury, Lidia, Matador, Season, Winter
from corridas.queries import escalafon
from corridas.queries.recordbook import awards, book
from corridas.queries.results import told as bull_of
from corridas.world.deeds import EARS, TAIL

RANKED: Final = 30
GREAT: Final = 12
"""So many of the great bulls of a season are named."""


@dataclass(frozen=True, kw_only=True)
class Month:
    """A month of the season and what was counted in it."""

    day: dt.date
    counts: Counter[str]


@dataclass(frozen=True, kw_only=True)
class FeriaLine:
    """A feria with its awards; `held` corridas were fought in it."""

    feria: Feria
    held: int
    given: list[awards.Given]

    @property
    def triumph(self) -> awards.Given | None:
        """Who won it."""
        return next((one for one in self.given if one.key == "triumph"), None)


class Change(NamedTuple):
    """What the winter after it did to somebody: `retired`, `returned`, `alternativa`, `debut`."""

    kind: str
    matador: Matador


@dataclass(frozen=True, kw_only=True)
class Yearbook:
    """Everything the pages of a year say."""

    season: Season
    standings: list[escalafon.Standing]
    totals: Counter[str]
    awards: list[awards.Given]
    fallen: list[book.Entry]
    ferias: list[FeriaLine]
    months: list[Month]
    injuries: list[Injury]
    great: list[Any]
    winter: list[Change]

    @property
    def over(self) -> bool:
        """Whether the season has its awards: its last corrida is posted."""
        return bool(self.awards)


def yearbook(season: Season) -> Yearbook:
    """A season as far as it is posted; twelve queries at most."""
    held = list(Corrida.objects.over().filter(season=season).values_list("date", "feria_id"))
    months = _months(_rows(season), [day for day, _feria in held], season.year)
    totals: Counter[str] = Counter()
    for month in months:
        totals.update(month.counts)
    return Yearbook(
        season=season,
        standings=escalafon.standings(season),
        totals=totals,
        awards=awards.of_season(season),
        fallen=book.fallen(season),
        ferias=_ferias(season, Counter(feria for _day, feria in held)),
        months=months,
        injuries=list(_injuries(season)),
        great=_great(season),
        winter=_winter(season),
    )


def _rows(season: Season) -> list[tuple[Any, ...]]:
    lidias = Lidia.objects.posted().filter(corrida__season=season, finisher__isnull=False)
    return list(
        lidias.order_by().values_list(
            "corrida__date__month", "trophy", "vuelta", "ending", "avisos"
        )
    )


def _months(rows: list[tuple[Any, ...]], days: list[dt.date], year: int) -> list[Month]:
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for day in days:
        found[day.month]["corridas"] += 1
    for month, trophy, vuelta, ending, avisos in rows:
        own = found[month]
        own["bulls"] += 1
        own["ears"] += EARS[trophy or 0]
        own["tails"] += trophy == TAIL
        own["vueltas"] += bool(vuelta)
        own["indultos"] += ending == Lidia.Ending.SPARED
        own["avisos"] += avisos
    return [Month(day=dt.date(year, one, 1), counts=found[one]) for one in sorted(found)]


def _ferias(season: Season, held: Counter[int | None]) -> list[FeriaLine]:
    return [
        FeriaLine(feria=row.feria, held=held[row.feria.pk], given=given)
        for row, given in awards.of_ferias(season)
        if row.feria is not None
    ]


def _injuries(season: Season) -> Any:
    rows = Injury.objects.filter(corrida__season=season, corrida__state__in=Corrida.OVER)
    return rows.select_related("matador", "corrida__plaza").order_by("since", "pk")


def _great(season: Season) -> list[Any]:
    """The bulls of a tail and those spared, the highest score first."""
    rows = (
        Lidia.objects.posted()
        .filter(corrida__season=season, finisher__isnull=False)
        .filter(trophy=TAIL)
        .select_related("bull__ganaderia", "finisher", "corrida__plaza")
        .defer("draws")
        .order_by("-score", "corrida__date")[:GREAT]
    )
    return [(row, bull_of(row)) for row in rows]


CHANGES: Final = ("retired", "returned", "alternativa", "debut")


def _winter(season: Season) -> list[Change]:
    """Who left, came back, became a matador or a novillero in the winter after; two queries."""
    done = Winter.objects.filter(season=season, done_at__isnull=False)
    news = done.values_list("news", flat=True).first() or []
    told = [(one["kind"], one["slug"]) for one in news if one.get("kind") in CHANGES]
    named = Matador.objects.filter(circuit=season.circuit_id, slug__in={slug for _k, slug in told})
    people = {one.slug: one for one in named} if told else {}
    known = [Change(kind, people[slug]) for kind, slug in told if slug in people]
    return sorted(known, key=lambda one: CHANGES.index(one.kind))
