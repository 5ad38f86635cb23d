"""Printable pages for real tables: deck, matadors' cards, lists, glossary and scoresheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypedDict, TypeVar

from django.db.models import Max, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.wording import active_language, usual
from corridas import glossary as words
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED
from corridas.engine import BULLS, MARKS, MATADORS, STROKES, Card, CardEntry, Deck, Kind
from corridas.models import Circuit, Ganaderia, Matador, MatadorCard, Plaza
from corridas.pages.roster.matadors import CardBars, bars
from corridas.pages.tabletop.entry import AtCorrida
from corridas.pages.tabletop.lidia_form import bulls_of
from corridas.pages.tabletop.printed_rules import rulings_of
from corridas.simulation.new_circuit import stock
from corridas.stage import charts
from corridas.stage.paper import tick_path
from corridas.stage.table import LABELS, MINUS, signed
from corridas.world.encierro import NewBull, draw_encierro
from fairness import Chance
from leagues.pages.matches.matches import key_link, match_url, requested_matches

if TYPE_CHECKING:
    import datetime as dt

    from django.db.models import QuerySet

    from api.types import JSON


@never_cache
@require_safe
def scoresheet_of_match(request: HttpRequest, pk: int) -> HttpResponse:
    at = AtCorrida.find_view(request, pk)
    return _scoresheets(request, [_sheet(at)], circuit=at.address or SHIPPED)


@never_cache
@require_safe
def scoresheets_of_matches(request: HttpRequest) -> HttpResponse:
    views = [AtCorrida.find_view(request, pk) for pk in requested_matches(request)]
    return _scoresheets(request, list(map(_sheet, views)), circuit=views[0].address or SHIPPED)


class SheetContext(TypedDict):
    """A printed scoresheet with three lidias on each side.

    `link` is the address that its QR code opens.
    """

    sides: list[list[Block]]
    link: str
    plaza: JSON
    date: dt.date | None
    names: list[str]


def _sheet(at: AtCorrida) -> SheetContext:
    names, bulls = at.billings(), bulls_of(at.sheet)
    blocks = [
        Block(turn=turn + 1, matador=name, bull=bulls[turn])
        for turn, name in enumerate((names * (BULLS // MATADORS) or [""] * BULLS)[:BULLS])
    ]
    key = key_link(at.request, at.match, at.player)
    return {
        "sides": [blocks[:A_SIDE], blocks[A_SIDE:]],
        "link": key or at.request.build_absolute_uri(match_url(at.match)),
        "plaza": at.sheet.get("plaza"),
        "date": at.table.date if at.table else None,
        "names": at.names,
    }


# Number of matador or action cards (63 by 88 mm) that fit on a page of A4.
A_SHEET: Final = 9
ICONS: Final = {Kind.BULL: "head", Kind.CLAVAR: "clavar", Kind.HERIDA: "herida"}

T = TypeVar("T")


def sheets(cards: Sequence[T]) -> list[Sequence[T]]:
    return [cards[first : first + A_SHEET] for first in range(0, len(cards), A_SHEET)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedEntry:
    """An entry of a printed action card: label, text, sign or modifier, and icon."""

    style: str
    label: str
    words: str
    sign: str
    icon: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFace:
    """A printed action card.

    `place` is its index in the deck (0-69), printed small so that players can write down the cards
    they draw.
    """

    place: int
    number: int
    entries: tuple[PrintedEntry, ...]


def action_faces(deck: Deck) -> list[ActionFace]:
    return [
        ActionFace(
            place=card.place,
            number=card.number,
            entries=tuple(_entry(card, style, label) for style, label in LABELS),
        )
        for card in deck.cards
    ]


def _entry(card: Card, style: str, label: str) -> PrintedEntry:
    if style == "kill":
        sign = signed(card.kill.modifier)
        return PrintedEntry(style=style, label=label, words=card.kill.name, sign=sign, icon="")
    reading: CardEntry = getattr(card, style)
    sign = {1: "+", -1: MINUS, 0: ""}[reading.sign]
    icon = ICONS.get(reading.kind, "")
    return PrintedEntry(style=style, label=label, words=reading.name, sign=sign, icon=icon)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatadorFace:
    """A matador's printed card with its drawings: his suit, and a bar from 1 to 100."""

    card: MatadorCard
    suit: int
    bust: str
    bars: CardBars
    trophies: tuple[charts.Band | None, ...]
    crowd: tuple[charts.Band | None, ...]


TROPHIES: Final = (("oreja", "oreja"), ("dos", "dos_orejas"), ("rabo", "rabo"))
CROWD: Final = ("ovacion", "aplausos", "division", "silencio", "pitos", "bronca")


def matador_face(card: MatadorCard) -> MatadorFace:
    return MatadorFace(
        card=card,
        suit=charts.suit(card.matador_id),
        bust="bust-b" if card.matador_id % 3 == 0 else "bust-a",
        bars=bars(card),
        trophies=tuple(charts.band(name, getattr(card, field)) for name, field in TROPHIES),
        crowd=tuple(charts.band(name, getattr(card, name)) for name in CROWD),
    )


# Number of herds whose bulls are printed: enough for twelve corridas, on one sheet.
HERDS: Final = 12
ANY_CATEGORY: Final = 2


def circuit_of(request: HttpRequest, slug: str) -> Circuit:
    circuit = get_object_or_404(Circuit.objects.select_related("deck"), slug=slug)
    if not request.user.has_perm("corridas.view_circuit", circuit):
        raise Http404("not for you")
    return circuit


@require_safe
def index(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    printed = circuit_of(request, circuit)
    context = {"circuit": circuit, "printed": printed, "cards": len(latest_cards(printed))}
    return render(request, "corridas/imprenta.html", context)


class DeckContext(TypedDict):
    circuit: str
    printed: Circuit
    sheets: list[Sequence[ActionFace]]
    backs: bool


@require_safe
def deck(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    printed = circuit_of(request, circuit)
    faces = action_faces(printed.deck.engine_deck())
    context: DeckContext = {
        "circuit": circuit,
        "printed": printed,
        "sheets": sheets(faces),
        "backs": "backs" in request.GET,
    }
    return render(request, "corridas/imprenta_deck.html", context)


class MatadorsContext(TypedDict):
    circuit: str
    printed: Circuit
    sheets: list[Sequence[MatadorFace]]
    number: int
    years: list[int]
    since: str
    backs: bool


@require_safe
def matadors(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Show the matadors' cards for printing.

    The parameter `since` selects the cards that were printed for one year.
    """
    printed = circuit_of(request, circuit)
    cards = latest_cards(printed)
    years = sorted({card.since for card in cards if card.since}, reverse=True)
    since = request.GET.get("since", "")
    chosen = [card for card in cards if not since or str(card.since) == since]
    context: MatadorsContext = {
        "circuit": circuit,
        "printed": printed,
        "sheets": sheets([matador_face(card) for card in chosen]),
        "number": len(chosen),
        "years": years,
        "since": since,
        "backs": "backs" in request.GET,
    }
    return render(request, "corridas/imprenta_matadors.html", context)


def latest_cards(circuit: Circuit) -> list[MatadorCard]:
    """Return the newest card of each active matador, the highest rating first; one query."""
    active = Matador.objects.filter(circuit=circuit, state=Matador.State.ACTIVE)
    printings = MatadorCard.objects.filter(matador=OuterRef("matador")).order_by()
    latest = printings.values("matador").annotate(latest=Max("printing")).values("latest")
    cards = MatadorCard.objects.filter(matador__in=active, printing=Subquery(latest))
    return list(cards.select_related("matador").order_by("-rating", "matador__name_key"))


class ListsContext(TypedDict):
    circuit: str
    printed: Circuit
    plazas: QuerySet[Plaza]
    herds: list[tuple[Ganaderia, list[NewBull]]]


@require_safe
def lists(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    printed = circuit_of(request, circuit)
    plazas = Plaza.objects.filter(circuit=printed, archived_at=None)
    herds = Ganaderia.objects.filter(circuit=printed, archived_at=None)[:HERDS]
    context: ListsContext = {
        "circuit": circuit,
        "printed": printed,
        "plazas": plazas.order_by("category", "city_key", "name_key"),
        "herds": [(herd, bulls_of_herd(printed, herd)) for herd in herds],
    }
    return render(request, "corridas/imprenta_lists.html", context)


def bulls_of_herd(circuit: Circuit, herd: Ganaderia) -> list[NewBull]:
    """Return six invented bulls of a herd for printing.

    They are the same at every call and differ from the bulls of all seasons.
    """
    seed = sha256(f"imprenta/{circuit.slug}".encode()).digest()
    return draw_encierro(stock(), ANY_CATEGORY, (), Chance(seed, f"encierro/{herd.slug}"))


@require_safe
def glossary(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    language = usual(active_language())
    terms = [(entry.term, entry.meaning(language)) for entry in words.entries(language)]
    context = {"circuit": circuit, "printed": circuit_of(request, circuit), "terms": terms}
    return render(request, "corridas/imprenta_glossary.html", context)


@require_safe
def rulings(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    printed = circuit_of(request, circuit)
    context = {
        "circuit": circuit,
        "printed": printed,
        "rulings": rulings_of(printed.engine_rules()),
    }
    return render(request, "corridas/imprenta_rulings.html", context)


# Number of lidias on one side of a printed scoresheet.
A_SIDE: Final = 3
# Number of boxes for cards per lidia on a printed log. A usual lidia draws about fifty cards.
LOGGED: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The boxes for one fight (lidia) on a printed scoresheet.

    Names are empty if players fill them in by hand.
    """

    turn: int
    matador: str = ""
    bull: str = ""


class ScoresheetsContext(TypedDict):
    """Template context of printed scoresheets.

    `log` adds a box for every card drawn. `ten` and `five` are SVG paths of as many ticks: the hash
    marks of a tercio and the cards of the kill.
    """

    circuit: str
    sheets: list[SheetContext]
    log: bool
    boxes: range
    ten: list[str]
    five: list[str]
    strokes: range


def _scoresheets(request: HttpRequest, sheets: list[SheetContext], *, circuit: str) -> HttpResponse:
    context: ScoresheetsContext = {
        "circuit": circuit,
        "sheets": sheets,
        "log": "log" in request.GET,
        "boxes": range(1, LOGGED + 1),
        "ten": [tick_path(place) for place in range(MARKS)],
        "five": [tick_path(place) for place in range(STROKES)],
        "strokes": range(STROKES),
    }
    return render(request, "corridas/imprenta_scoresheet.html", context)


@require_safe
def empty(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    circuit_of(request, circuit)  # raises `Http404` for a hidden circuit
    blocks = [Block(turn=turn) for turn in range(1, BULLS + 1)]
    sheet: SheetContext = {
        "sides": [blocks[:A_SIDE], blocks[A_SIDE:]],
        "link": request.build_absolute_uri(address(circuit, "imprenta")),
        "plaza": None,
        "date": None,
        "names": [],
    }
    return _scoresheets(request, [sheet], circuit=circuit)
