"""Corridas at real tables, of users, circuits and leagues.

Requests refer to rows of the roster by their slugs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import Problem
from api.types import JSONObject
from api.views import DetailView, ListView, ResourceView, idempotent
from core.keys import MAX_KEY
from core.names.serializers import CleanCharField
from corridas.api.links import Links, link_to
from corridas.api.mixins import OfCircuit, signed_in_user
from corridas.api.schema import op
from corridas.engine import BULLS, MATADORS
from corridas.models import Circuit, Corrida, MatadorCard, Plaza, TableCorrida
from corridas.tabletop.operations import (
    GAME,
    SEATS,
    begin_table_corrida,
    extend_deadline,
    give_fixture,
    people_called,
    seats_that_lead,
    take_fixture_back,
)
from leagues.api.resources import LeagueResource
from leagues.exceptions import OperationError
from leagues.matches_read import LISTED_STATES
from leagues.members_read.queries import belongs_to, members_of
from leagues.models import League, Match, MatchSeat, Player
from leagues.players import player_of_user


def leads_field(*, help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MATADORS - 1),
        min_length=MATADORS,
        max_length=MATADORS,
        required=False,
        help_text=help_text,
    )


class BullAsked(serializers.Serializer[JSONObject]):
    """A bull of a corrida at a real table. The players choose its name and number."""

    name = CleanCharField(max_length=60)
    number = serializers.IntegerField(min_value=0, max_value=999)


class AfternoonAsked(serializers.Serializer[JSONObject]):
    """The plaza, date, matadors and bulls of a corrida at a table."""

    circuit = serializers.SlugField(max_length=40, help_text="Whose roster is used.")
    plaza = serializers.SlugField(max_length=60)
    date = serializers.DateField()
    matadors = serializers.ListField(
        child=serializers.SlugField(max_length=60), min_length=MATADORS, max_length=MATADORS
    )
    leads = leads_field(
        help_text="The seat that leads each of these matadors. Needed if there are two players; "
        "else one player leads all, and three players lead one each, in order.",
    )
    bulls = serializers.ListField(child=BullAsked(), min_length=BULLS, max_length=BULLS)


def afternoon(circuit: Circuit, data: JSONObject, players: Sequence[Player]) -> JSONObject:
    """Return the plaza, date, cards, bulls and leaders that a request names.

    Raise `Problem` (422) if the circuit has no such row.
    """
    return {
        "plaza": plaza_named(circuit, data["plaza"]),
        "date": data["date"],
        "matadors": cards_named(circuit, data["matadors"]),
        "bulls": bulls_named(data["bulls"]),
        "leads": leads_named(data.get("leads"), players),
    }


def leads_named(leads: list[int] | None, players: Sequence[Player]) -> list[int]:
    """Return the seat of the player who leads each matador.

    Raise `Problem` (422) for an invalid or missing choice.
    """
    try:
        return seats_that_lead(leads, [player.name for player in players])
    except OperationError as error:
        raise Problem(422, str(error), field="leads") from error


def circuit_named(view: ResourceView, slug: str) -> Circuit:
    """Return the circuit with this slug.

    Raise `Problem` (422) if the user may not see it.
    """
    circuit = Circuit.objects.select_related("deck").filter(slug=slug).first()
    if circuit is None or not view.request.user.has_perm("corridas.view_circuit", circuit):
        raise Problem(422, _("This circuit does not exist."), field="circuit")
    return circuit


def plaza_named(circuit: Circuit, slug: str) -> Plaza:
    rows = Plaza.objects.select_related("circuit__deck")
    plaza = rows.filter(circuit=circuit, slug=slug, archived_at=None).first()
    if plaza is None:
        raise Problem(422, _("Choose a plaza."), field="plaza")
    return plaza


def cards_named(circuit: Circuit, slugs: list[str]) -> list[MatadorCard]:
    """Return the current cards of the matadors with these slugs.

    Raise `Problem` (422) for an unknown matador.
    """
    rows = MatadorCard.objects.filter(matador__circuit=circuit, matador__slug__in=slugs)
    active = rows.filter(matador__state="active").select_related("matador").order_by("printing")
    latest = {card.matador.slug: card for card in active}
    if any(slug not in latest for slug in slugs):
        raise Problem(422, _("Choose three matadors."), field="matadors")
    return [latest[slug] for slug in slugs]


def bulls_named(bulls: list[JSONObject]) -> list[JSONObject]:
    named = [{"name": bull["name"].strip(), "number": bull["number"]} for bull in bulls]
    different = {(bull["name"], bull["number"]) for bull in named}
    if len(different) < len(named) or not all(name for name, _number in different):
        raise Problem(422, _("Enter six different bulls."), field="bulls")
    return named


class TableCorridaTold(serializers.Serializer[TableCorrida]):
    """A corrida at a real table. Its match says who entered and who confirmed the result."""

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
        corrida=link_to("api_corrida", pk="corrida_id"),
        page=link_to("indulto_hand", pk="match_id"),
    )

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_people(self, table: TableCorrida) -> list[str]:
        """Return the names of the players."""
        return [seat.player.name for seat in table.match.seats.all()]


class TableCorridaOfDirector(TableCorridaTold):
    """A corrida at a real table for the director, with the link to send to the players."""

    links = Links(
        self=link_to("api_circuit_table", circuit="@circuit", pk="pk"),
        corrida=link_to("api_corrida", pk="corrida_id"),
        page=link_to("indulto_hand", pk="match_id"),
        invitation=link_to("match_key", key="key"),
    )


class TableCorridaAsked(AfternoonAsked):
    """A corrida to be played at a real table. The user has its first seat."""

    counts = serializers.BooleanField(
        default=True, help_text="Whether it is meant for that circuit's book."
    )
    people = serializers.ListField(
        child=CleanCharField(max_length=60),
        max_length=2,
        default=list,
        help_text="Who else sits there; a new name is a guest.",
    )


def listed() -> QuerySet[TableCorrida]:
    """Return all corridas at real tables that are not void, with related rows."""
    rows = TableCorrida.objects.exclude(match__state=Match.State.VOID)
    return rows.select_related("match", "plaza", "circuit").prefetch_related("match__seats__player")


@extend_schema_view(get=op("table_corridas_list"))
class TableCorridas(ListView):
    """Corridas at real tables in which the user played, the latest first. POST begins one."""

    serializer_class = TableCorridaTold
    ordering = ("-pk",)
    queryset = TableCorrida.objects.none()

    def get_queryset(self) -> QuerySet[TableCorrida]:
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        player = Player.objects.filter(user=self.person).first()
        if player is None:
            return listed().none()
        seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
        return listed().filter(match__in=seated)

    @op("table_corridas_begin", TableCorridaTold, 201)
    @idempotent(TableCorridaAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Begin a corrida at a real table, with an empty scoresheet."""
        data, now = self.read(request), timezone.now()
        circuit = circuit_named(self, data["circuit"])
        by = player_of_user(signed_in_user(self), at=now)
        players = [by, *people_called(names=data["people"], by=by, at=now)]
        match = begin_table_corrida(
            players=players,
            by=by,
            at=now,
            circuit=circuit if data["counts"] else None,
            **afternoon(circuit, data, players),
        )
        representation = self.get_serializer(listed().get(match=match)).data
        return Response(
            representation, status=201, headers={"Location": representation["links"]["page"]}
        )


class FixtureAsked(serializers.Serializer[JSONObject]):
    """A corrida of the season to be played at a real table, and the deadline for its result."""

    corrida = serializers.IntegerField(min_value=1, max_value=MAX_KEY)
    people = serializers.ListField(
        child=CleanCharField(max_length=60),
        min_length=1,
        max_length=3,
    )
    leads = leads_field(
        help_text="Which of these people leads each matador, in the order of appearance. Needed "
        "if there are two.",
    )
    deadline = serializers.DateTimeField()


class _OfDirector(OfCircuit):
    """Base class of views of a circuit's corridas at real tables, for its director."""

    serializer_class = TableCorridaOfDirector
    queryset = TableCorrida.objects.none()

    def rows(self) -> QuerySet[TableCorrida]:
        """Return all corridas at real tables of the circuit."""
        return listed().filter(circuit=self.directed_circuit)

    def table(self, **which: bool) -> Any:
        """Return the corrida of the URL.

        It includes the key of its match if the page shows that.
        """
        table_row = self.rows().filter(pk=self.kwargs["pk"], **which).first()
        if table_row is None:
            raise Http404("no such table")
        return keyed(table_row)


def keyed(table: Any) -> Any:
    """Add the key that opens the match to this corrida.

    Nothing is added once the result has been entered.
    """
    table.key = table.match.key if table.given and table.filed_at is None else None
    return table


@extend_schema_view(get=op("tables_list", TableCorridaOfDirector(many=True), problems=(403,)))
class Tables(_OfDirector, ListView):
    """Corridas at real tables in a circuit. POST assigns a corrida of the season to a table."""

    ordering = ("-pk",)

    def get_queryset(self) -> QuerySet[TableCorrida]:
        return self.rows()

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        """Return a page with the keys that the director sends to the players."""
        return [keyed(row) for row in super().paginate_queryset(queryset) or []]

    @op("tables_give", TableCorridaOfDirector, 201)
    @idempotent(FixtureAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Assign a corrida of the season to a table.

        Its cartel and its seed stay unchanged, because their commitment is published.
        """
        data, now = self.read(request), timezone.now()
        corridas = Corrida.objects.select_related("plaza__circuit__deck", "season")
        mine = Q(season__circuit=self.directed_circuit, cartel__isnull=False)
        corrida = corridas.filter(mine, pk=data["corrida"]).first()
        if corrida is None:
            raise Problem(422, _("Choose a corrida that has been announced."), field="corrida")
        by = player_of_user(signed_in_user(self), at=now)
        players = people_called(names=data["people"], by=by, at=now)
        match = give_fixture(
            corrida=corrida,
            director=signed_in_user(self),
            players=players,
            deadline=data["deadline"],
            at=now,
            leads=leads_named(data.get("leads"), players),
        )
        table_row = keyed(self.rows().get(match=match))
        way = reverse(
            "api_circuit_table", kwargs={"circuit": self.circuit.slug, "pk": table_row.pk}
        )
        return Response(self.get_serializer(table_row).data, status=201, headers={"Location": way})


@extend_schema_view(get=op("tables_read", TableCorridaOfDirector, problems=(403,)))
class OneTable(_OfDirector, DetailView):
    """One corrida at a real table. DELETE returns it to the season."""

    def get_object(self) -> Any:
        return self.table()

    @op("tables_take_back", status=204)
    @idempotent()
    def delete(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Return the corrida to its season."""
        take_fixture_back(table=self.table(given=True), director=signed_in_user(self))
        return Response(status=204)


class FixtureDeadlineAsked(serializers.Serializer[JSONObject]):
    """The new deadline for the result of a corrida."""

    deadline = serializers.DateTimeField()


class Deadline(_OfDirector):
    """Extends the deadline of a corrida at a real table whose result is not entered yet."""

    @op("tables_extend", TableCorridaOfDirector)
    @idempotent(FixtureDeadlineAsked)
    def put(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Set a later deadline."""
        until = self.read(request)["deadline"]
        table = self.table(given=True)
        extend_deadline(
            table=table, director=signed_in_user(self), deadline=until, at=timezone.now()
        )
        return Response(self.get_serializer(self.table()).data)


class ClubCorridaAsked(AfternoonAsked):
    """A corrida that members of a league play at a real table."""

    players = serializers.ListField(
        child=serializers.SlugField(max_length=80),
        min_length=min(SEATS),
        max_length=max(SEATS),
        help_text="Who of the league sits there, in order.",
    )


@extend_schema_view(get=op("league_table_corridas_list"))
class ClubCorridas(LeagueResource, ListView):
    """A league's corridas at real tables with a result, the latest first. POST begins one."""

    serializer_class = TableCorridaTold
    ordering = ("-pk",)
    queryset = TableCorrida.objects.none()

    @property
    def club(self) -> League:
        """Return the league of the URL. Raise `Http404` for a league of another game."""
        if self.league.game != GAME:
            raise Http404
        return self.league

    def get_queryset(self) -> QuerySet[TableCorrida]:
        return listed().filter(match__league=self.club, match__state__in=LISTED_STATES)

    @op("league_table_corridas_begin", TableCorridaTold, 201)
    @idempotent(ClubCorridaAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Begin a corrida of the league. It counts in no circuit.

        The user must be one of its players or a scorer of the league.
        """
        league, me, data = self.club, self.acting(), self.read(request)
        circuit = circuit_named(self, data["circuit"])
        players = _members(league, data["players"])
        match = begin_table_corrida(
            players=players,
            by=me,
            at=timezone.now(),
            league=league,
            **afternoon(circuit, data, players),
        )
        representation = self.get_serializer(listed().get(match=match)).data
        return Response(
            representation, status=201, headers={"Location": representation["links"]["page"]}
        )


def _members(league: League, slugs: list[str]) -> list[Player]:
    members = {member.player.slug: member.player for member in members_of(league) if member.plays}
    if any(slug not in members for slug in slugs):
        raise Problem(422, _("Choose which league members played."), field="players")
    return [members[slug] for slug in slugs]
