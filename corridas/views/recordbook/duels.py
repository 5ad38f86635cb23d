"""Mano a mano: two matadors chosen, and all their afternoons together."""

from __future__ import annotations

from typing import Any, Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corridas.addresses import address
from corridas.models import Matador, Palmares
from corridas.queries.circuit import SHIPPED
from corridas.queries.recordbook import duels
from corridas.queries.recordbook.book import Edition
from corridas.queries.recordbook.words import TERMS
from corridas.views.pictures import suits
from corridas.views.recordbook.keeping import kept, not_found
from corridas.views.shield import told
from corridas.world.deeds import CIRCUIT

LEAF: Final = 40
"""Afternoons on one page."""


@require_safe
def choose(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Two lists to choose from; with both chosen it leads to their page."""
    men = _men(circuit)
    left, right = (request.GET.get(name, "") for name in ("left", "right"))
    known = {one.slug for one in men}
    problem = ""
    if left and right:
        if left != right and {left, right} <= known:
            return HttpResponseRedirect(address(circuit, "duel", left=left, right=right))
        problem = _("Choose two different matadors.")
    chosen = next((one for one in men if one.slug == left), None)
    context = {
        "circuit": circuit,
        "men": men,
        "left": left if left in known else "",
        "right": right if right in known else "",
        "problem": problem,
        "chosen": chosen,
        "rivals": duels.rivals(chosen) if chosen else [],
    }
    return render(request, "corridas/recordbook_duels.html", context)


def _men(circuit: str) -> list[Matador]:
    """Whoever has made the paseíllo, by name; one query."""
    fought = Palmares.objects.filter(circuit__slug=circuit, scope=CIRCUIT).values("matador")
    return sorted(Matador.objects.filter(pk__in=fought), key=lambda one: one.billing)


@require_safe
def page(request: HttpRequest, left: str, right: str, circuit: str = SHIPPED) -> HttpResponse:
    """Two careers side by side: afternoons together, and sums."""
    rows = Matador.objects.filter(circuit__slug=circuit, slug__in=(left, right))
    found = {one.slug: one for one in rows}
    if left == right or len(found) < 2:
        raise not_found(f"{left} and {right}")
    shown = told(request, circuit, duels.meeting(found[left], found[right]))

    def context(edition: Edition) -> dict[str, Any]:
        duel = duels.duel(found[left], found[right], shown.until)
        worn = suits([found[left].pk, found[right].pk])
        leaf = Paginator(duel.meetings, LEAF).get_page(request.GET.get("page"))
        held = duels.corridas(leaf)
        return {
            "told": shown,
            "duel": duel,
            "suits": (worn[found[left].pk], worn[found[right].pk]),
            "rows": [(str(TERMS[name]), one, other) for name, one, other in duel.rows],
            "leaf": leaf,
            "meetings": [(held[one.corrida], one) for one in leaf],
        }

    return kept(request, circuit, "corridas/recordbook_duel.html", context, shown.mark)
