"""The record book: the circuit's, and that of a plaza, a feria, a herd, a matador."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corridas.models import Puesto
from corridas.queries.circuit import SHIPPED, years
from corridas.queries.recordbook import book
from corridas.simulation import book_until
from corridas.views.recordbook.keeping import kept, not_found
from corridas.views.shield import told
from corridas.world.deeds import FERIA, HERD, MATADOR, PLAZA

NAMES: Final = {"plaza": PLAZA, "feria": FERIA, "ganaderia": HERD, "matador": MATADOR}
"""Scopes as they are called in an address."""

AMONG: Final[Mapping[str, Callable[[str], Q]]] = {
    PLAZA: lambda slug: Q(plaza__slug=slug),
    FERIA: lambda slug: Q(feria__slug=slug),
    HERD: lambda slug: Q(cartel__ganaderia__slug=slug),
    MATADOR: lambda slug: Q(cartel__in=Puesto.objects.filter(matador__slug=slug).values("cartel")),
}
"""The corridas that a book of each scope is written from."""


@require_safe
def index(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """The circuit's own records, and the way to all other books."""
    shown = told(request, circuit)

    def context(edition: book.Edition) -> dict[str, Any]:
        then = book_until(edition.circuit, shown.until) if shown.until else None
        return {
            "edition": edition,
            "told": shown,
            "parts": book.parts_of(then.records()) if then else book.parts(edition.circuit),
            "years": years(circuit),
            "shelves": [
                {
                    "name": name,
                    "title": title(scope),
                    "books": book.places(circuit, scope, then.places(scope) if then else None),
                }
                for name, scope in NAMES.items()
            ],
        }

    return kept(request, circuit, "corridas/recordbook.html", context, shown.mark)


@require_safe
def place(request: HttpRequest, scope: str, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    """The book of one plaza, feria (through the years), herd or matador."""
    found = book.place(circuit, NAMES[scope], slug) if scope in NAMES else None
    if found is None:
        raise not_found(slug)
    among = AMONG[NAMES[scope]](slug)
    shown = told(request, circuit, among)

    def context(edition: book.Edition) -> dict[str, Any]:
        if shown.until:
            then = book_until(edition.circuit, shown.until, among)
            parts = book.parts_of(then.records(NAMES[scope], slug))
        else:
            parts = book.parts(edition.circuit, NAMES[scope], slug)
        return {
            "told": shown,
            "edition": edition,
            "scope": scope,
            "place": found,
            "title": title(NAMES[scope]),
            "parts": parts,
        }

    return kept(
        request, circuit, "corridas/recordbook_place.html", context, scope, *found, shown.mark
    )


def title(scope: str) -> str:
    """What the books of a scope are called together."""
    return {
        PLAZA: _("By plaza"),
        FERIA: _("By feria"),
        HERD: _("By herd"),
        MATADOR: _("By matador"),
    }[scope]
