"""API resources of live tables: list, creation, and all actions at a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Final

import django_filters as filters
from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from api.filters import SlugFilter, StrictFilterSet
from api.types import JSON, JSONObject
from api.views import ListView, idempotent
from core.keys import MAX_KEY
from leagues.api.people import Person, RuleOptions
from leagues.api.resources import VisitorResource, op
from leagues.api.tables.serializers import TableSeen, table_data
from leagues.games import games
from leagues.models import Fixture, League, Player, Table, TableSeat
from leagues.permissions import may_view
from leagues.tables import log as table_log
from leagues.tables import permissions as table_permissions
from leagues.tables import queries as table_queries
from leagues.tables import visibility
from leagues.tables.log import TableLog, read_log
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableArguments, TableSettings
from leagues.tables.operations.moves import rematch

if TYPE_CHECKING:
    from leagues.tables.play import MoveResult


class BotSeat(serializers.Serializer[JSONObject]):
    """A bot and the seat it takes."""

    seat = serializers.IntegerField(min_value=0, max_value=5)
    bot = serializers.CharField(max_length=20)


class NewTable(serializers.Serializer[JSONObject]):
    """Game, rules and seats of a table, or a league or fixture that determines them."""

    game = serializers.CharField(max_length=20, required=False, default="")
    profile = serializers.CharField(max_length=30, required=False, default="")
    rules = RuleOptions(required=False, help_text="Options, where the profile is “own”.")
    seats = serializers.IntegerField(min_value=2, max_value=6, required=False, default=2)
    bots = serializers.ListField(child=BotSeat(), required=False, max_length=6)
    host_sits = serializers.BooleanField(required=False, default=True)
    pace = serializers.ChoiceField(
        choices=Table.Pace.values, required=False, default=Table.Pace.LIVE
    )
    allowance = serializers.IntegerField(
        min_value=1,
        max_value=900,
        required=False,
        help_text="A move may take so many seconds (5 to 900), or days (1 to 14), by pace.",
    )
    seating = serializers.ChoiceField(
        choices=Table.Seating.values, required=False, default=Table.Seating.LINK
    )
    watch = serializers.ChoiceField(
        choices=Table.Watch.values, required=False, default=Table.Watch.ANYBODY
    )
    delay = serializers.IntegerField(min_value=0, max_value=3600, required=False, default=30)
    rated = serializers.BooleanField(required=False, default=True)
    league = serializers.SlugField(max_length=80, required=False)
    fixture = serializers.IntegerField(min_value=0, max_value=MAX_KEY, required=False)


def creation_arguments(given: JSONObject, by: Player) -> TableArguments:
    """Return the arguments of `create_table`.

    Raises Http404 for leagues that the user may not see.
    """
    arguments: TableArguments = {
        "house": _settings(given),
        "host_sits": given["host_sits"],
        "bots": {bot["seat"]: bot["bot"] for bot in given.get("bots", ())},
    }
    if "fixture" in given:
        arguments["fixture"] = _fixture(given["fixture"], by)
    elif "league" in given:
        arguments["league"] = _league(given["league"], by)
    else:
        arguments["game"], arguments["profile"] = given["game"], given["profile"]
        arguments["seats"], arguments["options"] = given["seats"], given.get("rules")
    return arguments


def _settings(given: JSONObject) -> TableSettings:
    pace = Table.Pace(given["pace"])
    usual = 60 if pace is Table.Pace.LIVE else 1
    return TableSettings(
        pace=pace,
        allowance=given.get("allowance", usual),
        seating=Table.Seating(given["seating"]),
        watch=Table.Watch(given["watch"]),
        delay=given["delay"],
        rated=given["rated"],
    )


def _league(slug: str, by: Player) -> League:
    league = League.objects.filter(slug=slug).first()
    if league is None or not may_view(by, league, knows_link=True):
        raise Http404
    return league


def _fixture(key: int, by: Player) -> Fixture:
    """Return a fixture that the user may see.

    Primary keys can be guessed. A user who knows the key of a fixture therefore need not have the
    link of its unlisted league.
    """
    fixture = Fixture.objects.select_related("round__league").filter(pk=key).first()
    if fixture is None or not may_view(by, fixture.round.league):
        raise Http404
    return fixture


TAG: Final = "tables"
LIST_CHOICES: Final = (("to_sit", "to_sit"), ("to_watch", "to_watch"), ("mine", "mine"))


class ListedSeat(serializers.ModelSerializer[TableSeat]):
    """A seat with its player, the key of its bot, or neither."""

    player = Person(allow_null=True)

    class Meta:
        model = TableSeat
        fields = ["number", "player", "bot"]


class TableLine(serializers.ModelSerializer[Table]):
    """Summary of a live table."""

    league = serializers.SlugField(source="league.slug", allow_null=True, default=None)
    host = Person()
    state = serializers.SerializerMethodField(help_text="open or playing")
    seats = ListedSeat(many=True)

    class Meta:
        model = Table
        fields = ["id", "game", "profile", "league", "host", "state", "pace", "allowance"]
        fields += ["seating", "watch", "delay", "rated", "created_at", "seats"]

    def get_state(self, row: Table) -> str:
        """State of the table as spectators see it: playing until they have seen the end."""
        return str(Table.State.PLAYING if row.counts_at else row.state)


class TableFilter(StrictFilterSet):
    """Filter of the list of tables."""

    game = SlugFilter()
    which = filters.ChoiceFilter(choices=LIST_CHOICES, method="only")

    def only(self, rows: QuerySet[Table], name: str, value: str) -> QuerySet[Table]:
        """Select tables to join, tables to watch, or the user's own tables."""
        player = self.request.parser_context["view"].player
        choices = {
            "to_sit": table_queries.joinable_tables(timezone.now()),
            "to_watch": table_queries.watchable_tables(),
            "mine": table_queries.own_tables(player),
        }
        return rows.filter(choices[value])


@extend_schema_view(get=op("tables_known", TAG, TableLine(many=True)))
class Tables(VisitorResource, ListView):
    """List tables to join, to watch, and the user's own, latest first. A POST creates a table."""

    queryset = Table.objects.none()
    serializer_class = TableLine
    filterset_class = TableFilter
    ordering = ("-created_at", "-pk")

    def get_queryset(self) -> QuerySet[Table]:
        """Return tables that the user can join or watch, and the user's own tables."""
        seats = TableSeat.objects.select_related("player__merged_into").order_by("number")
        rows = table_queries.tables_known_to(self.player, timezone.now())
        rows = rows.select_related("league", "host__merged_into")
        return rows.prefetch_related(Prefetch("seats", seats))

    @op("tables_lay", TAG, {201: TableSeen})
    @idempotent(NewTable)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Create a table. If all seats are taken, the game begins at once."""
        me = self.acting()
        arguments = creation_arguments(self.read(request), me)
        table = lobby.create_table(host=me, at=timezone.now(), **arguments)
        at = reverse("api_table", args=[table.pk])
        return Response(changed_table(table.pk, me), status=201, headers={"Location": at})


def changed_table(key: int, player: Player | None) -> JSONObject:
    """Return a table within the transaction that changes it.

    It is read from the database, and not cached, because the transaction may still be rolled back.
    """
    log = read_log(key)
    seat = log.seat_of(player)
    return table_data(visibility.view_table(log, seat=seat, at=timezone.now()), player)


class TableQuestions(serializers.Serializer[JSONObject]):
    """Query parameters that give access to a table that is not public."""

    invitation = serializers.CharField(
        required=False, allow_blank=True, max_length=43, help_text="The secret of its link."
    )


class TableResource(VisitorResource):
    """Base resource of a live table. The attribute `log` is its full history."""

    query_serializer_class = TableQuestions

    @cached_property
    def log(self) -> TableLog:
        """Table named in the URL, if the user may see it. Raises Http404."""
        log = table_log.find_log(self.kwargs["pk"])
        if log is None or not table_permissions.may_see(
            log, self.player, linked=self.has_link(log)
        ):
            raise Http404
        if games.find_game(log.table.game) is None:
            raise Http404
        return log

    def lock(self) -> None:
        """Lock the live table named in the URL until the transaction ends."""
        list(Table.objects.select_for_update().filter(pk=self.log.table.pk))
        del self.log

    def has_link(self, log: TableLog) -> bool:
        """True if the request contains the secret of the table's link."""
        given = self.read_query(self.request).get("invitation", "")
        return constant_time_compare(given, log.table.invitation)

    @property
    def seat(self) -> int | None:
        """Seat of the user, or None."""
        return self.log.seat_of(self.player)

    def table_view(self) -> visibility.TableView:
        """Return the table as the user may see it now.

        Players see it from their seat, spectators with a delay.
        """
        return visibility.view_table(self.log, seat=self.seat, at=timezone.now())


TABLE_PARAMETERS: Final = {"parameters": [TableResource.query_serializer_class]}


class Sitting(serializers.Serializer[JSONObject]):
    """The seat to take, by default the first free seat."""

    seat = serializers.IntegerField(min_value=0, max_value=5, required=False)


class BotAsked(serializers.Serializer[JSONObject]):
    """The bot to seat, and its seat."""

    seat = serializers.IntegerField(min_value=0, max_value=5)
    bot = serializers.CharField(max_length=20)


class Freed(serializers.Serializer[JSONObject]):
    """Request to free a seat of a live table."""

    seat = serializers.IntegerField(min_value=0, max_value=5)


class Moving(serializers.Serializer[JSONObject]):
    """A move in the game's notation, or as the fields of its form.

    `seen` is the `moves_made` of the table as the client has read it. If there are more moves by
    now, the answer is 409 and nothing is changed.
    """

    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    move = serializers.CharField(max_length=200, required=False)
    fields_of_form = serializers.DictField(
        child=serializers.CharField(max_length=80, allow_blank=True), required=False
    )


class TableViewSet(ViewSetMixin, TableResource):
    """A live table and the actions at it, which return the table.

    `If-Match` is compared with the table that the client has read.
    """

    def perform(
        self, operation: Callable[..., MoveResult | int | None], request: Request, **given: JSON
    ) -> Response:
        """Perform the operation and return the table."""
        key, me = self.log.table.pk, self.acting()
        self.lock_and_compare(request, lambda: table_data(self.table_view(), self.player))
        operation(table_id=key, player=me, at=timezone.now(), **given)
        return Response(changed_table(key, self.player))

    @op("tables_seen", TAG, TableSeen)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Get the table now, as seen from the user's own seat or with the delay for spectators."""
        return Response(table_data(self.table_view(), self.player))

    @op("tables_sit", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent(Sitting)
    def sit(self, request: Request, pk: int) -> Response:
        """Take a seat, for users who may join or have the link.

        Players who already have a seat stay there.
        """
        seat = self.read(request).get("seat")
        invited = self.has_link(self.log)
        return self.perform(lobby.sit_down, request, seat=seat, invited=invited)

    @op("tables_ask_bot", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent(BotAsked)
    def seat_bot(self, request: Request, pk: int) -> Response:
        """Put a bot in a free seat, for the host of a table outside of leagues."""
        return self.perform(lobby.seat_bot, request, **self.read(request))

    @op("tables_free", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent(Freed)
    def free(self, request: Request, pk: int) -> Response:
        """Remove the player or bot of a seat before the game, for the host."""
        return self.perform(lobby.free_seat, request, **self.read(request))

    @op("tables_stand", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent()
    def stand(self, request: Request, pk: int) -> Response:
        """Leave one's seat before the game."""
        return self.perform(lobby.stand_up, request)

    @op("tables_begin", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent()
    def begin(self, request: Request, pk: int) -> Response:
        """Deal the first round of a full table, for its host."""
        return self.perform(lobby.begin_table, request)

    @op("tables_close", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent()
    def close(self, request: Request, pk: int) -> Response:
        """Close a table before the game, or a game against bots only, for its host."""
        return self.perform(lobby.close_table, request)

    @op("tables_ready", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent()
    def ready(self, request: Request, pk: int) -> Response:
        """Declare oneself ready for the next round."""
        return self.perform(table_moves.say_ready, request)

    @op("tables_leave", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent()
    def leave(self, request: Request, pk: int) -> Response:
        """Leave the game. A bot plays instead."""
        return self.perform(table_moves.leave_game, request)

    @op("tables_come_back", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent()
    def come_back(self, request: Request, pk: int) -> Response:
        """Take one's seat back from the bot that replaced the user."""
        return self.perform(table_moves.come_back, request)

    @op("tables_rematch", TAG, {201: TableSeen}, **TABLE_PARAMETERS)
    @idempotent()
    def rematch(self, request: Request, pk: int) -> Response:
        """Open a rematch with the same players.

        The first request creates it, further requests join it.
        """
        me = self.acting()
        table = rematch(table_id=self.log.table.pk, player=me, at=timezone.now())
        at = reverse("api_table", args=[table.pk])
        return Response(changed_table(table.pk, me), status=201, headers={"Location": at})

    @op("tables_move", TAG, TableSeen, **TABLE_PARAMETERS)
    @idempotent(Moving)
    def move(self, request: Request, pk: int) -> Response:
        """Make a move, for the player whose turn it is.

        If the same request is sent twice, the move is made once. The answer 422 names the ruling
        that forbids the move.
        """
        given = self.read(request)
        fields = dict(given.get("fields_of_form", {}))
        if "move" in given:
            fields = {"move": given["move"]}
        return self.perform(table_moves.make_move, request, seen=given["seen"], fields=fields)
