"""The record of a corrida and of a lidia, as a file and as a verdict."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from actas import Document, NotYet, answers
from corridas.acta import of_corrida, of_lidia
from corridas.addresses import address
from corridas.circuits.queries import SHIPPED
from corridas.models import Corrida
from corridas.views.live import find_corrida


@require_safe
def record(
    request: HttpRequest, pk: int, turn: int | None = None, circuit: str = SHIPPED
) -> HttpResponse:
    """The acta as a file; of a corrida fought here it never changes."""
    corrida = find_corrida(request, pk, circuit)
    name = f"corrida-{pk}" if turn is None else f"corrida-{pk}-lidia-{turn}"
    document = _document(corrida, turn)
    if isinstance(document, NotYet):
        return _none(request, corrida, document)
    return answers.file(
        request,
        document,
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
    if isinstance(document, NotYet):
        return _none(request, corrida, document)
    parts = {"pk": pk} if turn is None else {"pk": pk, "turn": turn}
    kind = "corrida" if turn is None else "lidia"
    of = _of(corrida)
    return answers.verdict(
        request,
        document,
        of=of if turn is None else _("%(of)s, bull %(turn)s") % {"of": of, "turn": turn},
        back=address(circuit, kind, **parts),
        record=address(circuit, f"{kind}_acta", **parts),
    )


def _document(corrida: Corrida, turn: int | None) -> Document | NotYet:
    """The acta, or why there is none."""
    try:
        return of_corrida(corrida) if turn is None else of_lidia(corrida, turn)
    except NotYet as reason:
        return reason


def _none(request: HttpRequest, corrida: Corrida, reason: NotYet) -> HttpResponse:
    back = address(corrida.season.circuit.slug, "corrida", pk=corrida.pk)
    return answers.none(request, reason, of=_of(corrida), back=back)


def _of(corrida: Corrida) -> str:
    return f"{corrida.plaza.name}, {date_format(corrida.date)}"
