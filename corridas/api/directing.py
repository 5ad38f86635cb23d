"""What a director does with one corrida: its cartel, its broadcast, another try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.conditional import check
from api.problems import Problem
from api.views import Act, Detail
from corridas.api.acting import POST, POST_AND_DELETE, READ_AND_PUT, Deleting, Putting
from corridas.api.corridas import CorridaWhole, OfCorrida, whole
from corridas.api.described import Operation, described
from corridas.api.links import Links, to
from corridas.api.seen import direct
from corridas.models import Corrida, Ganaderia, Matador
from corridas.operations import cut_short, queue_corrida, retry_corrida, set_cartel
from corridas.operations.corridas import PACES_MS
from corridas.queries import live


class PuestoTold(serializers.Serializer[Any]):
    """A place on the cartel, and the card he appears with."""

    matador = serializers.CharField(source="matador.slug")
    name = serializers.CharField(source="matador.billing")
    rating = serializers.IntegerField(source="card.rating")
    printing = serializers.IntegerField(source="card.printing")


class CartelTold(serializers.Serializer[Any]):
    """The bill of a corrida; nobody is on it before it hangs."""

    matadors = PuestoTold(many=True, help_text="In the order of appearance.")
    herd = serializers.CharField(allow_null=True)
    by_hand = serializers.BooleanField(help_text="Whether a director set it.")
    commitment = serializers.CharField()
    links = Links(
        corrida=to("api_corrida", pk="corrida.pk"),
        herd=to("api_herd", circuit="corrida.season.circuit.slug", slug="herd"),
    )


class CartelAsked(serializers.Serializer[Any]):
    """Three different matadors in any order; without a herd the one announced, or the first."""

    matadors = serializers.ListField(
        child=serializers.SlugField(max_length=60), min_length=3, max_length=3
    )
    herd = serializers.SlugField(max_length=60, required=False, allow_null=True)


class _OfDirected(OfCorrida):
    """A corrida for the director of its circuit."""

    def directed(self) -> Corrida:
        """The corrida; raises PermissionDenied for everybody else."""
        found = self.find()
        direct(self, found.season.circuit)
        return found

    def told(self, corrida: Corrida, **answer: Any) -> Response:
        """The corrida as it stands, where it is."""
        found = live.find(corrida.pk)
        assert found is not None
        told = CorridaWhole(whole(found), context=self.get_serializer_context())
        way = reverse("api_corrida", kwargs={"pk": corrida.pk})
        return Response(told.data, headers={"Location": way}, **answer)


@described(
    get=Operation("cartel_read", CartelTold),
    put=Operation("cartel_set", CartelTold),
)
class OneCartel(_OfDirected, Putting, Detail):
    """The cartel of a corrida; setting it by hand, which calls for If-Match."""

    http_method_names = READ_AND_PUT
    serializer_class = CartelTold
    asks_for = CartelAsked

    def get_object(self) -> Corrida:
        """The corrida whose cartel it is."""
        return self.find()

    def represent(self, row: Corrida) -> Any:
        """Its bill as it hangs."""
        cartel = getattr(row, "cartel", None)
        sealed = cartel is not None and row.origin == Corrida.Origin.HERE
        told = {
            "corrida": row,
            "matadors": live.puestos(row) if cartel else [],
            "herd": cartel.ganaderia.slug if cartel else None,
            "by_hand": bool(cartel and cartel.set_by_hand),
            "commitment": bytes(cartel.commitment).hex() if cartel and sealed else "",
        }
        return self.get_serializer(told).data

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Hang it, with a fresh seed."""
        corrida, asked = self.directed(), self.read(request)
        Corrida.objects.select_for_update().get(pk=corrida.pk)
        check(request, self.represent(self.find()), required=True)
        men, herd = _matadors(corrida, asked["matadors"]), _herd(corrida, asked.get("herd"))
        set_cartel(corrida=corrida, matadors=men, herd=herd)
        return Response(self.represent(self.find()))


def _matadors(corrida: Corrida, slugs: Sequence[str]) -> list[Matador]:
    rows = Matador.objects.filter(circuit=corrida.season.circuit_id, slug__in=slugs)
    found = {one.slug: one for one in rows}
    return [_known(found, slug, "matadors") for slug in slugs]


def _herd(corrida: Corrida, slug: str | None) -> Ganaderia | None:
    if slug is None:
        return None
    rows = Ganaderia.objects.filter(circuit=corrida.season.circuit_id, slug=slug)
    return _known({one.slug: one for one in rows}, slug, "herd")  # type: ignore[no-any-return]


def _known(found: Mapping[str, Any], slug: str, field: str) -> Any:
    if slug not in found:
        sentence = _("Nobody in this circuit is called “%(slug)s”.") % {"slug": slug}
        raise Problem(422, sentence, field=field)
    return found[slug]


class BroadcastAsked(serializers.Serializer[Any]):
    """How fast the cards are turned."""

    pace_ms = serializers.IntegerField(
        min_value=PACES_MS[0],
        max_value=PACES_MS[1],
        required=False,
        help_text="Milliseconds a card; without it the circuit's own pace.",
    )


@described(
    post=Operation("broadcast_begin", CorridaWhole, 202),
    delete=Operation("broadcast_cut_short", CorridaWhole),
)
class Broadcast(_OfDirected, Deleting):
    """Put a corrida on air as soon as a worker is free; cut it short: its results are posted at
    once, and who watches still sees it at its own pace.
    """

    http_method_names = POST_AND_DELETE
    asks_for = BroadcastAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Queue it, or end it."""
        corrida, now = self.directed(), timezone.now()
        if request.method == "DELETE":
            cut_short(corrida=corrida, at=now)
            return self.told(corrida)
        pace = self.read(request).get("pace_ms", corrida.season.circuit.pace_ms)
        queue_corrida(corrida=corrida, pace_ms=pace, at=now, within=True)
        return self.told(corrida, status=202)


@described(post=Operation("corridas_retry", CorridaWhole, 202))
class Retry(_OfDirected, Act):
    """Try a corrida that failed again, at the pace it was queued with."""

    http_method_names = POST

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Queue it anew."""
        corrida = self.directed()
        retry_corrida(corrida=corrida, at=timezone.now(), within=True)
        return self.told(corrida, status=202)
