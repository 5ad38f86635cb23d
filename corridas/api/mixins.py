"""Mixins of API views: access to a circuit, and the bloodless wording."""

from __future__ import annotations

from functools import cached_property

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated

from accounts.models import User
from accounts.wording import BLOODLESS, active_language, bloodless
from api.types import JSONObject
from api.views import ResourceView
from corridas.circuit_queries import find_season
from corridas.circuits.operations import check_directs
from corridas.models import Circuit, Season

SEE = "corridas.view_circuit"


def check_visible(visitor: User | AnonymousUser, circuit: Circuit) -> None:
    """Raise `Http404` unless the user may see this circuit."""
    if not visitor.has_perm(SEE, circuit):
        raise Http404("no such circuit")


class OfCircuit(ResourceView):
    """Base class of API views below the URL of a circuit."""

    @cached_property
    def circuit(self) -> Circuit:
        """Return the circuit of the URL.

        Raise `Http404` if it does not exist or the user may not see it.
        """
        rows = Circuit.objects.select_related("owner", "deck")
        circuit = rows.filter(slug=self.kwargs["circuit"]).first()
        if circuit is None:
            raise Http404("no such circuit")
        check_visible(self.request.user, circuit)
        return circuit

    @cached_property
    def directed_circuit(self) -> Circuit:
        """Return the circuit of the URL if the user directs it, else raise `PermissionDenied`."""
        return direct(self, self.circuit)

    @cached_property
    def season(self) -> Season:
        """Return the season of the year in the URL. Raise `Http404` if there is none."""
        season = find_season(self.kwargs["year"], self.circuit.slug)
        if season is None:
            raise Http404("no such season")
        return season


def direct(view: ResourceView, circuit: Circuit) -> Circuit:
    """Return the circuit if the user directs it.

    Otherwise raise `NotAuthenticated` or `PermissionDenied`.
    """
    if view.person is None:
        raise NotAuthenticated(_("Sign in or send an API key."))
    check_directs(view.person, circuit)
    return circuit


def signed_in_user(view: ResourceView) -> User:
    """Return the authenticated user of a view that requires authentication."""
    assert view.person is not None
    return view.person


class Worded(serializers.Serializer[JSONObject]):
    """The query parameter for the wording of texts: usual or bloodless."""

    wording = serializers.ChoiceField(
        [BLOODLESS],
        required=False,
        help_text="`bloodless` describes a corrida without blood; rules and results are the same.",
    )


def worded_language(query: JSONObject) -> str:
    """Return the language of the request, in its bloodless variant if that is requested."""
    language = active_language()
    return bloodless(language) if query.get("wording") == BLOODLESS else language
