"""Corridas under `/api/v1/`: the calendar, one corrida, its cartel and its broadcast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import django_filters
from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.conditional import check_if_match
from api.filters import IntegerFilter, SlugFilter, StrictFilterSet
from api.problems import Problem
from api.types import JSON, JSONObject
from api.views import DetailView, ListView, ResourceView, idempotent
from corridas import calendar, results
from corridas.api.links import Links, link_to
from corridas.api.mixins import check_visible, direct
from corridas.api.schema import op
from corridas.api.spoilers import has_unwatched, unwatched
from corridas.broadcast import queries as broadcast_queries
from corridas.broadcast import source
from corridas.circuit_queries import may_be_seen
from corridas.circuits.operations import PACES_MS
from corridas.escalafon.queries.records import Sentence, sentences_before
from corridas.labels import HOUSES
from corridas.models import Circuit, Corrida, Ganaderia, Matador, Puesto
from corridas.results import VERDICTS
from corridas.season.operations import cut_short, queue_corrida, retry_corrida, set_cartel
from corridas.simulation.rows import Stake, stake_of
from corridas.tabletop import queries
from corridas.world.broadcast import Position


class BullShown(serializers.Serializer[results.BullResult]):
    """The result of a bull whose lidia has been broadcast to its end."""

    turn = serializers.IntegerField()
    bull = serializers.CharField(source="name")
    verdict = serializers.ChoiceField(VERDICTS, allow_null=True)
    vuelta = serializers.BooleanField()
    spared = serializers.BooleanField()
    three_avisos = serializers.BooleanField()
    avisos = serializers.IntegerField()
    broken_off = serializers.BooleanField()
    score = serializers.IntegerField(allow_null=True)


class ShareShown(serializers.Serializer[Any]):
    """A matador of the cartel, and the bulls he has finished so far.

    Matadors are in the order of appearance.
    """

    matador = serializers.CharField(source="slug")
    name = serializers.CharField()
    hurt = serializers.BooleanField()
    bulls = serializers.ListField(child=serializers.IntegerField(), help_text="Their turns.")


class CorridaRow(serializers.Serializer[results.CorridaResult]):
    """A corrida with the results that have been broadcast so far."""

    id = serializers.IntegerField(source="corrida.pk")
    circuit = serializers.CharField(source="corrida.season.circuit.slug")
    year = serializers.IntegerField(source="corrida.season.year")
    date = serializers.DateField(source="corrida.date")
    state = serializers.SerializerMethodField()
    origin = serializers.ChoiceField(Corrida.Origin.choices, source="corrida.origin")
    plaza = serializers.CharField(source="corrida.plaza.slug")
    plaza_name = serializers.CharField(source="corrida.plaza.name")
    city = serializers.CharField(source="corrida.plaza.city")
    category = serializers.IntegerField(source="corrida.plaza.category")
    feria = serializers.CharField(source="corrida.feria.slug", default=None, allow_null=True)
    herd = serializers.SerializerMethodField()
    on_air_at = serializers.DateTimeField(source="corrida.on_air_at", allow_null=True)
    pace_ms = serializers.IntegerField(source="corrida.pace_ms", allow_null=True)
    posted_at = serializers.SerializerMethodField()
    house = serializers.SerializerMethodField()
    matadors = serializers.SerializerMethodField()
    bulls = BullShown(many=True, help_text="Those that are over.")
    veiled = serializers.BooleanField(
        source="hidden",
        help_text="Whether the user has not watched the corrida. Then its results are null, and if"
        " it is over, also whether it was suspended and when its results were published.",
    )
    links = Links(
        self=link_to("api_corrida", pk="corrida.pk"),
        lidias=link_to("api_lidias", pk="corrida.pk"),
        cartel=link_to("api_cartel", pk="corrida.pk"),
        season=link_to(
            "api_season", circuit="corrida.season.circuit.slug", year="corrida.season.year"
        ),
        plaza=link_to(
            "api_plaza", circuit="corrida.season.circuit.slug", slug="corrida.plaza.slug"
        ),
        feria=link_to(
            "api_feria",
            circuit="corrida.season.circuit.slug",
            year="corrida.season.year",
            slug="corrida.feria.slug",
        ),
        page=link_to("page:corrida", circuit="corrida.season.circuit.slug", pk="corrida.pk"),
    )

    @extend_schema_field(serializers.ChoiceField(Corrida.State.choices))
    def get_state(self, afternoon: results.CorridaResult) -> str:
        """Return the state of the corrida.

        If spoiler protection hides a finished corrida, this is always `posted`, so that a suspended
        one is not revealed.
        """
        over = afternoon.hidden and afternoon.corrida.is_over
        return Corrida.State.POSTED.value if over else afternoon.corrida.state

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_posted_at(self, afternoon: results.CorridaResult) -> str | None:
        """Return when the results were posted.

        For a hidden corrida this is null, because the time would reveal how long the corrida was.
        """
        posted_at = None if afternoon.hidden else afternoon.corrida.posted_at
        return serializers.DateTimeField().to_representation(posted_at) if posted_at else None

    @extend_schema_field({"type": ["string", "null"], "enum": [*HOUSES, None]})
    def get_house(self, afternoon: results.CorridaResult) -> str | None:
        """Return how full the plaza is, from the beginning of the corrida on.

        It is null before, and in seasons without houses.
        """
        return afternoon.corrida.house_word or None

    def get_herd(self, afternoon: results.CorridaResult) -> str | None:
        """Return the slug of the herd, or null until the cartel is announced."""
        cartel = getattr(afternoon.corrida, "cartel", None)
        return cartel.ganaderia.slug if cartel else None

    @extend_schema_field(ShareShown(many=True))
    def get_matadors(self, afternoon: results.CorridaResult) -> JSON:
        """Return the matadors of the cartel, or null until the cartel is announced."""
        rows = [
            {
                "slug": share.slug,
                "name": share.name,
                "hurt": share.hurt,
                "bulls": [bull.turn for bull in share.bulls],
            }
            for share in afternoon.shares
        ]
        return ShareShown(rows, many=True).data


class CorridaFilter(StrictFilterSet):
    """Filters for corridas."""

    circuit = SlugFilter(field_name="season__circuit__slug")
    year = IntegerFilter(field_name="season__year", highest=9999)
    state = django_filters.ChoiceFilter(choices=Corrida.State.choices, method="in_state")
    origin = django_filters.ChoiceFilter(choices=Corrida.Origin.choices)
    plaza = SlugFilter(field_name="plaza__slug")
    category = IntegerFilter(field_name="plaza__category", lowest=1, highest=3)
    feria = SlugFilter(field_name="feria__slug")
    herd = SlugFilter(field_name="cartel__ganaderia__slug")
    matador = SlugFilter(method="of_matador", label="who is on its cartel")
    met = SlugFilter(method="of_matador", label="who is on its cartel as well")
    since = django_filters.DateFilter(field_name="date", lookup_expr="gte")
    until = django_filters.DateFilter(field_name="date", lookup_expr="lte")

    def in_state(self, rows: QuerySet[Corrida], _name: str, state: str) -> QuerySet[Corrida]:
        """Filter by the state that is shown to the user.

        A corrida hidden by spoiler protection counts as posted, even if it was suspended.
        """
        veiled = Q(pk__in=unwatched(self.request).order_by().values("pk"))
        if state == Corrida.State.POSTED:
            return rows.filter(Q(state=state) | veiled & Q(state=Corrida.State.SUSPENDED))
        if state == Corrida.State.SUSPENDED:
            return rows.filter(state=state).exclude(veiled)
        return rows.filter(state=state)

    def of_matador(self, rows: QuerySet[Corrida], _name: str, slug: str) -> QuerySet[Corrida]:
        """Filter corridas by a matador on the cartel."""
        named = Corrida.objects.filter(cartel__puestos__matador__slug=slug)
        return rows.filter(pk__in=named.values("pk"))


def afternoons() -> QuerySet[Corrida]:
    """Return corridas with all related rows that `CorridaRow` needs."""
    return calendar.corridas().select_related("season__circuit", "cartel__ganaderia")


@extend_schema_view(get=op("corridas_list"))
class Corridas(ListView):
    """Corridas of all visible circuits, by date."""

    serializer_class = CorridaRow
    filterset_class = CorridaFilter
    ordering = ("date", "pk")
    queryset = Corrida.objects.none()

    def get_queryset(self) -> QuerySet[Corrida]:
        visible = Circuit.objects.filter(may_be_seen(self.request.user)).values("pk")
        return afternoons().filter(season__circuit__in=visible)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """Return a page of corridas with the results broadcast so far. Three more queries."""
        rows = super().paginate_queryset(queryset) or []
        named = unwatched(self.request).filter(pk__in=[row.pk for row in rows])
        hidden = frozenset(named.values_list("pk", flat=True))
        return results.afternoons(rows, timezone.now(), hidden=hidden)


class BroadcastPosition(serializers.Serializer[Position]):
    """The position of a broadcast: the current lidia and its number of open cards.

    The turn is 0 during the paseíllo (opening parade).
    """

    turn = serializers.IntegerField()
    card = serializers.IntegerField()
    finished = serializers.IntegerField(help_text="Lidias shown to their last card.")
    over = serializers.BooleanField()


class BullBilled(serializers.Serializer[JSONObject]):
    """A bull of the cartel.

    Its turn is null until the lot is drawn, at the paseíllo (opening parade).
    """

    id = serializers.IntegerField(source="pk")
    turn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    number = serializers.IntegerField()
    coat = serializers.CharField()
    weight = serializers.IntegerField()


class SaidBefore(serializers.Serializer[Sentence]):
    """A sentence about a matador or herd of the cartel, shown before the corrida begins."""

    matador = serializers.CharField(source="slug")
    words = serializers.CharField()
    record = serializers.BooleanField(help_text="A record is near; else a round number.")


class CorridaWhole(CorridaRow):
    """A corrida with its cartel, its commitment and the position of the broadcast."""

    commitment = serializers.CharField(
        help_text="SHA-256 over seed and stake, in hex; empty before the cartel is published."
    )
    seed = serializers.CharField(help_text="In hex; empty until it is over.")
    stake = serializers.JSONField(help_text="What the commitment binds; null until it is over.")
    encierro = BullBilled(many=True)
    position = BroadcastPosition(allow_null=True, help_text="Null before the paseíllo.")
    said = SaidBefore(many=True)
    evidence = serializers.CharField(help_text="How far a table's cards were verified.")
    unread = serializers.BooleanField(
        help_text="Whether its stored cards do not replay: then it has no position, its lidias and"
        " moments are rejected (409), and the nightly check reports it."
    )
    moment = Links(
        now=link_to("api_moment", pk="corrida.pk", turn="address.turn", card="address.card")
    )


class OfCorrida(ResourceView):
    """Base class of views of a corrida.

    If the user may not see the corrida's circuit, the corrida is not found.
    """

    queryset: Any = Corrida.objects.none()

    def find_corrida(self) -> Corrida:
        """Return the corrida of the URL. Raise `Http404` if the user may not see it."""
        corrida = broadcast_queries.find_corrida(self.kwargs["pk"])
        if corrida is None:
            raise Http404("no such corrida")
        check_visible(self.request.user, corrida.season.circuit)
        return corrida


@extend_schema_view(get=op("corridas_read"))
class OneCorrida(OfCorrida, DetailView):
    """One corrida."""

    serializer_class = CorridaWhole

    def get_object(self) -> Any:
        corrida = self.find_corrida()
        row = whole_corrida(corrida)
        if row.said and has_unwatched(self.request, corrida.season.circuit.slug):
            row.said = []
        return row


def whole_corrida(corrida: Corrida) -> Any:
    """Return a corrida with everything that may be shown now, in a fixed number of queries."""
    (result,) = results.afternoons([corrida], timezone.now())
    row: Any = result
    row.unread = False
    try:
        row.encierro, row.position, row.address = _bill(corrida)
    except source.NotReplayedError:
        row.encierro, row.position, row.address = _bulls_without_turns(corrida), None, None
        row.unread = True
    row.commitment, row.seed, row.stake = _seal(corrida)
    row.said = sentences_before([corrida]).get(corrida.pk, [])
    table = queries.evidence_of([corrida.pk]).get(corrida.pk)
    row.evidence = table.evidence if table else ""
    return row


def _bill(corrida: Corrida) -> tuple[list[JSONObject], Any, Any]:
    """Return the six bulls, the position of the broadcast, and the URL parts of that moment.

    Once the lot is drawn, the bulls are in the order in which they come out.
    """
    bulls = _bulls_without_turns(corrida)
    if not source.is_played(corrida) or not queries.has_cards(corrida):
        return bulls, None, None
    showing = source.showing_of(corrida)
    moment = source.reached(corrida, showing, timezone.now())
    if moment < 0:
        return bulls, None, None
    turns = range(1, len(showing.bulls) + 1)
    drawn = [{**_bull(showing.bull_of(turn)), "turn": turn} for turn in turns]
    return drawn, showing.timeline.position(moment), showing.timeline.address(moment)


def _bulls_without_turns(corrida: Corrida) -> list[JSONObject]:
    return [{**_bull(bull), "turn": None} for bull in broadcast_queries.encierro(corrida)]


def _bull(bull: object) -> JSONObject:
    return {name: getattr(bull, name) for name in ("pk", "name", "number", "coat", "weight")}


def _seal(corrida: Corrida) -> tuple[str, str, Stake | None]:
    cartel = getattr(corrida, "cartel", None)
    if cartel is None or corrida.origin != Corrida.Origin.HERE:
        return "", "", None
    commitment = bytes(cartel.commitment).hex()
    if not corrida.is_over:
        return commitment, "", None
    return commitment, bytes(cartel.seed).hex(), _stake(corrida)


def _stake(corrida: Corrida) -> Stake | None:
    try:
        return stake_of(corrida)
    except (LookupError, ValueError):  # without a damaged card the rest is still shown
        return None


class PuestoTold(serializers.Serializer[Puesto]):
    """A matador on the cartel, and the printing of his card that he plays with."""

    matador = serializers.CharField(source="matador.slug")
    name = serializers.CharField(source="matador.billing")
    rating = serializers.IntegerField(source="card.rating")
    printing = serializers.IntegerField(source="card.printing")


class CartelTold(serializers.Serializer[JSONObject]):
    """The cartel (poster) of a corrida. The list of matadors is empty before it is announced."""

    matadors = PuestoTold(many=True, help_text="In the order of appearance.")
    herd = serializers.CharField(allow_null=True)
    by_hand = serializers.BooleanField(help_text="Whether a director set it.")
    commitment = serializers.CharField()
    links = Links(
        corrida=link_to("api_corrida", pk="corrida.pk"),
        herd=link_to("api_herd", circuit="corrida.season.circuit.slug", slug="herd"),
    )


class CartelAsked(serializers.Serializer[JSONObject]):
    """Three different matadors in any order, and a herd.

    Without a herd, the announced herd or else the first one is taken.
    """

    matadors = serializers.ListField(
        child=serializers.SlugField(max_length=60), min_length=3, max_length=3
    )
    herd = serializers.SlugField(max_length=60, required=False, allow_null=True)


class _OfDirected(OfCorrida):
    """Base class of views of a corrida, for the director of its circuit."""

    def directed_corrida(self) -> Corrida:
        """Return the corrida. Raise `PermissionDenied` unless the user directs its circuit."""
        corrida = self.find_corrida()
        direct(self, corrida.season.circuit)
        return corrida

    def respond(self, corrida: Corrida, **options: Any) -> Response:
        """Return a response with the current state of the corrida, and its URL."""
        reread = broadcast_queries.find_corrida(corrida.pk)
        assert reread is not None
        corrida_whole = CorridaWhole(whole_corrida(reread), context=self.get_serializer_context())
        way = reverse("api_corrida", kwargs={"pk": corrida.pk})
        return Response(corrida_whole.data, headers={"Location": way}, **options)


@extend_schema_view(get=op("cartel_read", CartelTold))
class OneCartel(_OfDirected, DetailView):
    """The cartel of a corrida. A director who sets it must send `If-Match`."""

    serializer_class = CartelTold

    def get_object(self) -> Corrida:
        return self.find_corrida()

    def represent(self, row: Corrida) -> JSON:
        cartel = getattr(row, "cartel", None)
        sealed = cartel is not None and row.origin == Corrida.Origin.HERE
        representation = {
            "corrida": row,
            "matadors": broadcast_queries.puestos(row) if cartel else [],
            "herd": cartel.ganaderia.slug if cartel else None,
            "by_hand": bool(cartel and cartel.set_by_hand),
            "commitment": bytes(cartel.commitment).hex() if cartel and sealed else "",
        }
        return self.get_serializer(representation).data

    @op("cartel_set", CartelTold)
    @idempotent(CartelAsked)
    def put(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Choose the cartel. The corrida gets a new seed."""
        corrida, data = self.directed_corrida(), self.read(request)
        Corrida.objects.select_for_update().get(pk=corrida.pk)
        check_if_match(request, self.represent(self.find_corrida()), required=True)
        men, herd = _matadors(corrida, data["matadors"]), _herd(corrida, data.get("herd"))
        set_cartel(corrida=corrida, matadors=men, herd=herd)
        return Response(self.represent(self.find_corrida()))


def _matadors(corrida: Corrida, slugs: Sequence[str]) -> list[Matador]:
    rows = Matador.objects.filter(circuit=corrida.season.circuit_id, slug__in=slugs)
    by_slug = {row.slug: row for row in rows}
    return [_by_slug(by_slug, slug, "matadors") for slug in slugs]


def _herd(corrida: Corrida, slug: str | None) -> Ganaderia | None:
    if slug is None:
        return None
    rows = Ganaderia.objects.filter(circuit=corrida.season.circuit_id, slug=slug)
    return _by_slug({row.slug: row for row in rows}, slug, "herd")


Named = TypeVar("Named")


def _by_slug(by_slug: Mapping[str, Named], slug: str, field: str) -> Named:
    if slug not in by_slug:
        sentence = _("Nobody in this circuit is called “%(slug)s”.") % {"slug": slug}
        raise Problem(422, sentence, field=field)
    return by_slug[slug]


class BroadcastAsked(serializers.Serializer[JSONObject]):
    """The pace of a broadcast, in milliseconds per card."""

    pace_ms = serializers.IntegerField(
        min_value=PACES_MS[0],
        max_value=PACES_MS[1],
        required=False,
        help_text="Milliseconds a card; without it the circuit's own pace.",
    )


class Broadcast(_OfDirected):
    """Puts a corrida on air (POST), or posts its results before the broadcast has ended (DELETE).

    It goes on air as soon as a worker is free. After an early posting, viewers can still watch the
    rest at its own pace.
    """

    @op("broadcast_cut_short", CorridaWhole)
    @idempotent()
    def delete(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Post the results of the corrida that is on air."""
        corrida = self.directed_corrida()
        cut_short(corrida=corrida, at=timezone.now())
        return self.respond(corrida)

    @op("broadcast_begin", CorridaWhole, 202)
    @idempotent(BroadcastAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Queue the corrida for its broadcast."""
        corrida = self.directed_corrida()
        pace = self.read(request).get("pace_ms", corrida.season.circuit.pace_ms)
        queue_corrida(corrida=corrida, pace_ms=pace, at=timezone.now(), within=True)
        return self.respond(corrida, status=202)


class Retry(_OfDirected):
    """Queues a failed corrida again, at the same pace."""

    @op("corridas_retry", CorridaWhole, 202)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Queue the failed corrida again."""
        corrida = self.directed_corrida()
        retry_corrida(corrida=corrida, at=timezone.now(), within=True)
        return self.respond(corrida, status=202)
