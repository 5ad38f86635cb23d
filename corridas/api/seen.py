"""Whose circuit it is: what somebody may not see is not there, whichever way it is asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated

from accounts.models import User
from api.views import Resource
from corridas.circuits.operations import check_directs
from corridas.circuits.queries import find_season
from corridas.models import Circuit, Season

SEE = "corridas.view_circuit"


def check_seen(visitor: Any, circuit: Circuit) -> None:
    """Raises `Http404` for who may not see this circuit."""
    if not visitor.has_perm(SEE, circuit):
        raise Http404("no such circuit")


class OfCircuit(Resource):
    """Anything of a circuit."""

    @cached_property
    def circuit(self) -> Circuit:
        """The circuit of the address; `Http404` where there is none to be seen."""
        rows = Circuit.objects.select_related("owner", "deck")
        found = rows.filter(slug=self.kwargs["circuit"]).first()
        if found is None:
            raise Http404("no such circuit")
        check_seen(self.request.user, found)
        return found

    @cached_property
    def directed(self) -> Circuit:
        """The same for its director alone; raises PermissionDenied."""
        return direct(self, self.circuit)

    @cached_property
    def season(self) -> Season:
        """The season of the year in the address."""
        found = find_season(self.kwargs["year"], self.circuit.slug)
        if found is None:
            raise Http404("no such season")
        return found


def direct(view: Resource, circuit: Circuit) -> Circuit:
    """The circuit, for its director. Raises NotAuthenticated, PermissionDenied."""
    if view.person is None:
        raise NotAuthenticated(_("Sign in or send an API key."))
    check_directs(view.person, circuit)
    return circuit


def who(view: Resource) -> User:
    """Who acts; the door has asked for a signature."""
    assert view.person is not None
    return view.person
