"""Access of views to a circuit: visible to the visitor, or directed by the user."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404, redirect

from accounts.models import User
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED, find_mark
from corridas.circuits.operations import DIRECT, check_directs
from corridas.errors import OperationError
from corridas.models import Circuit, Season

View = Callable[..., HttpResponse]
SEE: Final = "corridas.view_circuit"
_PLACE: Final = "circuit"


def seen(view: View) -> View:
    """Decorate a view for the URL of a circuit, for visitors who may see that circuit.

    The shipped circuit redirects to its short URLs, without a slug.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, circuit: str, **parts: object) -> HttpResponse:
        if circuit == SHIPPED:
            return _short(request)
        find_visible(request, circuit)
        return view(request, *args, circuit=circuit, **parts)

    return wrapper


def find_visible(request: HttpRequest, slug: str) -> Circuit:
    """Return the circuit, stored on the request. Raise `Http404` if it is missing or hidden."""
    circuit = get_object_or_404(Circuit.objects.select_related("owner"), slug=slug)
    if not request.user.has_perm(SEE, circuit):
        raise Http404("no such circuit")
    setattr(request, _PLACE, circuit)
    return circuit


def circuit_of(request: HttpRequest) -> Circuit | None:
    """Return the circuit of the page; None at the short URLs."""
    circuit: Circuit | None = getattr(request, _PLACE, None)
    return circuit


def stamp(request: HttpRequest) -> tuple[Hashable, ...]:
    """Return what every page shows of the circuit, as part of a cache key."""
    circuit = circuit_of(request)
    if circuit is None:
        return ()
    return (circuit.pk, circuit.name, circuit.frozen_at, circuit.archived_at, circuit.owner_id)


def _short(request: HttpRequest) -> HttpResponse:
    if request.method not in {"GET", "HEAD"}:
        raise Http404("no such address")
    way = request.get_full_path().removeprefix(f"/circuitos/{SHIPPED}")
    return HttpResponsePermanentRedirect("/" + way.lstrip("/"))


def directed(request: HttpRequest, circuit: str) -> Circuit:
    """Return the circuit with this slug. Raise `PermissionDenied` for all but its director."""
    row = circuit_of(request) or get_object_or_404(Circuit, slug=circuit)
    check_directs(request.user, row)
    return row


def may_plan(request: HttpRequest, season: Season) -> bool:
    """Return whether the visitor may choose carteles of a season, the current one of its circuit.

    One query for its director, none for anybody else.
    """
    if not request.user.has_perm(DIRECT, season.circuit):
        return False
    mark = find_mark(circuit=season.circuit.slug)
    return mark is not None and mark.season == season.pk


def who(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def perform(
    request: HttpRequest, circuit: str, operation: Callable[[], object], message: str, page: str
) -> HttpResponse:
    """Perform an operation and redirect to a page of the circuit, with `message` or the error."""
    try:
        operation()
        messages.success(request, message)
    except OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, page))
