"""What the views of the API share: access to a circuit, methods other than GET, wording."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from django.http import Http404
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.views import ActionView, ResourceView
from corridas.circuits.operations import check_directs
from corridas.circuits.queries import find_season
from corridas.models import Circuit, Season
from corridas.stage.phrasebook import Voice

SEE = "corridas.view_circuit"


def check_visible(visitor: Any, circuit: Circuit) -> None:
    """Raises `Http404` for who may not see this circuit."""
    if not visitor.has_perm(SEE, circuit):
        raise Http404("no such circuit")


class OfCircuit(ResourceView):
    """Anything of a circuit."""

    @cached_property
    def circuit(self) -> Circuit:
        """The circuit of the address; `Http404` where there is none to be seen."""
        rows = Circuit.objects.select_related("owner", "deck")
        found = rows.filter(slug=self.kwargs["circuit"]).first()
        if found is None:
            raise Http404("no such circuit")
        check_visible(self.request.user, found)
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


def direct(view: ResourceView, circuit: Circuit) -> Circuit:
    """The circuit, for its director. Raises NotAuthenticated, PermissionDenied."""
    if view.person is None:
        raise NotAuthenticated(_("Sign in or send an API key."))
    check_directs(view.person, circuit)
    return circuit


def who(view: ResourceView) -> User:
    """Who acts; the door has asked for a signature."""
    assert view.person is not None
    return view.person


class Putting(ActionView):
    """What replaces what is at its address."""

    def put(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)


class Deleting(ActionView):
    """What takes away what is at its address."""

    def delete(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)


READ_AND_POST = ["get", "head", "options", "post"]
READ_AND_PUT = ["get", "head", "options", "put"]
READ_AND_DELETE = ["get", "head", "options", "delete"]
POST_AND_DELETE = ["options", "post", "delete"]
POST = ["options", "post"]
PUT = ["options", "put"]

BLOODLESS: Final = "bloodless"


class Worded(serializers.Serializer[Any]):
    """The wording to be told in."""

    wording = serializers.ChoiceField(
        [BLOODLESS],
        required=False,
        help_text="`bloodless` tells it as a bloodless corrida; rules and results stay the same.",
    )


def asked_voice(asked: Mapping[str, Any]) -> Voice:
    """The language of the request, in the wording that was asked for."""
    return Voice(get_language() or "en", asked.get("wording") == BLOODLESS)
