"""Queries for the pages of matadors, plazas, herds and bulls. They only use posted results."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any, Final, NamedTuple

from django.db.models import Count, Q, QuerySet, Sum

from core.names.text import sort_key
from corridas import sql
from corridas.engine import EARS, Ending, Trophy
from corridas.escalafon.queries import ranking
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

# The lowest trophy that counts as a great fight: two ears.
GREAT: Final = 2


@dataclass(frozen=True, kw_only=True)
class SeasonLine:
    """A season of a matador: his final rank and his counters."""

    year: int
    line: ranking.Standing
    of: int


def career(matador: Matador, until: date | None = None) -> list[SeasonLine]:
    """Return the seasons of a matador up to a day, the latest first.

    The number of queries is fixed.
    """
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
    """A matador's key and the version of his circuit's results, for use in a cache key.

    `posted` is None before the first season is planned.
    """

    matador: int
    posted: int | None


def find_career(circuit: str, slug: str) -> CareerMark | None:
    """Return the cache key of a matador's page, or None for an unknown matador; one query."""
    row = sql.career_mark(circuit, slug)
    return CareerMark(*row) if row else None


def printed(until: date | None = None) -> QuerySet[MatadorCard]:
    """Return the cards that had been printed by a day.

    A winter prints cards for the season after it.
    """
    cards = MatadorCard.objects.all()
    return cards.filter(Q(since=None) | Q(since__lte=until.year)) if until else cards


def printings(matador: Matador, until: date | None = None) -> list[MatadorCard]:
    return list(printed(until).filter(matador=matador).order_by("-printing"))


def alternativa_in(matador: Matador) -> Corrida | None:
    """Return the corrida of a matador's alternativa (the ceremony that makes him a matador).

    At most one query. Returns None if it took place in no corrida.
    """
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
    return list(rows.order_by("-alternativa", "name_key"))


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


def appearances(
    matador: Matador, years: Collection[int], until: date | None = None
) -> list[Corrida]:
    return list(
        Corrida.objects.over()
        .filter(_by(until), season__year__in=years, cartel__puestos__matador=matador)
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
    """Return the newest fights that ended with two ears, a tail or a spared bull; one query."""
    return list(lidias.filter(Q(trophy__gte=GREAT) | Q(ending="spared"))[:number])


@dataclass(frozen=True, kw_only=True)
class Sums:
    """Totals of many fights."""

    corridas: int
    bulls: int
    ears: int
    tails: int
    indultos: int
    avisos: int
    three_avisos: int
    broken_off: int

    @property
    def killed(self) -> int:
        return self.bulls - self.indultos - self.three_avisos - self.broken_off


def _counted() -> dict[str, Count | Sum]:
    """Return the aggregates for `Sums`. Their names differ from all columns of `Lidia`."""
    endings = {
        f"ending_{ending.value}": Count("pk", filter=Q(ending=ending.value))
        for ending in (Ending.SPARED, Ending.THREE_AVISOS, Ending.BROKEN_OFF)
    }
    trophies = {f"trophy_{n}": Count("pk", filter=Q(trophy=n)) for n in range(1, len(EARS))}
    whole = {"all_corridas": Count("corrida", distinct=True), "all_bulls": Count("pk")}
    return {**whole, "all_avisos": Sum("avisos"), **endings, **trophies}


def _summed(rows: Iterable[Mapping[str, object]]) -> Sums:
    total: Counter[str] = Counter()
    for row in rows:
        total.update({name: number or 0 for name, number in row.items()})
    return Sums(
        corridas=total["all_corridas"],
        bulls=total["all_bulls"],
        ears=sum(EARS[n] * total[f"trophy_{n}"] for n in range(1, len(EARS))),
        tails=total[f"trophy_{Trophy.RABO.value}"],
        indultos=total[f"ending_{Ending.SPARED.value}"],
        avisos=total["all_avisos"],
        three_avisos=total[f"ending_{Ending.THREE_AVISOS.value}"],
        broken_off=total[f"ending_{Ending.BROKEN_OFF.value}"],
    )


def sums(lidias: QuerySet[Lidia]) -> Sums:
    return _summed([lidias.order_by().aggregate(**_counted())])


def sums_by(lidias: QuerySet[Lidia], column: str) -> dict[Any, Sums]:
    """Return totals of fights for each value of a column; one query."""
    rows: Any = lidias.order_by().values(column).annotate(**_counted())
    return {row.pop(column): _summed([row]) for row in rows}


def total(parts: Iterable[Sums]) -> Sums:
    """Add up the totals of several groups of fights. The groups must have no corrida in common."""
    added: Counter[str] = Counter()
    for part in parts:
        added.update(asdict(part))
    return Sums(**{column.name: added[column.name] for column in fields(Sums)})


@dataclass(frozen=True, kw_only=True)
class TopMatador:
    """One of the matadors with the most ears in a place.

    `bulls` counts bulls that he finished, and `triumphs` corridas in which he won two ears or more.
    """

    slug: str
    name: str
    ears: int
    bulls: int
    triumphs: int


def best(lidias: QuerySet[Lidia], number: int) -> list[TopMatador]:
    by_matador: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    bulls: Counter[tuple[str, str]] = Counter()
    rows = lidias.order_by().filter(finisher__isnull=False)
    called = ("finisher__name", "finisher__apodo", "finisher__distinction")
    for slug, corrida, trophy, *names in rows.values_list(
        "finisher__slug", "corrida_id", "trophy", *called
    ):
        matador = (slug, display_name(*names))
        by_matador[matador][corrida] += EARS[trophy or 0]
        bulls[matador] += 1
    lines = [
        TopMatador(
            slug=slug,
            name=name,
            ears=ears.total(),
            bulls=bulls[slug, name],
            triumphs=sum(number >= GREAT for number in ears.values()),
        )
        for (slug, name), ears in by_matador.items()
        if ears.total()
    ]
    return sorted(lines, key=lambda line: (-line.ears, line.bulls, sort_key(line.name)))[:number]


def best_corridas(lidias: QuerySet[Lidia], number: int) -> dict[int, Sums]:
    """Return the corridas with the most ears, the best first, with their totals; one query."""
    rows: Any = lidias.order_by().filter(trophy__gte=1).values("corrida").annotate(**_counted())
    brought = {row.pop("corrida"): _summed([row]) for row in rows}
    order = sorted(brought, key=lambda key: (-brought[key].ears, -brought[key].tails, -key))
    return {key: brought[key] for key in order[:number]}


def plazas(circuit: str) -> QuerySet[Plaza]:
    """Return all plazas, those of the first category first, each with its number of posted
    corridas.
    """
    return (
        Plaza.objects.filter(circuit__slug=circuit)
        .annotate(held=Count("corridas", filter=Q(corridas__state__in=Corrida.OVER)))
        .order_by("category", "city_key", "name_key")
    )


@dataclass(frozen=True, kw_only=True)
class HerdLine:
    """A herd with the number of its bulls that have fought, and of those that were spared.

    Only posted results count.
    """

    herd: Ganaderia
    fought: int
    spared: int


def herds(circuit: str, until: date | None = None) -> list[HerdLine]:
    """Return all herds by name with the number of bulls that fought up to a day; four queries.

    Without a day, bulls are counted by their state in an index, and the few that have not fought
    are subtracted. No column stores when a bull fought, so for a day the fights are counted.
    """
    named = Ganaderia.objects.filter(circuit__slug=circuit).order_by("name_key")
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
    """Totals of a sire's sons that have fought, and the newest of them.

    A sire is a bull that was spared.
    """

    count: int
    ears: int
    newest: list[Lidia]


def sons(bull: Bull, number: int) -> Sons | None:
    """Return the sons of a spared bull that have fought, or None without any; two queries."""
    if bull.state != Bull.State.SEMENTAL:
        return None
    fought = posted_lidias().filter(bull__sire=bull)
    brought = sums(fought)
    if not brought.bulls:
        return None
    return Sons(count=brought.bulls, ears=brought.ears, newest=list(fought[:number]))


def fate(bull: Bull) -> Lidia | None:
    return posted_lidias().filter(bull=bull).first()


def brothers(lidia: Lidia) -> list[Lidia]:
    """Return the other bulls of the same corrida, in the order in which they came out."""
    others = posted_lidias().filter(corrida=lidia.corrida_id).exclude(pk=lidia.pk)
    return list(others.order_by("turn"))


@dataclass(frozen=True, kw_only=True)
class Sire:
    """A spared bull with its fight (`lidia`), and totals of its sons (None without any)."""

    lidia: Lidia
    sons: Sums | None


def sires(herd: Ganaderia, number: int, until: date | None = None) -> list[Sire]:
    """Return the latest spared bulls of a herd with totals of their sons; two queries."""
    fought = posted_lidias(until).filter(bull__ganaderia=herd)
    spared = list(fought.filter(ending=Ending.SPARED.value)[:number])
    sons = sums_by(fought.filter(bull__sire__in=[lidia.bull_id for lidia in spared]), "bull__sire")
    return [Sire(lidia=lidia, sons=sons.get(lidia.bull_id)) for lidia in spared]
