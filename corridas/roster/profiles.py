"""Careers and records of matadors, plazas, herds and bulls, from posted corridas."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Count, Q, QuerySet, Sum

from corridas import sql
from corridas.engine import EARS, Trophy
from corridas.escalafon.queries import ranking
from corridas.glossary import plain
from corridas.models import (
    Bull,
    Corrida,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Plaza,
    Season,
)
from corridas.world.names import display_name

# The least trophy of a great afternoon: two ears.
GREAT: Final = 2


@dataclass(frozen=True, kw_only=True)
class SeasonLine:
    """A matador's season: final place and counters."""

    year: int
    line: ranking.Standing
    of: int


def career(matador: Matador, until: date | None = None) -> list[SeasonLine]:
    """Return every season of a matador up to a day, the latest first; a fixed number of queries."""
    seasons = Season.objects.filter(pk__in=matador.escalafon.values("season"))
    by_season = ranking.by_season(seasons, until)
    who = ranking.people_by_id({pk for counts in by_season.values() for pk in counts})
    season_lines = []
    for year in sorted(by_season, reverse=True):
        lines = ranking.ranked(by_season[year], who)
        own = [line for line in lines if line.pk == matador.pk]
        season_lines += [SeasonLine(year=year, line=line, of=len(lines)) for line in own]
    return season_lines


class CareerMark(NamedTuple):
    """A matador and the number of posts and changes in his circuit."""

    matador: int
    posted: int


def find_career(circuit: str, slug: str) -> CareerMark | None:
    """Return the version mark of a matador's page, None for an unknown matador; one query."""
    row = sql.career_mark(circuit, slug)
    return CareerMark(*row) if row else None


def printed(until: date | None = None) -> QuerySet[MatadorCard]:
    """Return cards printed by a day. A winter prints for the season after it."""
    cards = MatadorCard.objects.all()
    return cards.filter(Q(since=None) | Q(since__lte=until.year)) if until else cards


def printings(matador: Matador, until: date | None = None) -> list[MatadorCard]:
    return list(printed(until).filter(matador=matador).order_by("-printing"))


def alternativa_in(matador: Matador) -> Corrida | None:
    """Return the corrida in which a matador takes the alternativa; at most one query."""
    if matador.alternativa is None or matador.padrino_id is None:
        return None
    held = Corrida.objects.filter(
        season__circuit=matador.circuit_id,
        date=matador.alternativa,
        cartel__puestos__matador=matador,
    )
    return held.first()


def godsons(matador: Matador, until: date | None = None) -> list[Matador]:
    rows = Matador.objects.filter(padrino=matador)
    if until:
        rows = rows.filter(alternativa__lte=until)
    return list(rows.order_by("-alternativa", "name"))


def finished_by(matador: Matador, until: date | None = None) -> QuerySet[Lidia]:
    return posted_lidias(until).filter(finisher=matador)


def posted_lidias(until: date | None = None) -> QuerySet[Lidia]:
    posted = Lidia.objects.posted()
    if until:
        posted = posted.filter(corrida__date__lte=until)
    return (
        posted.select_related(
            "corrida__plaza", "corrida__season", "corrida__feria", "bull", "finisher"
        )
        .defer("draws")
        .order_by("-corrida__date", "-corrida_id", "-turn")
    )


def appearances(matador: Matador, year: int, until: date | None = None) -> list[Corrida]:
    return list(
        Corrida.objects.over()
        .filter(_by(until), season__year=year, cartel__puestos__matador=matador)
        .select_related("plaza", "feria", "season")
        .order_by("-date", "-pk")
    )


def _by(until: date | None) -> Q:
    return Q(date__lte=until) if until else Q()


def injuries(matador: Matador, until: date | None = None) -> QuerySet[Injury]:
    hurt_in = Corrida.objects.over().filter(_by(until))
    return (
        Injury.objects.filter(matador=matador, corrida__in=hurt_in.values("pk"))
        .select_related("corrida__plaza")
        .order_by("-since")
    )


def great(lidias: QuerySet[Lidia], number: int) -> list[Lidia]:
    """Return the newest bulls that brought two ears or a tail, or were spared; one query."""
    return list(lidias.filter(Q(trophy__gte=GREAT) | Q(ending="spared"))[:number])


@dataclass(frozen=True, kw_only=True)
class Sums:
    """Totals of many bulls."""

    corridas: int
    bulls: int
    ears: int
    tails: int
    indultos: int
    avisos: int
    three_avisos: int


def sums(lidias: QuerySet[Lidia]) -> Sums:
    counts = {f"trophy_{n}": Count("pk", filter=Q(trophy=n)) for n in range(1, len(EARS))}
    row = lidias.order_by().aggregate(
        corridas=Count("corrida", distinct=True),
        bulls=Count("pk"),
        indultos=Count("pk", filter=Q(ending="spared")),
        three_avisos=Count("pk", filter=Q(ending="three_avisos")),
        avisos=Sum("avisos"),
        **counts,
    )
    ears = sum(EARS[n] * row[f"trophy_{n}"] for n in range(1, len(EARS)))
    return Sums(
        corridas=row["corridas"],
        bulls=row["bulls"],
        ears=ears,
        tails=row[f"trophy_{Trophy.RABO.value}"],
        indultos=row["indultos"],
        avisos=row["avisos"] or 0,
        three_avisos=row["three_avisos"],
    )


@dataclass(frozen=True, kw_only=True)
class Best:
    """A matador with the most ears here, and the number of his bulls."""

    slug: str
    name: str
    ears: int
    bulls: int


def best(lidias: QuerySet[Lidia], number: int) -> list[Best]:
    tally: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    rows = lidias.order_by().filter(finisher__isnull=False)
    for slug, apodo, name, trophy in rows.values_list(
        "finisher__slug", "finisher__apodo", "finisher__name", "trophy"
    ):
        tally[slug, display_name(name, apodo)][0] += EARS[trophy or 0]
        tally[slug, display_name(name, apodo)][1] += 1
    order = sorted(tally.items(), key=lambda item: (-item[1][0], item[1][1], item[0][1]))
    return [
        Best(slug=slug, name=name, ears=ears, bulls=bulls)
        for (slug, name), (ears, bulls) in order[:number]
        if ears
    ]


@dataclass(frozen=True, kw_only=True)
class MatadorLine:
    """A matador with the rating of his latest card and the totals of his career."""

    matador: Matador
    rating: int | None
    corridas: int
    ears: int


def matadors(circuit: str, until: date | None = None) -> list[MatadorLine]:
    """Return all matadors by name; three queries.

    Up to a day it takes three more, and leaves out those whose first card was printed later.
    """
    rows = Matador.objects.filter(circuit__slug=circuit)
    if until:
        later = MatadorCard.objects.filter(printing=1, since__gt=until.year)
        rows = rows.exclude(pk__in=later.values("matador"))
    ratings = dict(
        printed(until)
        .filter(matador__circuit__slug=circuit)
        .order_by("printing")
        .values_list("matador_id", "rating")
    )
    won: dict[int, Counter[str]] = defaultdict(Counter)
    seasons = Season.objects.filter(circuit__slug=circuit)
    for counts in ranking.by_season(seasons, until).values():
        for pk, own in counts.items():
            won[pk].update(own)
    return [
        MatadorLine(
            matador=row,
            rating=ratings.get(row.pk),
            corridas=won[row.pk]["corridas"],
            ears=won[row.pk]["ears"],
        )
        for row in sorted(rows, key=lambda row: plain(row.billing))
    ]


def plazas(circuit: str) -> QuerySet[Plaza]:
    """Return all plazas with their number of posted corridas, the highest category first."""
    return (
        Plaza.objects.filter(circuit__slug=circuit)
        .annotate(held=Count("corridas", filter=Q(corridas__state__in=Corrida.OVER)))
        .order_by("category", "city", "name")
    )


@dataclass(frozen=True, kw_only=True)
class HerdLine:
    """A herd, and how many of its bulls have fought and were spared, as far as it is posted."""

    herd: Ganaderia
    fought: int
    spared: int


def herds(circuit: str, until: date | None = None) -> list[HerdLine]:
    """Return all herds by name, with their bulls counted up to a day; four queries.

    A bull leaves the field when its corrida is posted. An index counts all bulls except the few in
    the fields, because their rows are most of the database. No column says when a bull left the
    field, so for a day the lidias are read.
    """
    named = Ganaderia.objects.filter(circuit__slug=circuit).order_by("name")
    if until:
        fought = Lidia.objects.posted().filter(corrida__date__lte=until)
        fought = fought.filter(bull__ganaderia__circuit__slug=circuit).order_by()
        rows = fought.values_list("bull__ganaderia").annotate(
            Count("pk"), spared=Count("pk", filter=Q(ending=Lidia.Ending.SPARED))
        )
        counts_by_herd = {herd: counts for herd, *counts in rows}
        counted = {herd: counts_by_herd.get(herd.pk, (0, 0)) for herd in named}
        return [HerdLine(herd=herd, fought=n, spared=m) for herd, (n, m) in counted.items()]
    bulls = Bull.objects.filter(ganaderia__circuit__slug=circuit)
    spared = _by_herd(bulls.filter(state=sql.SPARED))
    unposted = Corrida.objects.filter(season__circuit__slug=circuit).exclude(
        state=Corrida.State.POSTED
    )
    waiting = Q(cartel=None) | Q(cartel__in=unposted.values("pk"))
    field = _by_herd(Bull.objects.filter(waiting, state=Bull.State.CAMPO))
    branded = _by_herd(bulls)
    return [
        HerdLine(
            herd=herd,
            fought=branded.get(herd.pk, 0) - field.get(herd.pk, 0),
            spared=spared.get(herd.pk, 0),
        )
        for herd in named
    ]


def _by_herd(bulls: QuerySet[Bull]) -> dict[int, int]:
    rows = bulls.order_by().values_list("ganaderia_id")
    return dict(rows.annotate(all=Count("pk")))


@dataclass(frozen=True, kw_only=True)
class Sons:
    """Totals of a sire's sons so far, and the newest of them."""

    count: int
    ears: int
    newest: list[Lidia]


def sons(bull: Bull, number: int) -> Sons | None:
    """Return the sons of a spared bull that have fought, None without any; two queries."""
    if bull.state != Bull.State.SEMENTAL:
        return None
    fought = posted_lidias().filter(bull__sire=bull)
    brought = sums(fought)
    if not brought.bulls:
        return None
    return Sons(count=brought.bulls, ears=brought.ears, newest=list(fought[:number]))


def fate(bull: Bull) -> Lidia | None:
    return posted_lidias().filter(bull=bull).first()
