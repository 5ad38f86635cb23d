"""Handing a circuit on, letting it rest, bringing it back."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Act
from corridas.api.acting import POST, POST_AND_DELETE, PUT, Deleting, Putting
from corridas.api.circuits import CircuitWhole
from corridas.api.described import Operation, described
from corridas.api.seen import OfCircuit, who
from corridas.models import Circuit
from corridas.operations.circuits import (
    accept_circuit,
    decline_circuit,
    freeze_circuit,
    offer_circuit,
    restore_circuit,
    thaw_circuit,
    withdraw_offer,
)
from corridas.queries.circuits import seen_by


class _Passing(OfCircuit):
    """What changes whose a circuit is, or whether it is awake."""

    queryset = Circuit.objects.none()

    def told(self, pk: int) -> Response:
        """The circuit as it stands now."""
        found = seen_by(self.request.user).get(pk=pk)
        return Response(CircuitWhole(found, context=self.get_serializer_context()).data)


class OfferAsked(serializers.Serializer[Any]):
    """Whom a circuit is offered to."""

    name = serializers.CharField(max_length=150, help_text="The name of the user.")


class Offered(serializers.Serializer[Any]):
    """Who decides now."""

    offered_to = serializers.CharField()


@described(
    post=Operation("offer_make", Offered),
    delete=Operation("offer_withdraw", status=204),
)
class Offer(_Passing, Deleting):
    """Offer the circuit to somebody, who decides; take the offer back."""

    http_method_names = POST_AND_DELETE
    asks_for = OfferAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Offer it, or take the offer back."""
        if request.method == "DELETE":
            withdraw_offer(circuit=self.circuit, by=who(self))
            return Response(status=204)
        name = self.read(request)["name"]
        other = offer_circuit(circuit=self.circuit, name=name, by=who(self))
        return Response({"offered_to": other.get_username()})


class OfferAnswerAsked(serializers.Serializer[Any]):
    """Yes or no."""

    accept = serializers.BooleanField()


class OfferAnswered(serializers.Serializer[Any]):
    """What became of an offer."""

    accepted = serializers.BooleanField()


@described(post=Operation("offer_answer", OfferAnswered))
class Answer(_Passing, Act):
    """Accept or decline what is offered to one."""

    http_method_names = POST
    asks_for = OfferAnswerAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Accept or decline."""
        accepted = self.read(request)["accept"]
        answer = accept_circuit if accepted else decline_circuit
        answer(circuit=self.circuit, by=who(self))
        return Response({"accepted": accepted})


class RestAsked(serializers.Serializer[Any]):
    """Whether nothing is to be played."""

    frozen = serializers.BooleanField()


@described(put=Operation("rest_set", CircuitWhole))
class Rest(_Passing, Putting):
    """Freeze the circuit, or thaw it."""

    http_method_names = PUT
    asks_for = RestAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Freeze or thaw it."""
        if self.read(request)["frozen"]:
            freeze_circuit(circuit=self.circuit, by=who(self), at=timezone.now())
        else:
            thaw_circuit(circuit=self.circuit, by=who(self))
        return self.told(self.circuit.pk)


@described(post=Operation("circuits_restore", CircuitWhole))
class Restore(_Passing, Act):
    """Bring an archived circuit back."""

    http_method_names = POST

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Restore it."""
        restore_circuit(circuit=self.circuit, by=who(self), at=timezone.now())
        return self.told(self.circuit.pk)
