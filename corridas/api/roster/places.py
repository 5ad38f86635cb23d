"""Plazas (bull rings), herds (ganaderías) and bulls under `/api/v1/`."""

from __future__ import annotations

from datetime import date
from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers

from api.filters import IntegerFilter, SlugFilter, StrictFilterSet
from api.types import JSONObject
from api.views import DetailView, ListView
from corridas.api.links import Links, link_to, link_to_list
from corridas.api.mixins import OfCircuit
from corridas.api.representation import BestTold, LidiaTold, SumsTold
from corridas.api.schema import op
from corridas.api.spoilers import RowTold, TotalsTold, spoiler_limit
from corridas.escalafon.queries import profiles
from corridas.models import Bull, Ganaderia, Lidia, Plaza
from corridas.spoilers.addresses import SpoilerScope
from corridas.spoilers.hiding import corridas_at

BEST, GREAT, SONS = 5, 10, 12


def with_circuit(lidias: QuerySet[Lidia]) -> QuerySet[Lidia]:
    """Select all related rows that the serializer `LidiaTold` reads."""
    return lidias.select_related(
        "corrida__season__circuit", "corrida__plaza", "bull", "finisher", "starter"
    )


class PlazaRow(serializers.Serializer[Plaza]):
    """A bull ring."""

    slug = serializers.CharField()
    name = serializers.CharField()
    city = serializers.CharField()
    country = serializers.CharField()
    continent = serializers.ChoiceField(Plaza.Continent.choices)
    category = serializers.IntegerField(help_text="1 to 3: it divides the score.")
    seats = serializers.IntegerField(allow_null=True)
    latitude = serializers.FloatField(allow_null=True, help_text="Degrees, south below 0.")
    longitude = serializers.FloatField(allow_null=True, help_text="Degrees, west below 0.")
    archived_at = serializers.DateTimeField(allow_null=True)
    corridas = serializers.IntegerField(source="held", help_text="Posted there.")
    links = Links(
        self=link_to("api_plaza", circuit="@circuit", slug="slug"),
        corridas=link_to_list("api_corridas", circuit="@circuit", plaza="slug"),
    )


class _Remembered(serializers.Serializer[Any]):
    """Totals, leading matadors and great bulls of a plaza or a herd, as far as posted."""

    sums = SumsTold()
    best = BestTold(many=True, help_text="Who cut most.")
    great = LidiaTold(many=True, help_text="The newest bulls of two ears and more.")


class PlazaWhole(TotalsTold, PlazaRow, _Remembered):
    """A bull ring with the totals and great bulls of its corridas."""


def _remember(row: Any, lidias: QuerySet[Lidia]) -> None:
    row.sums = profiles.sums(lidias)
    row.best = profiles.best(lidias, BEST)
    row.great = profiles.great(with_circuit(lidias), GREAT)


class PlazaFilter(StrictFilterSet):
    """Filters of plazas."""

    category = IntegerFilter(lowest=1, highest=3)
    country = SlugFilter()
    continent = django_filters.ChoiceFilter(choices=Plaza.Continent.choices)


@extend_schema_view(get=op("plazas_list"))
class Plazas(OfCircuit, ListView):
    """Plazas by city."""

    serializer_class = PlazaRow
    filterset_class = PlazaFilter
    ordering = ("city_key", "name_key", "pk")
    queryset = Plaza.objects.none()

    def get_queryset(self) -> QuerySet[Plaza]:
        return profiles.plazas(self.circuit.slug)


@extend_schema_view(get=op("plazas_read"))
class OnePlaza(OfCircuit, DetailView):
    """One plaza."""

    serializer_class = PlazaWhole
    queryset = Plaza.objects.none()

    def get_object(self) -> Plaza:
        plaza = profiles.plazas(self.circuit.slug).filter(slug=self.kwargs["slug"]).first()
        if plaza is None:
            raise Http404("no such plaza")
        row: Any = plaza
        row.limit = spoiler_limit(self.request, self.circuit.slug, Q(plaza=plaza))
        here = profiles.posted_lidias(row.limit.until).filter(corrida__plaza=plaza)
        _remember(row, here)
        return plaza


class HerdNamed(serializers.Serializer[Ganaderia]):
    """A herd (ganadería), which breeds bulls."""

    slug = serializers.CharField()
    name = serializers.CharField()
    country = serializers.CharField()
    continent = serializers.ChoiceField(Plaza.Continent.choices)
    encaste = serializers.CharField(help_text="The strain of its blood.")
    renown = serializers.IntegerField(help_text="Its place; the most famous is 0.")
    archived_at = serializers.DateTimeField(allow_null=True)
    fought = serializers.IntegerField(help_text="Bulls that came out.")
    spared = serializers.IntegerField()
    links = Links(
        self=link_to("api_herd", circuit="@circuit", slug="slug"),
        bulls=link_to_list("api_bulls", {"circuit": "@circuit"}, herd="slug"),
    )


class HerdRow(RowTold, HerdNamed):
    """A herd in a list."""


class HerdWhole(TotalsTold, HerdNamed, _Remembered):
    """A herd and the totals of its bulls."""


class HerdFilter(StrictFilterSet):
    """Filters of herds."""

    country = SlugFilter()
    continent = django_filters.ChoiceFilter(choices=Plaza.Continent.choices)


def _fought(herds: list[Ganaderia], circuit: str, until: date | None) -> list[Any]:
    """Add the numbers of fought and spared bulls up to a day to these herds; four queries."""
    lines = {line.herd.pk: line for line in profiles.herds(circuit, until)}
    rows: list[Any] = list(herds)
    for row in rows:
        row.until = until
        row.fought, row.spared = lines[row.pk].fought, lines[row.pk].spared
    return rows


@extend_schema_view(get=op("herds_list"))
class Herds(OfCircuit, ListView):
    """Herds by name."""

    serializer_class = HerdRow
    filterset_class = HerdFilter
    ordering = ("name_key", "pk")
    queryset = Ganaderia.objects.none()

    def get_queryset(self) -> QuerySet[Ganaderia]:
        return Ganaderia.objects.filter(circuit=self.circuit)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """Return a page of herds with the numbers of their bulls that have fought."""
        until = spoiler_limit(self.request, self.circuit.slug).until
        return _fought(super().paginate_queryset(queryset) or [], self.circuit.slug, until)


@extend_schema_view(get=op("herds_read"))
class OneHerd(OfCircuit, DetailView):
    """One herd."""

    serializer_class = HerdWhole
    queryset = Ganaderia.objects.none()

    def get_object(self) -> Any:
        herds = Ganaderia.objects.filter(circuit=self.circuit, slug=self.kwargs["slug"])
        among = corridas_at(SpoilerScope.HERD, {"slug": self.kwargs["slug"]})
        limit = spoiler_limit(self.request, self.circuit.slug, among)
        for herd in _fought(list(herds), self.circuit.slug, limit.until):
            herd.limit = limit
            fought = profiles.posted_lidias(limit.until).filter(bull__ganaderia=herd)
            _remember(herd, fought)
            return herd
        raise Http404("no such herd")


class BullRow(serializers.Serializer[Bull]):
    """A bull in a list. Each bull fights only once."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    number = serializers.IntegerField()
    year = serializers.IntegerField(help_text="Of its birth.")
    coat = serializers.CharField()
    weight = serializers.IntegerField(help_text="In kilograms.")
    state = serializers.ChoiceField(Bull.State.choices)
    herd = serializers.CharField(source="ganaderia.name")
    links = Links(
        self=link_to("api_bull", circuit="@circuit", pk="pk"),
        herd=link_to("api_herd", circuit="@circuit", slug="ganaderia.slug"),
        corrida=link_to("api_corrida", pk="cartel_id"),
        sire=link_to("api_bull", circuit="@circuit", pk="sire_id"),
    )


class SonsTold(serializers.Serializer[JSONObject]):
    """Totals of the bulls that a spared bull has fathered."""

    count = serializers.IntegerField()
    ears = serializers.IntegerField()
    newest = LidiaTold(many=True)


class BullWhole(BullRow):
    """A bull with its lidia, once posted, and its sons if it was spared."""

    lidia = LidiaTold(source="posted_lidia", allow_null=True, help_text="Once it is posted.")
    sons = SonsTold(allow_null=True, help_text="Of a bull that was spared.")


class BullFilter(StrictFilterSet):
    """Filters of bulls."""

    herd = SlugFilter(field_name="ganaderia__slug")
    state = django_filters.ChoiceFilter(choices=Bull.State.choices)
    year = IntegerFilter(highest=9999)


@extend_schema_view(get=op("bulls_list"))
class Bulls(OfCircuit, ListView):
    """Bulls of a circuit, the newest first."""

    serializer_class = BullRow
    filterset_class = BullFilter
    ordering = ("-pk",)
    queryset = Bull.objects.none()

    def get_queryset(self) -> QuerySet[Bull]:
        rows = Bull.objects.filter(ganaderia__circuit=self.circuit)
        return rows.select_related("ganaderia")


@extend_schema_view(get=op("bulls_read"))
class OneBull(OfCircuit, DetailView):
    """One bull."""

    serializer_class = BullWhole
    queryset = Bull.objects.none()

    def get_object(self) -> Any:
        rows = Bull.objects.filter(ganaderia__circuit=self.circuit, pk=self.kwargs["pk"])
        bull: Any = rows.select_related("ganaderia").first()
        if bull is None:
            raise Http404("no such bull")
        lidias = profiles.posted_lidias().filter(bull=bull)
        bull.posted_lidia, bull.sons = with_circuit(lidias).first(), _sons(bull)
        return bull


def _sons(bull: Bull) -> JSONObject | None:
    brought = profiles.sons(bull, 0)
    if brought is None:
        return None
    newest = with_circuit(profiles.posted_lidias().filter(bull__sire=bull))[:SONS]
    return {"count": brought.count, "ears": brought.ears, "newest": newest}
