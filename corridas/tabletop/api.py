"""Corridas at real tables for programs, and fixtures that a director gives away."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import Problem
from api.views import Act, Detail, Listing
from corridas.api.acting import PUT, READ_AND_DELETE, READ_AND_POST, Deleting, Putting
from corridas.api.afternoons import AfternoonAsked, afternoon, circuit_named
from corridas.api.described import Operation, described
from corridas.api.links import Links, to
from corridas.api.seen import OfCircuit, who
from corridas.models import Corrida, TableCorrida
from corridas.tabletop.operations import (
    begin_table_corrida,
    extend_deadline,
    give_fixture,
    people_called,
    take_fixture_back,
)
from leagues.models import Match, MatchSeat, Player
from leagues.operations.players import player_of_user
from leagues.queries.people import belongs_to


class TableCorridaTold(serializers.Serializer[Any]):
    """A corrida at a table; who entered and who confirmed it stands in its match."""

    id = serializers.IntegerField(source="pk")
    match = serializers.IntegerField(source="match_id")
    state = serializers.ChoiceField(Match.State.choices, source="match.state")
    circuit = serializers.CharField(
        source="circuit.slug", default=None, allow_null=True, help_text="Where it is to count."
    )
    plaza = serializers.CharField(source="plaza.name", default=None, allow_null=True)
    date = serializers.DateField()
    given = serializers.BooleanField(help_text="Whether it is a fixture of a season.")
    deadline = serializers.DateTimeField(allow_null=True)
    evidence = serializers.CharField(help_text="How far it was verified, once it is filed.")
    filed_at = serializers.DateTimeField(allow_null=True)
    people = serializers.SerializerMethodField()
    links = Links(
        corrida=to("api_corrida", pk="corrida_id"),
        page=to("indulto_hand", pk="match_id"),
    )

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_people(self, table: TableCorrida) -> list[str]:
        """Who sits there, by name."""
        return [seat.player.name for seat in table.match.seats.all()]


class TableCorridaOfDirector(TableCorridaTold):
    """The same for the director, who passes its link on to the table."""

    links = Links(
        self=to("api_circuit_table", circuit="@circuit", pk="pk"),
        corrida=to("api_corrida", pk="corrida_id"),
        page=to("indulto_hand", pk="match_id"),
        invitation=to("match_key", key="key"),
    )


class TableCorridaAsked(AfternoonAsked):
    """A corrida about to be played at a table; who asks sits on its first seat."""

    counts = serializers.BooleanField(
        default=True, help_text="Whether it is meant for that circuit's book."
    )
    people = serializers.ListField(
        child=serializers.CharField(max_length=60, trim_whitespace=False),
        max_length=2,
        default=list,
        help_text="Who else sits there; a new name is a guest.",
    )


def listed() -> QuerySet[TableCorrida]:
    """All that are not void, with what is told of them at hand."""
    rows = TableCorrida.objects.exclude(match__state=Match.State.VOID)
    return rows.select_related("match", "plaza", "circuit").prefetch_related("match__seats__player")


@described(
    get=Operation("table_corridas_list"),
    post=Operation("table_corridas_begin", TableCorridaTold, 201),
)
class TableCorridas(Act, Listing):
    """Corridas at tables at which one sat, the latest first; beginning one."""

    http_method_names = READ_AND_POST
    serializer_class = TableCorridaTold
    asks_for = TableCorridaAsked
    ordering = ("-pk",)
    queryset = TableCorrida.objects.none()

    def get_queryset(self) -> QuerySet[TableCorrida]:
        """One's own."""
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        player = Player.objects.filter(user=self.person).first()
        if player is None:
            return listed().none()
        seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
        return listed().filter(match__in=seated)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Its match, with the sheet begun."""
        asked, now = self.read(request), timezone.now()
        circuit = circuit_named(self, asked["circuit"])
        by = player_of_user(who(self), at=now)
        players = [by, *people_called(names=asked["people"], by=by, at=now)]
        match = begin_table_corrida(
            players=players,
            by=by,
            at=now,
            circuit=circuit if asked["counts"] else None,
            **afternoon(circuit, asked, len(players)),
        )
        told = self.get_serializer(listed().get(match=match)).data
        return Response(told, status=201, headers={"Location": told["links"]["page"]})


class FixtureAsked(serializers.Serializer[Any]):
    """A corrida of the season for a table, to be handed in before the deadline."""

    corrida = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    people = serializers.ListField(
        child=serializers.CharField(max_length=60, trim_whitespace=False),
        min_length=1,
        max_length=3,
    )
    deadline = serializers.DateTimeField()


class _OfDirector(OfCircuit):
    """Tables of a circuit, for its director."""

    serializer_class = TableCorridaOfDirector
    queryset = TableCorrida.objects.none()

    def rows(self) -> QuerySet[TableCorrida]:
        """All of the circuit."""
        return listed().filter(circuit=self.directed)

    def table(self, **which: Any) -> Any:
        """The table of the address, with its key where the page has it."""
        found = self.rows().filter(pk=self.kwargs["pk"], **which).first()
        if found is None:
            raise Http404("no such table")
        return keyed(found)


def keyed(table: Any) -> Any:
    """With the key that opens its match, while a fixture waits to be handed in."""
    table.key = table.match.key if table.given and table.filed_at is None else None
    return table


@described(
    get=Operation("tables_list", TableCorridaOfDirector(many=True), problems=(403,)),
    post=Operation("tables_give", TableCorridaOfDirector, 201),
)
class Tables(_OfDirector, Act, Listing):
    """Every corrida of a table in this circuit; giving a fixture of the season to one."""

    http_method_names = READ_AND_POST
    asks_for = FixtureAsked
    ordering = ("-pk",)

    def get_queryset(self) -> QuerySet[TableCorrida]:
        """All of the circuit."""
        return self.rows()

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """A page with the keys that the director passes on."""
        return [keyed(one) for one in super().paginate_queryset(queryset) or []]

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Give it; cartel and seed stay as they were committed to."""
        asked, now = self.read(request), timezone.now()
        corridas = Corrida.objects.select_related("plaza__circuit__deck", "season")
        mine = Q(season__circuit=self.directed, cartel__isnull=False)
        corrida = corridas.filter(mine, pk=asked["corrida"]).first()
        if corrida is None:
            raise Problem(422, _("Choose a corrida that has been announced."), field="corrida")
        by = player_of_user(who(self), at=now)
        players = people_called(names=asked["people"], by=by, at=now)
        match = give_fixture(
            corrida=corrida,
            director=who(self),
            players=players,
            deadline=asked["deadline"],
            at=now,
        )
        told = keyed(self.rows().get(match=match))
        way = reverse("api_circuit_table", kwargs={"circuit": self.circuit.slug, "pk": told.pk})
        return Response(self.get_serializer(told).data, status=201, headers={"Location": way})


@described(
    get=Operation("tables_read", TableCorridaOfDirector, problems=(403,)),
    delete=Operation("tables_take_back", status=204),
)
class OneTable(_OfDirector, Deleting, Detail):
    """One table; taking its fixture back."""

    http_method_names = READ_AND_DELETE

    def get_object(self) -> Any:
        """The table of the address."""
        return self.table()

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Give the corrida back to its season."""
        take_fixture_back(table=self.table(given=True), director=who(self))
        return Response(status=204)


class FixtureDeadlineAsked(serializers.Serializer[Any]):
    """Until when."""

    deadline = serializers.DateTimeField()


@described(put=Operation("tables_extend", TableCorridaOfDirector))
class Deadline(_OfDirector, Putting):
    """Give a table that has not handed its fixture in more time."""

    http_method_names = PUT
    asks_for = FixtureDeadlineAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Until later."""
        until = self.read(request)["deadline"]
        table = self.table(given=True)
        extend_deadline(table=table, director=who(self), deadline=until, at=timezone.now())
        return Response(self.get_serializer(self.table()).data)
