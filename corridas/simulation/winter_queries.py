"""Queries for the corridas left before a winter, and for the news of winters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery, Sum

from corridas.circuit_queries import LAST_YEAR
from corridas.models import Corrida, Escalafon, Matador, MatadorCard, Plaza, Run, Season, Winter
from corridas.models.winters import NewsItem

_State = Corrida.State


@dataclass(frozen=True, kw_only=True)
class UnfinishedCorridas:
    """Number of corridas of a season that are not finished, by state.

    `failed` counts corridas with matadors that could not be played. Corridas without enough
    matadors are not counted, because they will never be played.
    """

    waiting: int
    on_the_sand: int
    at_tables: int
    failed: int
    running: bool

    @property
    def going_on(self) -> bool:
        return bool(self.waiting or self.on_the_sand or self.at_tables or self.running)


def left_in_season(season: Season) -> UnfinishedCorridas:
    broke = Q(state=_State.FAILED, cartel__isnull=False)
    counts = Corrida.objects.filter(season=season).aggregate(
        waiting=Count("pk", filter=Q(state=_State.ANNOUNCED)),
        on_the_sand=Count("pk", filter=Q(state__in=(_State.QUEUED, _State.ON_AIR))),
        at_tables=Count("pk", filter=Q(state=_State.AT_TABLE)),
        failed=Count("pk", filter=broke),
    )
    running = Run.objects.filter(season=season, state__in=Run.ACTIVE).exists()
    return UnfinishedCorridas(**counts, running=running)


def ended_season(circuit: str) -> Season | None:
    """Return the season of a circuit that is over and waits for its winter, or None. Two queries.

    It is the latest season with a played corrida. Later seasons may have been planned already.
    """
    fought = Corrida.objects.filter(season=OuterRef("pk"), state__in=Corrida.OVER)
    seasons = Season.objects.filter(Exists(fought), circuit__slug=circuit)
    season = seasons.select_related("circuit__owner", "winter").order_by("-year").first()
    if season is None or not hasattr(season, "winter") or season.winter.done_at:
        return None
    left = Corrida.objects.filter(season=season).exclude(state__in=(*Corrida.OVER, _State.FAILED))
    return None if left.exists() else season


class WinterCacheKey(NamedTuple):
    """Cache key of a winter: its season, when it was played, when it was decided that all cards
    are printed again, a version of the circuit's results, and the sum of its cards' ears per bull,
    which changes when chances are calculated.
    """

    season: int
    done_at: datetime | None
    new_cards_at: datetime | None
    posted: int
    chances: float | None


def find_mark(year: int, circuit: str) -> WinterCacheKey | None:
    if year > LAST_YEAR:
        return None
    circuits = Season.objects.filter(circuit=OuterRef("circuit")).order_by()
    posted = circuits.values("circuit").annotate(all=Sum("posted_version")).values("all")
    cards = MatadorCard.objects.filter(matador__circuit=OuterRef("circuit")).order_by()
    chances = cards.values("matador__circuit").annotate(all=Sum("ears_1")).values("all")
    seasons = Season.objects.filter(circuit__slug=circuit, year=year)
    own = ("pk", "winter__done_at", "winter__new_cards_at")
    row = seasons.values_list(*own, Subquery(posted), Subquery(chances)).first()
    return WinterCacheKey(*row) if row else None


def winters(circuit: str) -> list[int]:
    over = Winter.objects.filter(season__circuit__slug=circuit, done_at__isnull=False)
    return list(over.order_by("-season__year").values_list("season__year", flat=True))


def people(circuit: int, slugs: Iterable[str]) -> dict[str, Matador]:
    rows = Matador.objects.filter(circuit=circuit, slug__in=set(slugs))
    return {matador.slug: matador for matador in rows}


class Printed(NamedTuple):
    """Cards by matador and printing, and the city of the first-category plaza with the most seats
    in the circuit, empty if there is none.
    """

    cards: dict[tuple[int, int], MatadorCard]
    city: str


def printed(matadors: Iterable[int], printings: Iterable[int]) -> Printed:
    """Return the cards of matadors of one circuit. One query."""
    first = Plaza.objects.filter(
        circuit=OuterRef("matador__circuit"), category=1, archived_at=None
    ).order_by(F("seats").desc(nulls_last=True), "pk")
    rows = MatadorCard.objects.filter(matador__in=set(matadors), printing__in=set(printings))
    found = list(rows.annotate(city=Subquery(first.values("city")[:1])))
    cards: dict[tuple[int, int], MatadorCard] = {
        (card.matador_id, card.printing): card for card in found
    }
    return Printed(cards, next((card.city or "" for card in found), ""))


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


# Number of postings in a season after which the news of the last winter is no longer shown.
FRESH_DAYS = 30


class Tidings(NamedTuple):
    year: int
    retired: int
    returned: int
    alternativas: int
    cards: int


def tidings(season: Season) -> Tidings | None:
    """Return a summary of the last winter's news, or None later in the season.

    One query at most.
    """
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
    """Return the corridas in which a winter's alternativas take place, by plaza and day. One query.

    `season` is the season before the winter.
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

    Alternativas take place in corridas only since version 2 of the winter's rules; older winters
    are ignored.
    """
    before = Winter.objects.filter(
        season__circuit=season.circuit_id, season__year=season.year - 1, version__gt=1
    )
    news = before.values_list("news", flat=True).first()
    return [item for item in news or () if item["kind"] == "alternativa"]
