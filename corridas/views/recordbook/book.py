"""The record book: the circuit's, and that of a plaza, a feria, a herd, a matador."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corridas.queries.circuit import SHIPPED, years
from corridas.queries.recordbook import book
from corridas.views.recordbook.keeping import kept, not_found
from corridas.world.deeds import FERIA, HERD, MATADOR, PLAZA

NAMES: Final = {"plaza": PLAZA, "feria": FERIA, "ganaderia": HERD, "matador": MATADOR}
"""Scopes as they are called in an address."""


@require_safe
def index(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """The circuit's own records, and the way to all other books."""

    def context(edition: book.Edition) -> dict[str, Any]:
        return {
            "edition": edition,
            "parts": book.parts(edition.circuit),
            "years": years(circuit),
            "shelves": [
                {"name": name, "title": title(scope), "books": book.places(circuit, scope)}
                for name, scope in NAMES.items()
            ],
        }

    return kept(request, circuit, "corridas/recordbook.html", context)


@require_safe
def place(request: HttpRequest, scope: str, slug: str, circuit: str = SHIPPED) -> HttpResponse:
    """The book of one plaza, feria (through the years), herd or matador."""
    found = book.place(circuit, NAMES[scope], slug) if scope in NAMES else None
    if found is None:
        raise not_found(slug)

    def context(edition: book.Edition) -> dict[str, Any]:
        return {
            "edition": edition,
            "scope": scope,
            "place": found,
            "title": title(NAMES[scope]),
            "parts": book.parts(edition.circuit, NAMES[scope], slug),
        }

    return kept(request, circuit, "corridas/recordbook_place.html", context, scope, *found)


def title(scope: str) -> str:
    """What the books of a scope are called together."""
    return {
        PLAZA: _("By plaza"),
        FERIA: _("By feria"),
        HERD: _("By herd"),
        MATADOR: _("By matador"),
    }[scope]
