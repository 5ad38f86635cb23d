"""The winter after a season: what is promised of it, then its news; and having it played."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import Problem
from api.views import Act, Detail
from corridas.api.acting import READ_AND_POST
from corridas.api.described import Operation, described
from corridas.api.links import Links, to
from corridas.api.seasons import SeasonRow, counted
from corridas.api.seen import OfCircuit
from corridas.models import Winter
from corridas.operations.seasons import open_next_season
from corridas.world.winter import Why

KINDS = ("retired", "returned", "alternativa", "debut", "card", "herd", "sire")


class NewsPerson(serializers.Serializer[Any]):
    """Somebody, as he was called on that day."""

    slug = serializers.CharField()
    name = serializers.CharField()


class WinterNews(serializers.Serializer[Any]):
    """A piece of news; which members it has follows from its kind.

    `card` and `herd` tell a rating, or a place among the herds, `before` and `after`; `sire` names
    a bull that was spared.
    """

    kind = serializers.ChoiceField(KINDS)
    slug = serializers.CharField(required=False)
    name = serializers.CharField(required=False)
    why = serializers.ChoiceField([why.value for why in Why], required=False)
    padrino = NewsPerson(required=False)
    testigo = NewsPerson(required=False)
    plaza = serializers.CharField(required=False)
    date = serializers.DateField(required=False)
    country = serializers.CharField(required=False)
    birthplace = serializers.CharField(required=False)
    age = serializers.IntegerField(required=False, allow_null=True)
    before = serializers.IntegerField(required=False)
    after = serializers.IntegerField(required=False)
    printing = serializers.IntegerField(required=False)
    bull = serializers.IntegerField(required=False)
    number = serializers.IntegerField(required=False)
    herd = NewsPerson(required=False)


class WinterTold(serializers.Serializer[Any]):
    """A winter; its seed and its news once it is over."""

    year = serializers.IntegerField(source="season.year")
    done_at = serializers.DateTimeField(allow_null=True)
    commitment = serializers.SerializerMethodField()
    seed = serializers.SerializerMethodField()
    news = WinterNews(many=True, source="told")
    links = Links(season=to("api_season", circuit="@circuit", year="@year"))

    def get_commitment(self, winter: Winter) -> str:
        """SHA-256 over its seed and stake, in hex; public since its season was planned."""
        return bytes(winter.commitment).hex()

    def get_seed(self, winter: Winter) -> str | None:
        """Its seed, in hex, once it is over."""
        return bytes(winter.seed).hex() if winter.done_at else None


class WinterAsked(serializers.Serializer[Any]):
    """What stands in the way of a winter, and may be left."""

    leave_failed = serializers.BooleanField(
        default=False, help_text="Corridas that could not be played are left out for good."
    )


@described(
    get=Operation("winters_read", WinterTold), post=Operation("winters_play", SeasonRow, 201)
)
class OneWinter(OfCircuit, Act, Detail):
    """The winter after a season; playing it, which plans the next season."""

    http_method_names = READ_AND_POST
    serializer_class = WinterTold
    asks_for = WinterAsked
    queryset = Winter.objects.none()

    def get_object(self) -> Any:
        """The winter of the address."""
        found: Any = Winter.objects.select_related("season").filter(season=self.season).first()
        if found is None:
            raise Http404("no such winter")
        found.told = found.news if found.done_at else []
        return found

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Play it; 409 where it is another season's turn, or something is still to come."""
        circuit, asked = self.directed, self.read(request)
        first = circuit.seasons.filter(winter__done_at=None).order_by("year").first()
        if first is None or first.year != self.season.year:
            raise Problem(
                409, _("This winter has already ended, or an earlier one must come first.")
            )
        following = open_next_season(circuit=circuit, at=timezone.now(), **asked)
        told = SeasonRow(counted().get(pk=following.pk), context=self.get_serializer_context())
        parts = {"circuit": circuit.slug, "year": following.year}
        way = reverse("api_season", kwargs=parts)
        return Response(told.data, status=201, headers={"Location": way})
