"""The home page of a circuit: live corrida, coming and past corridas, and the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, TypedDict

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.local_director import may_sign_in_locally
from accounts.wording import active_language
from core.page_cache.shared import shared_page
from corridas import calendar, results
from corridas.broadcast import source
from corridas.circuit_queries import SHIPPED, find_season
from corridas.engine import Scoresheet
from corridas.escalafon.queries import ranking
from corridas.models import Corrida, Season
from corridas.pages.access import circuit_of
from corridas.pages.spoilers.views import unwatched
from corridas.season.pauses import NextWinter, next_winter
from corridas.simulation import winter_queries
from corridas.stage import charts
from corridas.stage.scene import Scene
from corridas.stage.table import signed

NEXT_CORRIDAS: Final = 4
LAST_CORRIDAS: Final = 8
LEADERS: Final = 8
# Seconds for which a fragment of the home page is cached. Publishing a corrida's results changes
# the cache key at once.
CACHE_SECONDS: Final = 60 * 60
# Hash marks of the three tercios and the kill before the first card is drawn.
RESTED: Final = (0, 0, 0, 0)


@dataclass(frozen=True, kw_only=True)
class Poster:
    pk: int
    city: str
    date: date
    category: int
    feria: str
    herd: str
    matadors: tuple[str, ...]
    suits: tuple[int, ...]
    style: str
    art: str


STYLES: Final = ("p-sombra", "p-rojo", "p-sol", "p-verde")
ARTS: Final = ("bull", "one", "cape", "three")


@require_safe
@shared_page(2, varies=may_sign_in_locally)
def home_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    hidden = unwatched(request, circuit)
    context = _context(circuit, timezone.now(), hidden)
    return render(request, "corridas/home.html", context | {"about": circuit_of(request)})


class HomeContext(TypedDict):
    """Template context of the home page of a circuit.

    `hero` is the corrida on air that is shown large, and `also` are the other corridas on air.
    `newest` is the key of the last posted corrida, read only if there is no `hero`. `ended` is a
    season that is over but whose winter has not been played, `winter` says when that happens, and
    `champion` is its winner, unless spoiler protection hides him. `records` is cached HTML. If
    results are hidden, `last` is shown instead.
    """

    circuit: str
    season: Season | None
    hero: Hero | None
    also: list[results.CorridaResult]
    posters: list[Poster]
    newest: int | None
    ended: Season | None
    champion: ranking.Standing | None
    winter: NextWinter | None
    records: str
    last: list[results.CorridaResult]
    rested: list[charts.ChartMark]


def _context(circuit: str, at: datetime, hidden: frozenset[int]) -> HomeContext:
    season = find_season(circuit=circuit)
    airing = calendar.on_air(circuit, at)
    coming = calendar.coming(season, NEXT_CORRIDAS) if season else []
    afternoons = results.afternoons([*airing, *coming], at, hidden=hidden)
    by_corrida = {afternoon.corrida.pk: afternoon for afternoon in afternoons}
    followed = [corrida for corrida in airing if corrida.pk not in hidden]
    last = calendar.last(circuit, LAST_CORRIDAS) if season and hidden else []
    # Once corridas of the next season have been played, the page no longer shows the end of the
    # previous season.
    between = season is not None and not airing and not (coming and season.posted_version)
    ended = winter_queries.ended_season(circuit) if between else None
    lines = ranking.standings(ended) if ended and not hidden else []
    return {
        "circuit": circuit,
        "season": season,
        "hero": _hero(followed, by_corrida, at),
        "also": [by_corrida[corrida.pk] for corrida in airing if corrida not in followed[:1]],
        "posters": [poster(by_corrida[corrida.pk], place) for place, corrida in enumerate(coming)],
        "newest": calendar.newest(circuit) if season and not followed else None,
        "ended": ended,
        "champion": lines[0] if lines else None,
        "winter": next_winter(ended, at) if ended else None,
        "records": _records(season, at) if season and not hidden else "",
        "last": results.afternoons(last, at, hidden=hidden),
        "rested": charts.ring(RESTED),
    }


def _records(season: Season, at: datetime) -> SafeString:
    """Return the HTML of the first matadors of the ranking and the last corridas.

    It is cached until new results are published.
    """
    key = f"home:{active_language()}:{season.pk}:{season.posted_version}"
    cached: SafeString | None = cache.get(key)
    if cached is None:
        cached = render_to_string("corridas/_home_records.html", _record_context(season, at))
        cache.set(key, cached, CACHE_SECONDS)
    return cached


class RecordContext(TypedDict):
    """Template context of the first places of the escalafón and the last corridas.

    `season` is the current season. `ranked` is the season whose table is shown: before the first
    corrida of a year that is the previous season. `head` are the first matadors with suit and form,
    and `appeared` is the number of all ranked matadors.
    """

    circuit: str
    season: Season
    ranked: Season
    last: list[results.CorridaResult]
    head: list[tuple[ranking.Standing, int, list[str]]]
    appeared: int
    winter: winter_queries.Tidings | None


def _record_context(season: Season, at: datetime) -> RecordContext:
    ranked, lines = season, ranking.standings(season)
    if not lines and (before := find_season(season.year - 1, season.circuit.slug)):
        ranked, lines = before, ranking.standings(before)
    form = calendar.leaders_form(line.pk for line in lines[:LEADERS])
    worn = charts.suits([line.pk for line in lines])
    return {
        "circuit": season.circuit.slug,
        "season": season,
        "ranked": ranked,
        "last": results.afternoons(calendar.last(season.circuit.slug, LAST_CORRIDAS), at),
        "head": [(line, worn[line.pk], form.get(line.pk, [])) for line in lines[:LEADERS]],
        "appeared": len(lines),
        "winter": winter_queries.tidings(season),
    }


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One of the six bulls of a corrida, the colour of its matador and, after the fight, its
    result.
    """

    turn: int
    name: str
    suit: int
    bull: results.BullResult | None
    now: bool


@dataclass(frozen=True, kw_only=True)
class Hero:
    """The corrida on air that the home page shows large; `now` is None before the first bull."""

    afternoon: results.CorridaResult
    now: Sand | None
    marks: list[charts.ChartMark]
    six: list[Turn]


def _hero(
    airing: Sequence[Corrida], by_corrida: dict[int, results.CorridaResult], at: datetime
) -> Hero | None:
    if not airing:
        return None
    now = sand(airing[0], at)
    return Hero(
        afternoon=by_corrida[airing[0].pk],
        now=now,
        marks=charts.ring(now.marks if now else RESTED),
        six=_six(by_corrida[airing[0].pk], now),
    )


@dataclass(frozen=True, kw_only=True)
class Sand:
    """The state of the ring at a moment of a broadcast.

    `turn` is the number of the bull, 0 for the paseíllo (opening parade). `marks` are the hash
    marks of the three tercios and the number of kill cards.
    """

    turn: int
    card: int
    bull: str
    weight: int
    coat: str
    tercio: str
    marks: tuple[int, int, int, int]
    matador_points: str
    bull_points: str
    avisos: int


def sand(corrida: Corrida, at: datetime) -> Sand | None:
    """Return the current state of the ring in a corrida on air.

    Return None before the corrida begins, and if its cards cannot be read, because such a corrida
    must not break the home page.
    """
    try:
        showing = source.showing_of(corrida)
    except source.NotReplayedError:
        return None
    moment = source.reached(corrida, showing, at)
    if moment < 0:
        return None
    return _sand(Scene(showing=showing, moment=moment, language=active_language()))


def _sand(scene: Scene) -> Sand:
    sheet, bull = scene.sheet, scene.bull
    return Sand(
        turn=scene.turn,
        card=scene.cards,
        bull=bull.name if bull else "",
        weight=bull.weight if bull else 0,
        coat=bull.coat if bull else "",
        tercio=_tercio(sheet),
        marks=_marks(sheet),
        matador_points=signed(sheet.matador_points),
        bull_points=signed(sheet.bull_points),
        avisos=sheet.avisos,
    )


def _marks(sheet: Scoresheet) -> tuple[int, int, int, int]:
    first, second, third = (tercio.marks for tercio in sheet.tercios)
    return first, second, third, len(sheet.modifiers)


def _tercio(sheet: Scoresheet) -> str:
    _first, second, third, kill = _marks(sheet)
    if kill:
        return _("kill")
    return _("3rd") if third else _("2nd") if second else _("1st")


def _six(afternoon: results.CorridaResult, now: Sand | None) -> list[Turn]:
    over = {bull.turn: bull for bull in afternoon.bulls}
    turns = []
    for turn in range(1, 7):
        share = afternoon.shares[(turn - 1) % 3] if len(afternoon.shares) == 3 else None
        turns.append(
            Turn(
                turn=turn,
                name=share.name if share else "",
                suit=charts.suit(share.matador) if share else 1,
                bull=over.get(turn),
                now=bool(now and now.turn == turn and turn not in over),
            )
        )
    return turns


def poster(afternoon: results.CorridaResult, place: int) -> Poster:
    corrida = afternoon.corrida
    cartel = getattr(corrida, "cartel", None)
    return Poster(
        pk=corrida.pk,
        city=corrida.plaza.city,
        date=corrida.date,
        category=corrida.plaza.category,
        feria=corrida.feria.name if corrida.feria else "",
        herd=cartel.ganaderia.name if cartel else "",
        matadors=tuple(share.name for share in afternoon.shares),
        suits=tuple(charts.suit(share.matador) for share in afternoon.shares) or (1, 2, 3),
        style=STYLES[place % len(STYLES)],
        art=ARTS[place % len(ARTS)] if afternoon.shares else "bull",
    )
