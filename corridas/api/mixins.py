"""Mixins of the API views: access to a circuit, bloodless wording."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated

from accounts.models import User
from accounts.wording import BLOODLESS, active_language, bloodless
from api.views import ResourceView
from corridas.circuit_queries import find_season
from corridas.circuits.operations import check_directs
from corridas.models import Circuit, Season

SEE = "corridas.view_circuit"


def check_visible(visitor: Any, circuit: Circuit) -> None:
    """Raise `Http404` where the visitor may not see this circuit."""
    if not visitor.has_perm(SEE, circuit):
        raise Http404("no such circuit")


class OfCircuit(ResourceView):
    """View mixin for resources of a circuit."""

    @cached_property
    def circuit(self) -> Circuit:
        """Return the circuit of the URL. Raise `Http404` if it is missing or hidden."""
        rows = Circuit.objects.select_related("owner", "deck")
        circuit = rows.filter(slug=self.kwargs["circuit"]).first()
        if circuit is None:
            raise Http404("no such circuit")
        check_visible(self.request.user, circuit)
        return circuit

    @cached_property
    def directed(self) -> Circuit:
        """Return the circuit, for its director alone. Raise `PermissionDenied` for others."""
        return direct(self, self.circuit)

    @cached_property
    def season(self) -> Season:
        """Return the season of the year in the URL."""
        season = find_season(self.kwargs["year"], self.circuit.slug)
        if season is None:
            raise Http404("no such season")
        return season


def direct(view: ResourceView, circuit: Circuit) -> Circuit:
    """Return the circuit, for its director. Raise `NotAuthenticated` or `PermissionDenied`."""
    if view.person is None:
        raise NotAuthenticated(_("Sign in or send an API key."))
    check_directs(view.person, circuit)
    return circuit


def who(view: ResourceView) -> User:
    """Return the user; the view requires authentication."""
    assert view.person is not None
    return view.person


class Worded(serializers.Serializer[Any]):
    """The wording of the response."""

    wording = serializers.ChoiceField(
        [BLOODLESS],
        required=False,
        help_text="`bloodless` tells it as a bloodless corrida; rules and results stay the same.",
    )


def worded_language(query: Mapping[str, Any]) -> str:
    """Return the language of the request, or its variant for the requested wording."""
    language = active_language()
    return bloodless(language) if query.get("wording") == BLOODLESS else language
