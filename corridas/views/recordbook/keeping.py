"""Pages of the record book, kept until something of their circuit is posted."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string

from corridas.queries.recordbook.book import Edition, find_edition
from corridas.views.circuits.seen import stamp
from kept import Keeping, kept_page

Context = Callable[[Edition], dict[str, Any]]


def kept(
    request: HttpRequest, circuit: str, template: str, context: Context, *marks: Hashable
) -> HttpResponse:
    """A page of the book as kept or as told now; kind where no season has been planned.

    An address with a query string is told anew: anybody can make such up at will.
    """
    edition = find_edition(circuit)
    if edition is None:
        return HttpResponse(render_to_string(template, {"circuit": circuit}, request))

    def rendered() -> str:
        return render_to_string(template, {"circuit": circuit, **context(edition)}, request)

    name = template.removeprefix("corridas/").removesuffix(".html")
    keeping = Keeping(name=name, marks=(*edition, *marks, *stamp(request)), common=not request.GET)
    return kept_page(request, keeping, rendered)


def not_found(what: str) -> Http404:
    """The refusal for what is not in the book."""
    return Http404(f"not in the book: {what}")
