"""Seasons and their ferias, and planning the first."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import Http404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Act, Detail, Listing
from corridas.api.acting import READ_AND_POST
from corridas.api.described import Operation, described
from corridas.api.links import Links, asking, to
from corridas.api.seen import OfCircuit
from corridas.api.shield import has_unwatched
from corridas.circuits.operations import YEARS, plan_season
from corridas.escalafon.api import AwardTold
from corridas.escalafon.queries import awards
from corridas.models import Corrida, Feria, Season
from corridas.queries import calendar


class SeasonRow(serializers.Serializer[Any]):
    """A season, and how far it has come."""

    year = serializers.IntegerField()
    rules = serializers.DictField(
        child=serializers.CharField(), source="engine_rules.options", help_text="Every option."
    )
    version = serializers.IntegerField(
        source="posted_version", help_text="Rises whenever a result of it is posted."
    )
    commitment = serializers.SerializerMethodField(help_text="SHA-256 over its seed, in hex.")
    corridas = serializers.IntegerField(source="held")
    over = serializers.IntegerField(help_text="Corridas whose results are posted.")
    links = Links(
        self=to("api_season", circuit="circuit.slug", year="year"),
        circuit=to("api_circuit", circuit="circuit.slug"),
        ferias=to("api_ferias", circuit="circuit.slug", year="year"),
        corridas=asking("api_corridas", circuit="circuit.slug", year="year"),
        escalafon=to("api_escalafon", circuit="circuit.slug", year="year"),
        race=to("api_race", circuit="circuit.slug", year="year"),
        awards=to("api_awards", circuit="circuit.slug", year="year"),
        yearbook=to("api_yearbook", circuit="circuit.slug", year="year"),
        winter=to("api_winter", circuit="circuit.slug", year="year"),
    )

    def get_commitment(self, season: Season) -> str:
        """What its contracts, bulls and rest cures are bound by."""
        return bytes(season.commitment).hex()


class SeasonAsked(serializers.Serializer[Any]):
    """A season to be planned."""

    year = serializers.IntegerField(min_value=YEARS[0], max_value=YEARS[1])


def counted() -> QuerySet[Season]:
    """Seasons with how many corridas they hold, and how many of these are over."""
    over = Q(corridas__state__in=Corrida.OVER)
    return Season.objects.select_related("circuit").annotate(
        held=Count("corridas"), over=Count("corridas", filter=over)
    )


@described(get=Operation("seasons_list"), post=Operation("seasons_plan", SeasonRow, 201))
class Seasons(OfCircuit, Act, Listing):
    """Seasons, the latest first; planning one."""

    http_method_names = READ_AND_POST
    serializer_class = SeasonRow
    asks_for = SeasonAsked
    ordering = ("-year",)
    queryset = Season.objects.none()

    def get_queryset(self) -> QuerySet[Season]:
        """Of the circuit."""
        return counted().filter(circuit=self.circuit)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Plan it, with its winter."""
        asked = self.read(request)
        season = plan_season(circuit=self.directed, year=asked["year"])
        told = self.get_serializer(counted().get(pk=season.pk)).data
        way = reverse("api_season", kwargs={"circuit": self.circuit.slug, "year": season.year})
        return Response(told, status=201, headers={"Location": way})


@described(get=Operation("seasons_read"))
class OneSeason(OfCircuit, Detail):
    """One season."""

    serializer_class = SeasonRow
    queryset = Season.objects.none()

    def get_object(self) -> Season:
        """The season of the year."""
        return counted().get(pk=self.season.pk)


class FeriaRow(serializers.Serializer[Any]):
    """A feria of a season."""

    slug = serializers.CharField()
    name = serializers.CharField()
    plaza = serializers.CharField(source="plaza.slug")
    city = serializers.CharField(source="plaza.city")
    starts = serializers.DateField()
    ends = serializers.DateField()
    corridas = serializers.IntegerField(source="held")
    over = serializers.IntegerField(help_text="Corridas whose results are posted.")
    links = Links(
        self=to("api_feria", circuit="@circuit", year="@year", slug="slug"),
        season=to("api_season", circuit="@circuit", year="@year"),
        plaza=to("api_plaza", circuit="@circuit", slug="plaza.slug"),
        corridas=asking("api_corridas", circuit="@circuit", year="@year", feria="slug"),
    )


class FeriaWhole(FeriaRow):
    """A feria with its awards."""

    awards = AwardTold(
        many=True, source="given", help_text="Given when its last corrida is posted."
    )
    veiled = serializers.BooleanField(
        help_text="Whether its awards are left out, for the person has not watched all of it."
    )


@described(get=Operation("ferias_list"))
class Ferias(OfCircuit, Listing):
    """Ferias of a season by date."""

    serializer_class = FeriaRow
    ordering = ("starts", "pk")
    queryset = Feria.objects.none()

    def get_queryset(self) -> QuerySet[Feria]:
        """Of the season."""
        return calendar.ferias(self.season)


@described(get=Operation("ferias_read"))
class OneFeria(OfCircuit, Detail):
    """One feria."""

    serializer_class = FeriaWhole
    queryset = Feria.objects.none()

    def get_object(self) -> Feria:
        """The feria of the address."""
        found = calendar.ferias(self.season).filter(slug=self.kwargs["slug"]).first()
        if found is None:
            raise Http404("no such feria")
        row: Any = found
        slug = self.circuit.slug
        row.veiled = has_unwatched(self.request, slug, Q(feria=found))
        row.given = [] if row.veiled else awards.of_feria(found.pk)
        return found
