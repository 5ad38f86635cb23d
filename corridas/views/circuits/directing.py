"""A circuit whose director asks for something; nobody else gets past here."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from accounts.models import User
from corridas.addresses import address
from corridas.models import Circuit
from corridas.operations import OperationError
from corridas.operations.circuits import check_directs
from corridas.views.circuits.seen import circuit_of


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
