"""A corrida of a real table of which not every card is known: its six lidias as a list."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from corridas.models import Corrida, Lidia
from corridas.queries import live
from corridas.queries.results import told
from corridas.tabletop.queries import evidence_of


def page(request: HttpRequest, found: Corrida) -> HttpResponse:
    """What the table wrote down, and how much of it was verified."""
    context = written(found) | {
        "drawn": True,
        "over": True,
        "table": evidence_of([found.pk]).get(found.pk),
    }
    return render(request, "corridas/corrida_at_table.html", context)


def written(found: Corrida) -> dict[str, Any]:
    """The bill, and the results of the lidias that may be told now, as their rows have them."""
    rows = Lidia.objects.shown(at=timezone.now()).filter(corrida=found).defer("draws")
    lidias = list(rows.select_related("bull", "starter", "finisher").order_by("turn"))
    return {
        "circuit": found.season.circuit.slug,
        "corrida": found,
        "people": [billed(puesto) for puesto in live.puestos(found)],
        "bulls": [(lidia.turn, lidia.bull) for lidia in lidias],
        "lidias": [(lidia, told(lidia)) for lidia in lidias],
    }


def billed(puesto: Any) -> dict[str, Any]:
    """A matador of the cartel, as the page of a corrida bills him."""
    return {
        "name": puesto.matador.billing,
        "slug": puesto.matador.slug,
        "card": {"rating": puesto.card.rating},
    }
