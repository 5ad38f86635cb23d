"""Queries for comparing two matadors, and for the years of a matador's career."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Count, Q, QuerySet, Sum

from corridas.engine import Tally
from corridas.escalafon.queries.profiles import SeasonLine, career, injuries
from corridas.models import Corrida, Escalafon, Lidia, Matador, MatadorCard, Puesto
from corridas.tabletop.queries import years_at_tables
from corridas.world.ranking import COLUMNS as RANKING_COLUMNS
from corridas.world.ranking import Counters

# Number of matadors shown whom a matador has met most often.
RIVALS: Final = 12
COUNTED: Final = ("bulls", "ears", "tails", "vueltas", "indultos", "avisos")


class Meeting(NamedTuple):
    """A corrida in which both matadors appeared: its key, and the counters of each."""

    corrida: int
    left: Tally
    right: Tally

    @property
    def won(self) -> int:
        """Whether the first matador did better (1), the second one (-1), or neither (0).

        More ears decide, then more tails.
        """
        mine, other = (
            (self.left["ears"], self.left["tails"]),
            (self.right["ears"], self.right["tails"]),
        )
        return (mine > other) - (mine < other)


@dataclass(frozen=True, kw_only=True)
class Duel:
    """All corridas in which two matadors appeared, the newest first, and the totals of each."""

    left: Matador
    right: Matador
    meetings: list[Meeting]
    sums: tuple[Counter[str], Counter[str]]
    won: tuple[int, int]
    level: int

    @property
    def rows(self) -> list[tuple[str, int, int]]:
        return [(name, self.sums[0][name], self.sums[1][name]) for name in COUNTED]


def duel(left: Matador, right: Matador, until: dt.date | None = None) -> Duel:
    both = Corrida.objects.over().filter(meeting(left, right))
    if until:
        both = both.filter(date__lte=until)
    mine, other = _deeds(left, both), _deeds(right, both)
    ordered = both.order_by("-season__year", "-date", "-pk").values_list("pk", flat=True)
    meetings = [Meeting(pk, mine[pk], other[pk]) for pk in ordered]
    won = Counter(encounter.won for encounter in meetings)
    return Duel(
        left=left,
        right=right,
        meetings=meetings,
        sums=(
            _sum(encounter.left for encounter in meetings),
            _sum(encounter.right for encounter in meetings),
        ),
        won=(won[1], won[-1]),
        level=won[0],
    )


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for count in counts:
        for name, number in count.items():
            total[name] += number
    return total


def corridas(meetings: Iterable[Meeting]) -> dict[int, Corrida]:
    rows = Corrida.objects.select_related("plaza", "season", "feria")
    return rows.in_bulk([meeting.corrida for meeting in meetings])


def meeting(left: Matador, right: Matador) -> Q:
    """Return a filter for corridas in which both matadors were announced."""
    met = Puesto.objects.filter(matador=left).values("cartel")
    return Q(pk__in=Puesto.objects.filter(matador=right, cartel__in=met).values("cartel"))


def _deeds(matador: Matador, both: QuerySet[Corrida]) -> dict[int, Tally]:
    deeds: dict[int, Tally] = defaultdict(Tally)
    rows = Lidia.objects.filter(corrida__in=both.order_by().values("pk"), finisher=matador)
    columns = ("corrida_id", "trophy", "vuelta", "ending", "avisos")
    for row in rows.order_by().values_list(*columns, named=True):
        deeds[row.corrida_id].add(row)
    return deeds


def rivals(matador: Matador, until: dt.date | None = None) -> list[tuple[Matador, int]]:
    met = Puesto.objects.filter(matador=matador, cartel__corrida__state__in=Corrida.OVER)
    if until:
        met = met.filter(cartel__corrida__date__lte=until)
    rows = (
        Puesto.objects.filter(cartel__in=met.values("cartel"))
        .exclude(matador=matador)
        .values_list("matador_id")
        .annotate(met=Count("pk"))
        .order_by("-met", "matador_id")[:RIVALS]
    )
    counted = dict(rows)
    who = Matador.objects.in_bulk(list(counted))
    return [(who[key], number) for key, number in counted.items()]


COLUMNS: Final = (*RANKING_COLUMNS, "injuries")


@dataclass(frozen=True, kw_only=True)
class Year(Counters):
    """A season of a matador: his rank, his card's rating and his counters.

    `of` is the number of ranked matadors. `rating` is None if he had no card yet. `at_tables`
    counts corridas played with real cards.
    """

    year: int
    place: int
    of: int
    rating: int | None
    injuries: int
    at_tables: int = 0


@dataclass(frozen=True, kw_only=True)
class Years:
    """The seasons of a matador, the latest first, and the totals of his career."""

    lines: tuple[Year, ...]
    total: dict[str, int]
    best: int
    leads: int

    @property
    def ratings(self) -> list[tuple[int, int]]:
        return [(line.year, line.rating) for line in reversed(self.lines) if line.rating]


def years_of(
    matador: Matador, until: date | None = None, seasons: Sequence[SeasonLine] | None = None
) -> Years:
    """Return the seasons of a matador up to a day, with totals.

    `seasons` can be passed if they are already loaded.
    """
    if seasons is None:
        seasons = career(matador, until)
    printings = MatadorCard.objects.filter(matador=matador).order_by("printing")
    cards = [(since or 0, rating) for since, rating in printings.values_list("since", "rating")]
    tables, hurt = years_at_tables(matador, until), _injuries(matador, until)
    lines = tuple(
        Year(
            year=season.year,
            place=season.line.place,
            of=season.of,
            rating=_rating(cards, season.year),
            at_tables=tables.get(season.year, 0),
            injuries=hurt[season.year],
            **{name: getattr(season.line, name) for name in RANKING_COLUMNS},
        )
        for season in seasons
    )
    total = {name: sum(getattr(line, name) for line in lines) for name in COLUMNS}
    best = min((line.place for line in lines), default=0)
    return Years(lines=lines, total=total, best=best, leads=sum(line.place == 1 for line in lines))


def _injuries(matador: Matador, until: date | None) -> Counter[int]:
    """Return the number of injuries by year.

    Stored totals are used, except for the season of the day `until`.
    """
    rows = Escalafon.objects.filter(matador=matador)
    if until:
        rows = rows.filter(season__year__lt=until.year)
    counted = rows.order_by().values_list("season__year").annotate(Sum("injuries"))
    counter = Counter(dict(counted))
    if until:
        suffered = injuries(matador, until).filter(corrida__season__year=until.year)
        counter[until.year] = suffered.count()
    return counter


def _rating(cards: list[tuple[int, int]], year: int) -> int | None:
    """Return the rating of the card that a matador had in a season, or None.

    It is the last card printed for that season or an earlier one.
    """
    return next((rating for since, rating in reversed(cards) if since <= year), None)
