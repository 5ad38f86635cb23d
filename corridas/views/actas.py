"""The record of a corrida and of a lidia, as a file and as a verdict."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from actas import Document, NotYet, answers
from corridas.acta import of_corrida, of_lidia
from corridas.addresses import address
from corridas.models import Corrida
from corridas.queries.circuit import SHIPPED
from corridas.views.live import find_corrida


@require_safe
def record(
    request: HttpRequest, pk: int, turn: int | None = None, circuit: str = SHIPPED
) -> HttpResponse:
    """The acta as a file; of a corrida fought here it never changes."""
    corrida = find_corrida(request, pk, circuit)
    name = f"corrida-{pk}" if turn is None else f"corrida-{pk}-lidia-{turn}"
    return answers.file(
        request,
        _document(corrida, turn),
        name=name,
        public=corrida.season.circuit.public,
        final=corrida.origin == Corrida.Origin.HERE,
    )


@require_safe
def verdict(
    request: HttpRequest, pk: int, turn: int | None = None, circuit: str = SHIPPED
) -> HttpResponse:
    """Whether it is what was promised, in words."""
    corrida = find_corrida(request, pk, circuit)
    document = _document(corrida, turn)
    parts = {"pk": pk} if turn is None else {"pk": pk, "turn": turn}
    kind = "corrida" if turn is None else "lidia"
    of = f"{corrida.plaza.name}, {date_format(corrida.date)}"
    return answers.verdict(
        request,
        document,
        of=of if turn is None else _("%(of)s, bull %(turn)s") % {"of": of, "turn": turn},
        back=address(circuit, kind, **parts),
        record=address(circuit, f"{kind}_acta", **parts),
    )


def _document(corrida: Corrida, turn: int | None) -> Document:
    """The acta; 404 while there is none, whatever the reason: nothing of it is told early."""
    try:
        return of_corrida(corrida) if turn is None else of_lidia(corrida, turn)
    except NotYet as reason:
        raise Http404(str(reason)) from reason
