"""Queries for what is left of a season before its winter, and for the winter’s news."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, Subquery, Sum

from corridas.circuit_queries import LAST_YEAR
from corridas.models import Corrida, Escalafon, Matador, MatadorCard, Plaza, Run, Season, Winter
from corridas.models.winters import NewsItem

_State = Corrida.State


@dataclass(frozen=True, kw_only=True)
class Left:
    """Corridas of a season that are not over.

    `failed` counts corridas with a cartel that could not be played. Corridas without enough
    matadors are past and do not count.
    """

    waiting: int
    on_the_sand: int
    at_tables: int
    failed: int
    running: bool

    @property
    def going_on(self) -> bool:
        return bool(self.waiting or self.on_the_sand or self.at_tables or self.running)


def left_in_season(season: Season) -> Left:
    broke = Q(state=_State.FAILED, cartel__isnull=False)
    counts = Corrida.objects.filter(season=season).aggregate(
        waiting=Count("pk", filter=Q(state=_State.ANNOUNCED)),
        on_the_sand=Count("pk", filter=Q(state__in=(_State.QUEUED, _State.ON_AIR))),
        at_tables=Count("pk", filter=Q(state=_State.AT_TABLE)),
        failed=Count("pk", filter=broke),
    )
    running = Run.objects.filter(season=season, state__in=Run.ACTIVE).exists()
    return Left(**counts, running=running)


def ended_season(circuit: str) -> Season | None:
    """Return the season of a circuit that is over and whose winter has not come, or None.

    It is the last of which anything was played: a later one may be planned already. Two queries.
    """
    fought = Corrida.objects.filter(season=OuterRef("pk"), state__in=Corrida.OVER)
    seasons = Season.objects.filter(Exists(fought), circuit__slug=circuit)
    season = seasons.select_related("circuit__owner", "winter").order_by("-year").first()
    if season is None or not hasattr(season, "winter") or season.winter.done_at:
        return None
    left = Corrida.objects.filter(season=season).exclude(state__in=(*Corrida.OVER, _State.FAILED))
    return None if left.exists() else season


class Mark(NamedTuple):
    """A winter with a counter of postings and changes of its circuit, as a cache key."""

    season: int
    done_at: datetime | None
    posted: int


def find_mark(year: int, circuit: str) -> Mark | None:
    if year > LAST_YEAR:
        return None
    circuits = Season.objects.filter(circuit=OuterRef("circuit")).order_by()
    posted = circuits.values("circuit").annotate(all=Sum("posted_version")).values("all")
    seasons = Season.objects.filter(circuit__slug=circuit, year=year)
    row = seasons.values_list("pk", "winter__done_at", Subquery(posted)).first()
    return Mark(*row) if row else None


def winters(circuit: str) -> list[int]:
    over = Winter.objects.filter(season__circuit__slug=circuit, done_at__isnull=False)
    return list(over.order_by("-season__year").values_list("season__year", flat=True))


def people(circuit: int, slugs: Iterable[str]) -> dict[str, Matador]:
    rows = Matador.objects.filter(circuit=circuit, slug__in=set(slugs))
    return {matador.slug: matador for matador in rows}


def cards(matadors: Iterable[int], printings: Iterable[int]) -> dict[tuple[int, int], MatadorCard]:
    rows = MatadorCard.objects.filter(matador__in=set(matadors), printing__in=set(printings))
    return {(card.matador_id, card.printing): card for card in rows}


class Won(NamedTuple):
    seasons: int
    corridas: int
    ears: int
    tails: int


def careers(matadors: Iterable[int], year: int) -> dict[int, Won]:
    rows = Escalafon.objects.filter(matador__in=set(matadors), season__year__lte=year)
    sums = rows.values_list("matador_id").annotate(
        Count("season", distinct=True), Sum("corridas"), Sum("ears"), Sum("tails")
    )
    return {matador: Won(*counts) for matador, *counts in sums}


def plazas(circuit: int) -> dict[str, Plaza]:
    return {plaza.slug: plaza for plaza in Plaza.objects.filter(circuit=circuit)}


# After this many postings in a season, the winter before it is no longer news
FRESH_DAYS = 30


class Tidings(NamedTuple):
    year: int
    retired: int
    returned: int
    alternativas: int
    cards: int


def tidings(season: Season) -> Tidings | None:
    """Return the news of the winter before a young season, or None later. One query at most."""
    if season.posted_version > FRESH_DAYS:
        return None
    before = Winter.objects.filter(
        season__circuit=season.circuit_id, season__year=season.year - 1, done_at__isnull=False
    )
    news = before.values_list("news", flat=True).first()
    if not news:
        return None
    kinds = Counter(item["kind"] for item in news)
    counts = (kinds[kind] for kind in ("retired", "returned", "alternativa", "card"))
    return Tidings(season.year - 1, *counts)


def corridas_of(season: Season, items: Iterable[NewsItem]) -> dict[tuple[str, str], int]:
    """Return the corridas of the season after a winter in which alternativas are taken.

    They are by plaza and day, as the news has them. One query.
    """
    days = [item["date"] for item in items]
    rows = Corrida.objects.filter(
        season__circuit=season.circuit_id, season__year=season.year + 1, date__in=days
    )
    return {
        (plaza, date.isoformat()): pk
        for pk, plaza, date in rows.values_list("pk", "plaza__slug", "date")
    }


def alternativas_before(season: Season) -> list[NewsItem]:
    """Return the news of alternativas from the winter before a season. One query.

    Only winters from version 2 of the rules on let them be taken in a corrida.
    """
    before = Winter.objects.filter(
        season__circuit=season.circuit_id, season__year=season.year - 1, version__gt=1
    )
    news = before.values_list("news", flat=True).first()
    return [item for item in news or () if item["kind"] == "alternativa"]
