"""Seasons, their ferias and the winters after them, under `/api/v1/`."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import Problem
from api.types import JSONObject
from api.views import DetailView, ListView, idempotent
from corridas import calendar
from corridas.api.escalafon import AwardTold
from corridas.api.links import Links, link_to, link_to_list
from corridas.api.mixins import OfCircuit, direct
from corridas.api.schema import op
from corridas.api.spoilers import has_unwatched
from corridas.circuits.operations import YEARS, plan_season
from corridas.escalafon.queries import awards
from corridas.models import Corrida, Feria, Season, Winter
from corridas.season.operations import fill_open_carteles, open_next_season
from corridas.season.pauses import WaitsFor, begin_season, next_winter
from corridas.simulation.winter_queries import left_in_season
from corridas.world.winter import Why


class SeasonRow(serializers.Serializer[Season]):
    """A season and its progress."""

    year = serializers.IntegerField()
    rules = serializers.DictField(
        child=serializers.CharField(), source="engine_rules.options", help_text="Every option."
    )
    version = serializers.IntegerField(
        source="posted_version", help_text="Rises whenever a result of the season is published."
    )
    commitment = serializers.SerializerMethodField(help_text="SHA-256 over its seed, in hex.")
    corridas = serializers.IntegerField(source="held")
    over = serializers.IntegerField(help_text="Corridas whose results are posted.")
    links = Links(
        self=link_to("api_season", circuit="circuit.slug", year="year"),
        circuit=link_to("api_circuit", circuit="circuit.slug"),
        ferias=link_to("api_ferias", circuit="circuit.slug", year="year"),
        corridas=link_to_list("api_corridas", circuit="circuit.slug", year="year"),
        escalafon=link_to("api_escalafon", circuit="circuit.slug", year="year"),
        race=link_to("api_race", circuit="circuit.slug", year="year"),
        awards=link_to("api_awards", circuit="circuit.slug", year="year"),
        yearbook=link_to("api_yearbook", circuit="circuit.slug", year="year"),
        digests=link_to("api_digests", circuit="circuit.slug", year="year"),
        winter=link_to("api_winter", circuit="circuit.slug", year="year"),
    )

    def get_commitment(self, season: Season) -> str:
        """Return the commitment to the season's seed.

        The seed decides the contracts, bulls and recovery times of the season.
        """
        return bytes(season.commitment).hex()


class SeasonAsked(serializers.Serializer[JSONObject]):
    """The season to plan."""

    year = serializers.IntegerField(min_value=YEARS[0], max_value=YEARS[1])


def counted() -> QuerySet[Season]:
    """Return seasons with the numbers of their corridas, and of those that are over."""
    over = Q(corridas__state__in=Corrida.OVER)
    return Season.objects.select_related("circuit").annotate(
        held=Count("corridas"), over=Count("corridas", filter=over)
    )


@extend_schema_view(get=op("seasons_list"))
class Seasons(OfCircuit, ListView):
    """Seasons of a circuit, latest first. POST plans a season."""

    serializer_class = SeasonRow
    ordering = ("-year",)
    queryset = Season.objects.none()

    def get_queryset(self) -> QuerySet[Season]:
        return counted().filter(circuit=self.circuit)

    @op("seasons_plan", SeasonRow, 201)
    @idempotent(SeasonAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Plan a season of this year and the winter after it."""
        data = self.read(request)
        season = plan_season(circuit=self.directed_circuit, year=data["year"])
        representation = self.get_serializer(counted().get(pk=season.pk)).data
        way = reverse("api_season", kwargs={"circuit": self.circuit.slug, "year": season.year})
        return Response(representation, status=201, headers={"Location": way})


@extend_schema_view(get=op("seasons_read"))
class OneSeason(OfCircuit, DetailView):
    """One season."""

    serializer_class = SeasonRow
    queryset = Season.objects.none()

    def get_object(self) -> Season:
        return counted().get(pk=self.season.pk)


class FeriaRow(serializers.Serializer[Feria]):
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
        self=link_to("api_feria", circuit="@circuit", year="@year", slug="slug"),
        season=link_to("api_season", circuit="@circuit", year="@year"),
        plaza=link_to("api_plaza", circuit="@circuit", slug="plaza.slug"),
        corridas=link_to_list("api_corridas", circuit="@circuit", year="@year", feria="slug"),
    )


class FeriaWhole(FeriaRow):
    """A feria with its awards."""

    awards = AwardTold(
        many=True, source="given", help_text="Given when its last corrida is posted."
    )
    veiled = serializers.BooleanField(
        help_text="Whether its awards are left out, for the person has not watched all of it."
    )


@extend_schema_view(get=op("ferias_list"))
class Ferias(OfCircuit, ListView):
    """Ferias of a season by date."""

    serializer_class = FeriaRow
    ordering = ("starts", "pk")
    queryset = Feria.objects.none()

    def get_queryset(self) -> QuerySet[Feria]:
        return calendar.ferias(self.season)


@extend_schema_view(get=op("ferias_read"))
class OneFeria(OfCircuit, DetailView):
    """One feria."""

    serializer_class = FeriaWhole
    queryset = Feria.objects.none()

    def get_object(self) -> Feria:
        feria = calendar.ferias(self.season).filter(slug=self.kwargs["slug"]).first()
        if feria is None:
            raise Http404("no such feria")
        row: Any = feria
        slug = self.circuit.slug
        row.veiled = has_unwatched(self.request, slug, Q(feria=feria))
        row.given = [] if row.veiled else awards.of_feria(feria.pk)
        return feria


KINDS = ("retired", "returned", "alternativa", "debut", "card", "herd", "sire")


class NewsPerson(serializers.Serializer[JSONObject]):
    """A matador by the name he had on that day."""

    slug = serializers.CharField()
    name = serializers.CharField()


class WinterNews(serializers.Serializer[JSONObject]):
    """A piece of news of a winter. Which fields it has depends on its kind.

    For the kinds `card` and `herd`, `before` and `after` are a rating or the place of a herd.
    `sire` is the name of a spared bull.
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


class WinterTold(serializers.Serializer[Winter]):
    """The winter after a season. Its seed and its news are included once it is over.

    Until then `waits_for` says what it is waiting for. The states `start`, `rests` and `full` do
    not end by themselves. `due_at` is the latest time at which it begins.
    """

    year = serializers.IntegerField(source="season.year")
    done_at = serializers.DateTimeField(allow_null=True)
    waits_for = serializers.ChoiceField(
        [reason.value for reason in WaitsFor],
        source="coming.waits_for.value",
        default=None,
        allow_null=True,
        help_text="Null while the season is played, and once the winter is over.",
    )
    due_at = serializers.DateTimeField(source="coming.until", default=None, allow_null=True)
    new_cards_at = serializers.DateTimeField(
        allow_null=True,
        help_text="When it was decided that all cards are printed again at its end, or null.",
    )
    commitment = serializers.SerializerMethodField()
    seed = serializers.SerializerMethodField()
    news = WinterNews(many=True, source="published_news")
    links = Links(season=link_to("api_season", circuit="@circuit", year="@year"))

    def get_commitment(self, winter: Winter) -> str:
        """Return the commitment to the winter's seed: SHA-256 of seed and stake, in hex.

        It is public since the season was planned.
        """
        return bytes(winter.commitment).hex()

    def get_seed(self, winter: Winter) -> str | None:
        """Return the seed of the winter in hex, once the winter is over."""
        return bytes(winter.seed).hex() if winter.done_at else None


class WinterAsked(serializers.Serializer[JSONObject]):
    """Obstacles that should not prevent the winter, such as failed corridas."""

    leave_failed = serializers.BooleanField(
        default=False, help_text="Corridas that could not be played are left out for good."
    )


class BeginSeason(OfCircuit):
    """Begins a new season after its director has checked the calendar."""

    queryset = Season.objects.none()

    @op("seasons_begin", SeasonRow)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Let the site choose the first open carteles, in a circuit that is always on air.

        Otherwise this happens an hour after the winter, at the time `open_until` of the desk.
        """
        direct(self, self.circuit)
        begin_season(season=self.season, at=timezone.now())
        representation = SeasonRow(
            counted().get(pk=self.season.pk), context=self.get_serializer_context()
        )
        return Response(representation.data)


class FillAsked(serializers.Serializer[JSONObject]):
    """The feria whose open carteles the site should choose, or single dates outside the ferias."""

    feria = serializers.SlugField(
        max_length=120, allow_null=True, help_text="Null: the dates outside the ferias."
    )


class Filled(serializers.Serializer[JSONObject]):
    """The number of carteles that the site has chosen."""

    carteles = serializers.IntegerField()


class FillCarteles(OfCircuit):
    """Lets the site choose the open carteles of a feria."""

    queryset = Season.objects.none()

    @op("carteles_fill", Filled)
    @idempotent(FillAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Choose the open carteles now.

        A cartel stays open if fewer than three matadors are free. The desk lists open carteles.
        """
        direct(self, self.circuit)
        feria = find_feria(self.season, self.read(request)["feria"])
        number = fill_open_carteles(
            season=self.season, feria=feria.pk if feria else None, at=timezone.now()
        )
        return Response(Filled({"carteles": number}).data)


def find_feria(season: Season, slug: str | None) -> Feria | None:
    """Return the feria with this slug in a season, or None without a slug.

    Raise `Problem` if the season has no such feria.
    """
    if not slug:
        return None
    feria = Feria.objects.filter(season=season, slug=slug).first()
    if feria is None:
        sentence = _("This season has no feria “%(slug)s”.") % {"slug": slug}
        raise Problem(422, sentence, field="feria")
    return feria


@extend_schema_view(get=op("winters_read", WinterTold))
class OneWinter(OfCircuit, DetailView):
    """The winter after a season. POST plays it and plans the next season."""

    serializer_class = WinterTold
    queryset = Winter.objects.none()

    def get_object(self) -> Any:
        winter: Any = Winter.objects.select_related("season").filter(season=self.season).first()
        if winter is None:
            raise Http404("no such winter")
        winter.published_news = winter.news if winter.done_at else []
        waits = winter.done_at is None and not left_in_season(self.season).going_on
        winter.coming = next_winter(self.season, timezone.now()) if waits else None
        return winter

    @op("winters_play", SeasonRow, 201)
    @idempotent(WinterAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Play the winter.

        The response is 409 if the winter of an earlier season comes first, or corridas are left.
        """
        circuit, options = self.directed_circuit, self.read(request)
        first = circuit.seasons.filter(winter__done_at=None).order_by("year").first()
        if first is None or first.year != self.season.year:
            raise Problem(
                409, _("This winter has already ended, or an earlier winter must end first.")
            )
        following = open_next_season(circuit=circuit, at=timezone.now(), **options)
        season_row = SeasonRow(
            counted().get(pk=following.pk), context=self.get_serializer_context()
        )
        parts = {"circuit": circuit.slug, "year": following.year}
        way = reverse("api_season", kwargs=parts)
        return Response(season_row.data, status=201, headers={"Location": way})
