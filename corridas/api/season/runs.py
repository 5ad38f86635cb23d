"""Runs (simulations of part of a season) under `/api/v1/`, and the director's desk."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.types import JSONObject
from api.views import DetailView, ListView, idempotent
from corridas import calendar
from corridas.api.links import Links, link_to, link_to_list
from corridas.api.mixins import OfCircuit, direct, signed_in_user
from corridas.api.schema import op
from corridas.api.season.seasons import find_feria
from corridas.broadcast import source
from corridas.models import Corrida, Run, Season
from corridas.season.operations import Goal, request_stop, run_season
from corridas.season.pauses import calendar_pause
from corridas.simulation.breakdowns import translated
from corridas.simulation.winter_queries import UnfinishedCorridas, left_in_season
from corridas.tabletop.queries import waiting_at_tables
from corridas.world.stops import StopOn, read

MAX_GOAL = 2**31 - 1


class SentenceField(serializers.CharField):
    """A text that is stored in English and translated into the language of the request."""

    def to_representation(self, value: str) -> str:
        return translated(value)


class RunTold(serializers.Serializer[Run]):
    """A run, which simulates part of a season: `done` of its `total` corridas are posted."""

    id = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(Run.State.choices)
    stop_requested = serializers.BooleanField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    left = serializers.SerializerMethodField()
    seconds = serializers.SerializerMethodField()
    until = serializers.DateField()
    most = serializers.IntegerField(allow_null=True, help_text="Corridas asked for; null: all.")
    feria = serializers.CharField(source="feria.slug", default=None, allow_null=True)
    stop_on = serializers.SerializerMethodField()
    carteles = serializers.IntegerField(
        allow_null=True, help_text="Open carteles it was to contract; null: of an earlier version."
    )
    reason = SentenceField(help_text="Why it ended before its goal.")
    asked_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    links = Links(
        self=link_to("api_run", circuit="@circuit", year="@year", pk="pk"),
        season=link_to("api_season", circuit="@circuit", year="@year"),
        last=link_to("api_corrida", pk="last_id"),
    )

    def get_left(self, run: Run) -> int:
        """Return the number of corridas still to be posted."""
        return max(0, run.total - run.done)

    def get_seconds(self, run: Run) -> int | None:
        """Return the estimated number of seconds left.

        Null before the first corrida is posted, and once the run is over.
        """
        if not (run.active and run.done):
            return None
        so_far = (timezone.now() - run.asked_at).total_seconds()
        return int(so_far / run.done * (run.total - run.done)) + 1

    def get_stop_on(self, run: Run) -> list[str]:
        """Return the conditions that stop the run before its goal."""
        return [reason.value for reason in read(run.stop_on)]


class RunAsked(serializers.Serializer[JSONObject]):
    """The goal of a run: how far to simulate the season.

    The nearest of several goals counts. Without a goal the season is simulated to its end.
    """

    corridas = serializers.IntegerField(
        min_value=1, max_value=MAX_GOAL, required=False, allow_null=True
    )
    feria = serializers.SlugField(max_length=120, required=False, allow_null=True)
    until = serializers.DateField(required=False, allow_null=True)
    stop_on = serializers.ListField(
        child=serializers.ChoiceField([reason.value for reason in StopOn]),
        required=False,
        max_length=len(StopOn),
    )


def _runs(season: Season) -> QuerySet[Run]:
    return Run.objects.filter(season=season).select_related("feria")


@extend_schema_view(get=op("runs_list", RunTold(many=True), problems=(403,)))
class Runs(OfCircuit, ListView):
    """Runs of a season, newest first. POST starts a run, which workers then simulate."""

    serializer_class = RunTold
    ordering = ("-pk",)
    queryset = Run.objects.none()

    def get_queryset(self) -> QuerySet[Run]:
        """Return the runs of the season. Only the director of the circuit may read them."""
        return _runs(_directed(self))

    @op("runs_begin", RunTold, 202)
    @idempotent(RunAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Start simulating the season up to a goal.

        The results of corridas on air are posted first. In the resource of the desk, `on_air` and
        `watching` list these corridas and the number of their viewers. On the way the site chooses
        carteles that are still open; `open_carteles` of the desk lists when. To stop before that,
        use the condition `carteles`.
        """
        data = self.read(request)
        season, feria = _directed(self), find_feria(self.season, data.get("feria"))
        run, _notified = run_season(
            season=season,
            goal=Goal(corridas=data.get("corridas"), feria=feria, until=data.get("until")),
            at=timezone.now(),
            stop_on=[StopOn(reason) for reason in data.get("stop_on", ())],
            by=signed_in_user(self),
            within=True,
        )
        parts = {**self.kwargs, "pk": run.pk}
        way = reverse("api_run", kwargs=parts)
        return Response(self.get_serializer(run).data, status=202, headers={"Location": way})


def _directed(view: OfCircuit) -> Season:
    direct(view, view.circuit)
    return view.season


@extend_schema_view(get=op("runs_read", RunTold, problems=(403,)))
class OneRun(OfCircuit, DetailView):
    """One run and its progress."""

    serializer_class = RunTold
    queryset = Run.objects.none()

    def get_object(self) -> Run:
        return _run(self)


class StopRun(OfCircuit):
    """Stops a run after the corridas that it is playing at the moment."""

    queryset = Run.objects.none()

    @op("runs_stop", RunTold, 202)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Request that the run stops."""
        request_stop(run=_run(self))
        way = reverse("api_run", kwargs=self.kwargs)
        representation = RunTold(_run(self), context=self.get_serializer_context()).data
        return Response(representation, status=202, headers={"Location": way})


def _run(view: OfCircuit) -> Run:
    run = _runs(_directed(view)).filter(pk=view.kwargs["pk"]).first()
    if run is None:
        raise Http404("no such run")
    return run


class FailedCorrida(serializers.Serializer[Corrida]):
    """A corrida that could not be simulated, and the reason."""

    id = serializers.IntegerField(source="pk")
    date = serializers.DateField()
    plaza = serializers.CharField(source="plaza.name")
    error = SentenceField()
    links = Links(corrida=link_to("api_corrida", pk="pk"), retry=link_to("api_retry", pk="pk"))


class SeasonLeft(serializers.Serializer[UnfinishedCorridas]):
    """The corridas of a season that must be over before its winter can begin."""

    waiting = serializers.IntegerField()
    on_the_sand = serializers.IntegerField()
    at_tables = serializers.IntegerField()
    failed = serializers.IntegerField()
    running = serializers.BooleanField()


class OpenCartelRow(serializers.Serializer[calendar.OpenCartel]):
    """A corrida whose cartel is not chosen yet.

    It says when the site chooses the cartel unless the director does.
    """

    id = serializers.IntegerField(source="corrida.pk")
    date = serializers.DateField(source="corrida.date")
    city = serializers.CharField(source="corrida.city")
    contracted_on = serializers.DateField(
        source="contracted_with.date", help_text="The date of the corrida `contracted_with`."
    )
    contracted_with = serializers.IntegerField(source="contracted_with.pk")
    links = Links(corrida=link_to("api_corrida", pk="corrida.pk"))


class DeskTold(serializers.Serializer[JSONObject]):
    """The contents of the director's desk: open decisions and coming corridas."""

    year = serializers.IntegerField()
    left = SeasonLeft()
    failed = FailedCorrida(many=True)
    on_air = serializers.ListField(child=serializers.IntegerField(), help_text="Ids of corridas.")
    watching = serializers.IntegerField(
        allow_null=True, help_text="How many people watch these; null: nobody can tell."
    )
    coming = serializers.ListField(child=serializers.IntegerField(), help_text="The next twelve.")
    at_tables = serializers.ListField(child=serializers.IntegerField(), help_text="Urgent first.")
    open_carteles = OpenCartelRow(many=True, help_text="By date.")
    open_until = serializers.DateTimeField(
        allow_null=True,
        help_text="Until then no open cartel of a new season is contracted by itself.",
    )
    run = RunTold(allow_null=True, help_text="The one asked for last.")
    links = Links(
        season=link_to("api_season", circuit="@circuit", year="@year"),
        runs=link_to("api_runs", circuit="@circuit", year="@year"),
        tables=link_to("api_circuit_tables", circuit="@circuit"),
        settings=link_to("api_circuit_settings", circuit="@circuit"),
        calendar=link_to("api_circuit_calendar", circuit="@circuit"),
        free=link_to_list("api_corridas", circuit="@circuit", year="@year"),
    )


NEXT_CORRIDAS = 12


@extend_schema_view(get=op("desk_read", DeskTold, problems=(403,)))
class Desk(OfCircuit, DetailView):
    """The desk of a season, for the director of its circuit: open decisions and coming corridas."""

    serializer_class = DeskTold
    queryset = Season.objects.none()

    def get_object(self) -> JSONObject:
        """Return the contents of the desk. A fixed number of queries."""
        season = _directed(self)
        at = timezone.now()
        on_air = calendar.on_air(self.circuit.slug, at)
        airing = [corrida.pk for corrida in on_air if corrida.season_id == season.pk]
        pause = calendar_pause(season, at)
        return {
            "year": season.year,
            "left": left_in_season(season),
            "failed": calendar.failed_corridas(season),
            "on_air": airing,
            "watching": source.watchers(airing, at) if airing else 0,
            "coming": [corrida.pk for corrida in calendar.coming(season, NEXT_CORRIDAS)],
            "at_tables": [corrida.corrida_id for corrida in waiting_at_tables(season)],
            "open_carteles": calendar.open_carteles(calendar.to_play(season)),
            "open_until": pause.until if pause else None,
            "run": _runs(season).first(),
        }
