"""Who sees a circuit's pages, and who directs it; for the views of every feature."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404, redirect

from accounts.models import User
from corridas.addresses import address
from corridas.circuits.operations import check_directs
from corridas.circuits.queries import SHIPPED
from corridas.errors import OperationError
from corridas.models import Circuit

View = Callable[..., HttpResponse]
SEE: Final = "corridas.view_circuit"
_PLACE: Final = "circuit"


def seen(view: View) -> View:
    """The view, shown under a circuit's address to those who may see that circuit.

    The shipped one has but its short addresses: the long ones lead there.
    """

    @wraps(view)
    def shown(request: HttpRequest, *args: object, circuit: str, **parts: object) -> HttpResponse:
        if circuit == SHIPPED:
            return _short(request)
        find_seen(request, circuit)
        return view(request, *args, circuit=circuit, **parts)

    return shown


def find_seen(request: HttpRequest, slug: str) -> Circuit:
    """The circuit, remembered with the request; `Http404` where there is none to be seen."""
    found = get_object_or_404(Circuit.objects.select_related("owner"), slug=slug)
    if not request.user.has_perm(SEE, found):
        raise Http404("no such circuit")
    setattr(request, _PLACE, found)
    return found


def circuit_of(request: HttpRequest) -> Circuit | None:
    """The circuit whose page is shown; None at the short addresses."""
    found: Circuit | None = getattr(request, _PLACE, None)
    return found


def stamp(request: HttpRequest) -> tuple[Hashable, ...]:
    """What every page of the circuit says of it: part of the key of a page that is kept."""
    found = circuit_of(request)
    if found is None:
        return ()
    return (found.pk, found.name, found.frozen_at, found.archived_at, found.owner_id)


def _short(request: HttpRequest) -> HttpResponse:
    if request.method not in {"GET", "HEAD"}:
        raise Http404("no such address")
    way = request.get_full_path().removeprefix(f"/circuitos/{SHIPPED}")
    return HttpResponsePermanentRedirect("/" + way.lstrip("/"))


def directed(request: HttpRequest, circuit: str) -> Circuit:
    """The circuit with this slug; `PermissionDenied` for who does not direct it."""
    found = circuit_of(request) or get_object_or_404(Circuit, slug=circuit)
    check_directs(request.user, found)
    return found


def who(request: HttpRequest) -> User:
    """The signed-in user; for pages that ask for one at the door."""
    assert isinstance(request.user, User)
    return request.user


def done(
    request: HttpRequest, circuit: str, deed: Callable[[], object], said: str, page: str
) -> HttpResponse:
    """Do what was asked, say so or why not, and go to a page of the circuit."""
    try:
        deed()
        messages.success(request, said)
    except OperationError as error:
        messages.error(request, str(error))
    return redirect(address(circuit, page))
