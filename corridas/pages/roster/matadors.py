"""The page of a matador: career, printed cards, recent form and injuries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypedDict

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from core.page_cache import PageKey, cached_response
from core.page_cache.shared import shared_page
from corridas import results
from corridas.circuit_queries import SHIPPED
from corridas.escalafon.queries import profiles
from corridas.lists.queries import current_day
from corridas.models import Corrida, Injury, Lidia, Matador, MatadorCard
from corridas.pages.access import stamp
from corridas.pages.spoilers.views import spoiler_limit
from corridas.results import NAMES, VERDICTS
from corridas.stage import charts
from corridas.world.ranking import COLUMNS

AFTERNOONS: Final = 8
SLIM_AFTERNOONS: Final = 4
GREAT: Final = 8

CROWD: Final = ("bronca", "pitos", "silencio", "division", "aplausos", "ovacion")
TROPHIES: Final = (("oreja", "oreja"), ("dos", "dos_orejas"), ("rabo", "rabo"))


@require_safe
@shared_page()
def matador_page(request: HttpRequest, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    mark = profiles.find_career(circuit, slug)
    if mark is None:
        raise Http404(f"no matador {slug}")
    limit = spoiler_limit(request, circuit)
    keeping = PageKey(
        name="matador", marks=(*mark, limit.mark, *stamp(request)), common=not request.GET
    )

    def rendered() -> str:
        people = Matador.objects.select_related("padrino", "testigo")
        context = _context(people.get(pk=mark.matador), limit.until, _year(request)) | {
            "circuit": circuit,
            "limit": limit,
        }
        return render_to_string("corridas/matador.html", context, request)

    # Without a season there is no version number to use in the cache key.
    if mark.posted is None:
        return HttpResponse(rendered())
    return cached_response(request, keeping, rendered)


def _year(request: HttpRequest) -> str:
    return request.GET.get("season", "")


class MatadorContext(TypedDict):
    """Template context of the page of a matador.

    `sworn` is true if he has taken the alternativa (has become a full matador). `alternativa` is
    the corrida in which he took it, or None if it was not a corrida of this circuit. `open` is the
    year whose corridas are listed in `afternoons`. `unknown` is set if the requested year is not
    part of his career.
    """

    matador: Matador
    suit: int
    career: list[profiles.SeasonLine]
    totals: dict[str, int]
    card: MatadorCard | None
    bars: CardBars | None
    printings: list[Printing]
    age: int | None
    sworn: bool
    alternativa: Corrida | None
    godsons: list[Matador]
    afternoons: list[results.CorridaResult]
    open: int | None
    unknown: str
    form: dict[str, FormPicture] | None
    injuries: QuerySet[Injury]
    hurt_until: date | None
    great: list[Lidia]


def _context(matador: Matador, until: date | None, asked: str) -> MatadorContext:
    at = timezone.now()
    career = profiles.career(matador, until)
    year = career[0].year if career else None
    chosen = next((line.year for line in career if str(line.year) == asked), None)
    years = {line.year for line in career if line.year in {year, chosen}}
    appeared = profiles.appearances(matador, years, until) if years else []
    both = results.afternoons(appeared, at)
    latest = [row for row in both if row.corrida.season.year == year]
    cards = profiles.printings(matador, until)
    card = cards[0] if cards else None
    injuries = profiles.injuries(matador, until)
    sworn = not until or (matador.alternativa is not None and matador.alternativa <= until)
    return {
        "matador": matador,
        "suit": charts.suit(matador.pk),
        "career": career,
        "totals": {name: sum(getattr(line.line, name) for line in career) for name in COLUMNS},
        "card": card,
        "bars": bars(card) if card else None,
        "printings": printings(cards),
        "age": _age(matador, year, retired=None if until else matador.retired_in),
        "sworn": sworn,
        "alternativa": profiles.alternativa_in(matador) if sworn else None,
        "godsons": profiles.godsons(matador, until),
        "afternoons": [row for row in both if row.corrida.season.year == (chosen or year)],
        "open": chosen or year,
        "unknown": "" if chosen else asked[:20],
        "form": form_pictures(matador.pk, latest),
        "injuries": injuries,
        "hurt_until": _hurt_until(matador, injuries, until),
        "great": profiles.great(profiles.finished_by(matador, until), GREAT),
    }


def _hurt_until(matador: Matador, injuries: Iterable[Injury], until: date | None) -> date | None:
    """Return the last day on which an injury keeps a matador from fighting.

    Return None if he is not injured now.
    """
    if matador.state == Matador.State.RETIRED or not injuries:
        return None
    day = current_day(matador.circuit.slug, until)
    return max((row.until for row in injuries if day and row.until >= day), default=None)


def _age(matador: Matador, year: int | None, *, retired: int | None) -> int | None:
    """Return how old a matador was in his last season, or None if his age is unknown."""
    last = retired or year
    if matador.counted_from is None or last is None:
        return None
    return last - matador.counted_from


@dataclass(frozen=True, kw_only=True)
class CardBars:
    """Drawings of the ranges of a matador's card, which decide his verdicts and trophies.

    `main` is one bar from 1 to 100 with the verdicts and trophies. `own` are the three ranges that
    are drawn separately.
    """

    main: list[charts.Band]
    words: str
    own: list[tuple[str, charts.Band | None]]


@dataclass(frozen=True, kw_only=True)
class Printing:
    """One printing (edition) of a matador's card.

    `moved` is how the rating differs from the previous one.
    """

    card: MatadorCard
    moved: int | None
    bars: CardBars


def printings(cards: Sequence[MatadorCard]) -> list[Printing]:
    older = [*cards[1:], None][: len(cards)]
    return [
        Printing(card=card, moved=card.rating - last.rating if last else None, bars=bars(card))
        for card, last in zip(cards, older, strict=True)
    ]


def bars(card: MatadorCard) -> CardBars:
    main = [charts.band(name, getattr(card, name)) for name in CROWD]
    main += [charts.band(name, getattr(card, field)) for name, field in TROPHIES]
    bands = sorted((band for band in main if band), key=lambda band: band.x)
    return CardBars(
        main=bands,
        words=", ".join(f"{band.label} {band.text}" for band in bands),
        own=[(name, charts.band(f"r-{name}", getattr(card, name))) for name in OWN_BARS],
    )


OWN_BARS: Final = ("vuelta", "aviso", "indulto")


@dataclass(frozen=True, kw_only=True)
class FormPicture:
    width: int
    left: int
    groups: tuple[CorridaBulls, ...]
    levels: tuple[tuple[str, float], ...]
    words: str


@dataclass(frozen=True, kw_only=True)
class CorridaBulls:
    """A corrida in the chart of a matador's last bulls: city, day and a column for each bull."""

    city: str
    day: date
    middle: float
    columns: tuple[tuple[charts.Column, str], ...]


def form_pictures(
    matador: int, afternoons: Sequence[results.CorridaResult]
) -> dict[str, FormPicture] | None:
    finished = [(afternoon.corrida, _verdicts(matador, afternoon)) for afternoon in afternoons]
    finished = [afternoon for afternoon in finished if afternoon[1]][:AFTERNOONS]
    if not finished:
        return None
    finished.reverse()
    return {
        "wide": _form_picture(finished, 800, AFTERNOONS),
        "slim": _form_picture(finished[-SLIM_AFTERNOONS:], 362, SLIM_AFTERNOONS),
    }


def _verdicts(matador: int, afternoon: results.CorridaResult) -> list[str]:
    bulls = [bull for bull in afternoon.bulls if bull.finisher == matador]
    return [bull.verdict for bull in bulls if bull.verdict]


def _form_picture(
    verdicts_by_corrida: Sequence[tuple[Any, list[str]]], width: int, room: int
) -> FormPicture:
    left = 64
    group = (width - left) / room
    groups, sentences = [], []
    for place, (corrida, verdicts) in enumerate(verdicts_by_corrida):
        start = left + 6 + place * group
        step = min((group - 12) / len(verdicts), (group - 12) / 2)
        columns = tuple(
            (charts.form_column(start + step * n, step * 0.88, verdict), NAMES[verdict])
            for n, verdict in enumerate(verdicts)
        )
        middle = round(start + (group - 12) / 2, 1)
        groups.append(
            CorridaBulls(city=corrida.plaza.city, day=corrida.date, middle=middle, columns=columns)
        )
        names = ", ".join(NAMES[verdict].lower() for verdict in verdicts)
        sentences.append(f"{corrida.plaza.city} {date_format(corrida.date, 'j M')}: {names}")
    levels = tuple(
        (NAMES[name], charts.form_column(0, 1, name).y)
        for name in VERDICTS
        if name in {"silencio", "ovacion", "oreja", "rabo"}
    )
    return FormPicture(
        width=width, left=left, groups=tuple(groups), levels=levels, words="; ".join(sentences)
    )
