"""Checks whether a user may see a circuit or direct it, for all views of circuit pages."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404, redirect

from accounts.models import User
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED, find_season_mark
from corridas.circuits.operations import DIRECT, check_directs
from corridas.errors import OperationError
from corridas.models import Circuit, Season

View = Callable[..., HttpResponse]
SEE: Final = "corridas.view_circuit"
_PLACE: Final = "circuit"


def circuit_visible(view: View) -> View:
    """Decorate a view of a circuit page so that only visitors who may see the circuit reach it.

    Requests for the shipped circuit are redirected to its short URLs, which contain no circuit
    slug.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, circuit: str, **parts: object) -> HttpResponse:
        if circuit == SHIPPED:
            return _short(request)
        find_visible(request, circuit)
        return view(request, *args, circuit=circuit, **parts)

    return wrapper


def find_visible(request: HttpRequest, slug: str) -> Circuit:
    """Return the circuit with this slug and store it on the request.

    Raise `Http404` if the circuit does not exist or the visitor may not see it.
    """
    circuit = get_object_or_404(Circuit.objects.select_related("owner"), slug=slug)
    if not request.user.has_perm(SEE, circuit):
        raise Http404("no such circuit")
    setattr(request, _PLACE, circuit)
    return circuit


def circuit_of(request: HttpRequest) -> Circuit | None:
    """Return the circuit of the page, or None if the URL contains no circuit slug."""
    circuit: Circuit | None = getattr(request, _PLACE, None)
    return circuit


def stamp(request: HttpRequest) -> tuple[Hashable, ...]:
    """Return the columns of the circuit that every page shows.

    They are part of the cache key of pages.
    """
    circuit = circuit_of(request)
    if circuit is None:
        return ()
    state = (circuit.public, circuit.frozen_at, circuit.archived_at)
    return (circuit.pk, circuit.name, *state, circuit.owner_id, circuit.offered_to_id)


def _short(request: HttpRequest) -> HttpResponse:
    if request.method not in {"GET", "HEAD"}:
        raise Http404("no such address")
    way = request.get_full_path().removeprefix(f"/circuitos/{SHIPPED}")
    return HttpResponsePermanentRedirect("/" + way.lstrip("/"))


def directed_circuit(request: HttpRequest, circuit: str) -> Circuit:
    """Return the circuit with this slug, for views that only its director may use.

    Raise `PermissionDenied` for everybody else.
    """
    row = circuit_of(request) or get_object_or_404(Circuit, slug=circuit)
    check_directs(request.user, row)
    return row


def may_plan(request: HttpRequest, season: Season) -> bool:
    """Return whether the visitor may choose the carteles (posters) of this season.

    Only the director of the circuit may, and only in the circuit's current season. Costs one query
    for the director and none for other visitors.
    """
    if not request.user.has_perm(DIRECT, season.circuit):
        return False
    mark = find_season_mark(circuit=season.circuit.slug)
    return mark is not None and mark.season == season.pk


def signed_in_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def perform(
    request: HttpRequest, circuit: str, operation: Callable[[], object], message: str, page: str
) -> HttpResponse:
    """Run an operation and redirect to a page of the circuit.

    The page then shows `message`, or the error message if the operation raised `OperationError`.
    """
    try:
        operation()
        messages.success(request, message)
    except OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, page))
