"""The print room: deck, matadors, lists, glossary, rulings, each a page made for paper."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.db.models import Max, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from corridas.models import Circuit, Ganaderia, Matador, MatadorCard, Plaza
from corridas.queries import glossary as words
from corridas.queries.circuit import SHIPPED
from corridas.simulation.founding import stock
from corridas.views.imprenta.faces import action_faces, matador_face, sheets
from corridas.views.imprenta.rulings import rulings_of
from corridas.world.encierro import NewBull, draw_encierro
from fairness import Chance

HERDS: Final = 12
"""Herds whose bulls are listed: twelve afternoons on one sheet."""
ANY_CATEGORY: Final = 2


def circuit_of(request: HttpRequest, slug: str) -> Circuit:
    """The circuit whose game is printed; 404 for who may not see it."""
    found = get_object_or_404(Circuit.objects.select_related("deck"), slug=slug)
    if not request.user.has_perm("corridas.view_circuit", found):
        raise Http404("not for you")
    return found


@require_safe
def index(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """What there is to print, and in which order a table needs it."""
    printed = circuit_of(request, circuit)
    context = {"circuit": circuit, "printed": printed, "cards": len(latest_cards(printed))}
    return render(request, "corridas/imprenta.html", context)


@require_safe
def deck(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """The action deck of the circuit, nine cards a sheet."""
    printed = circuit_of(request, circuit)
    faces = action_faces(printed.deck.engine_deck())
    context = {
        "circuit": circuit,
        "printed": printed,
        "sheets": sheets(faces),
        "backs": "backs" in request.GET,
    }
    return render(request, "corridas/imprenta_deck.html", context)


@require_safe
def matadors(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """The matadors' cards; with `since`, only those printed for that year."""
    printed = circuit_of(request, circuit)
    cards = latest_cards(printed)
    years = sorted({card.since for card in cards if card.since}, reverse=True)
    since = request.GET.get("since", "")
    chosen = [card for card in cards if not since or str(card.since) == since]
    context = {
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
    """The card each active matador is contracted with, the highest rating first; one query."""
    active = Matador.objects.filter(circuit=circuit, state=Matador.State.ACTIVE)
    printings = MatadorCard.objects.filter(matador=OuterRef("matador")).order_by()
    latest = printings.values("matador").annotate(latest=Max("printing")).values("latest")
    cards = MatadorCard.objects.filter(matador__in=active, printing=Subquery(latest))
    return list(cards.select_related("matador").order_by("-rating", "matador__name"))


@require_safe
def lists(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """The plazas with their rating, and bulls for a dozen afternoons."""
    printed = circuit_of(request, circuit)
    plazas = Plaza.objects.filter(circuit=printed, archived_at=None)
    herds = Ganaderia.objects.filter(circuit=printed, archived_at=None)[:HERDS]
    context = {
        "circuit": circuit,
        "printed": printed,
        "plazas": plazas.order_by("category", "city", "name"),
        "herds": [(herd, bulls_of(printed, herd)) for herd in herds],
    }
    return render(request, "corridas/imprenta_lists.html", context)


def bulls_of(circuit: Circuit, herd: Ganaderia) -> list[NewBull]:
    """Six bulls for a table, the same at every printing; they are not those of a season."""
    seed = sha256(f"imprenta/{circuit.slug}".encode()).digest()
    return draw_encierro(stock(), ANY_CATEGORY, (), Chance(seed, f"encierro/{herd.slug}"))


@require_safe
def glossary(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Every word on the cards, and the others of the ring, in columns."""
    language = get_language() or "en"
    terms = [(entry.term, entry.meaning(language)) for entry in words.entries()]
    context = {"circuit": circuit, "printed": circuit_of(request, circuit), "terms": terms}
    return render(request, "corridas/imprenta_glossary.html", context)


@require_safe
def rulings(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """How the rulebook is read in this circuit, on one sheet."""
    printed = circuit_of(request, circuit)
    context = {
        "circuit": circuit,
        "printed": printed,
        "rulings": rulings_of(printed.engine_rules()),
    }
    return render(request, "corridas/imprenta_rulings.html", context)
