"""API resources of tables: list, creation, and all actions at a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

import django_filters as filters
from django.db.models import Prefetch
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import SlugFilter, StrictFilterSet
from api.views import ActionView, DetailView, ListView
from leagues.api import VisitorResource, op
from leagues.games import games
from leagues.members.api.serializers import Person, RuleOptions
from leagues.models import Fixture, League, Player, Table, TableSeat
from leagues.permissions import may_view
from leagues.tables import log as table_log
from leagues.tables import permissions as table_permissions
from leagues.tables import queries as table_queries
from leagues.tables import visibility
from leagues.tables.api.serializers import TableSeen, table_data
from leagues.tables.log import TableLog, read_log
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from leagues.tables.operations.lobby import TableSettings
from leagues.tables.operations.moves import rematch


class BotSeat(serializers.Serializer[Any]):
    """A bot by its key, and where it sits."""

    seat = serializers.IntegerField(min_value=0, max_value=5)
    bot = serializers.CharField(max_length=20)


class NewTable(serializers.Serializer[Any]):
    """Game, rules and seats, or a league or one of its fixtures, which bring them."""

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
    fixture = serializers.IntegerField(min_value=0, max_value=2**63 - 1, required=False)


def creation_arguments(given: Mapping[str, Any], by: Player) -> dict[str, Any]:
    """What `create_table` is asked for. Raises Http404 for a league that may not be seen."""
    asked: dict[str, Any] = {"house": _settings(given), "host_sits": given["host_sits"]}
    asked["bots"] = {one["seat"]: one["bot"] for one in given.get("bots", ())}
    if "fixture" in given:
        return asked | {"fixture": _fixture(given["fixture"], by)}
    if "league" in given:
        return asked | {"league": _league(given["league"], by)}
    rules = {"game": given["game"], "profile": given["profile"], "seats": given["seats"]}
    return asked | rules | {"options": given.get("rules")}


def _settings(given: Mapping[str, Any]) -> TableSettings:
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
    found = League.objects.filter(slug=slug).first()
    if found is None or not may_view(by, found, knows_link=True):
        raise Http404
    return found


def _fixture(key: int, by: Player) -> Fixture:
    """Numbers can be counted up: who names one knows no league's address by that."""
    found = Fixture.objects.select_related("round__league").filter(pk=key).first()
    if found is None or not may_view(by, found.round.league):
        raise Http404
    return found


TAG: Final = "tables"
LIST_CHOICES: Final = (("to_sit", "to_sit"), ("to_watch", "to_watch"), ("mine", "mine"))


class ListedSeat(serializers.ModelSerializer[TableSeat]):
    """Who sits there: a player, or a bot by its key, or nobody."""

    player = Person(allow_null=True)

    class Meta:
        model = TableSeat
        fields = ["number", "player", "bot"]


class TableLine(serializers.ModelSerializer[Table]):
    """A table in few words; how it stands its own address tells."""

    league = serializers.SlugField(source="league.slug", allow_null=True, default=None)
    host = Person()
    state = serializers.SerializerMethodField(help_text="open or playing")
    seats = ListedSeat(many=True)

    class Meta:
        model = Table
        fields = ["id", "game", "profile", "league", "host", "state", "pace", "allowance"]
        fields += ["seating", "watch", "delay", "rated", "created_at", "seats"]

    def get_state(self, row: Table) -> str:
        """What is over is being played until whoever watches has seen the end."""
        return str(Table.State.PLAYING if row.counts_at else row.state)


class TableFilter(StrictFilterSet):
    """Which tables."""

    game = SlugFilter()
    which = filters.ChoiceFilter(choices=LIST_CHOICES, method="only")

    def only(self, rows: Any, name: str, value: str) -> Any:
        """Those to sit down at, to watch, or one's own."""
        player = self.request.parser_context["view"].player
        asked = {
            "to_sit": table_queries.joinable_tables(timezone.now()),
            "to_watch": table_queries.watchable_tables(),
            "mine": table_queries.own_tables(player),
        }
        return rows.filter(asked[value])


@extend_schema_view(
    get=op("tables_known", TAG, TableLine(many=True)), post=op("tables_lay", TAG, {201: TableSeen})
)
class Tables(VisitorResource, ActionView, ListView):
    """Tables to sit down at, to watch, and one's own, the latest laid first; a POST lays one."""

    queryset = Table.objects.none()
    serializer_class = TableLine
    asks_for = NewTable
    filterset_class = TableFilter
    ordering = ("-created_at", "-pk")

    def get_queryset(self) -> Any:
        """Those that who asks may care about."""
        seats = TableSeat.objects.select_related("player__merged_into").order_by("number")
        rows = table_queries.tables_known_to(self.player, timezone.now())
        rows = rows.select_related("league", "host__merged_into")
        return rows.prefetch_related(Prefetch("seats", seats))

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Lay it; one whose seats are all taken begins at once."""
        me = self.acting()
        asked = creation_arguments(self.read(request), me)
        table = lobby.create_table(host=me, at=timezone.now(), **asked)
        at = reverse("api_table", args=[table.pk])
        return Response(changed_table(table.pk, me), status=201, headers={"Location": at})


def changed_table(key: int, player: Player | None) -> dict[str, Any]:
    """A table within the act that changed it: read from its rows, and kept at hand by nobody, for
    the act may still be undone.
    """
    log = read_log(key)
    seat = log.seat_of(player)
    return table_data(visibility.view_table(log, seat=seat, at=timezone.now()), player)


class TableQuestions(serializers.Serializer[Any]):
    """By what a table is known that is not for everybody."""

    invitation = serializers.CharField(
        required=False, allow_blank=True, max_length=43, help_text="The secret of its link."
    )


class TableResource(VisitorResource):
    """A resource of a table: `log` is all that happened there."""

    questions = TableQuestions

    @cached_property
    def log(self) -> TableLog:
        """The table of the address, for who may see it. Raises Http404."""
        log = table_log.find_log(self.kwargs["pk"])
        if log is None or not table_permissions.may_see(
            log, self.player, linked=self.has_link(log)
        ):
            raise Http404
        if games.find(log.table.game) is None:
            raise Http404
        return log

    def lock(self) -> None:
        """The table, as every change of it does."""
        list(Table.objects.select_for_update().filter(pk=self.log.table.pk))
        del self.log

    def has_link(self, log: TableLog) -> bool:
        """Whether who asks came by the table's link."""
        given = self.asked(self.request).get("invitation", "")
        return constant_time_compare(given, log.table.invitation)

    @property
    def seat(self) -> int | None:
        """Where who asks sits."""
        return self.log.seat_of(self.player)

    def seen(self) -> visibility.TableView:
        """What who asks may see now: from their seat, or as late as watchers do."""
        return visibility.view_table(self.log, seat=self.seat, at=timezone.now())


@extend_schema_view(get=op("tables_seen", TAG, TableSeen))
class TableOne(TableResource, DetailView):
    """The table at this moment: from one's own seat, or as late as watchers see it."""

    serializer_class = TableSeen

    def get_object(self) -> visibility.TableView:
        """What is seen of the table of the address."""
        return self.seen()

    def represent(self, row: visibility.TableView) -> dict[str, Any]:
        """All that may be told."""
        return table_data(row, self.player)


TABLE_PARAMETERS: Final = {"parameters": [TableResource.questions]}


class TableAction(TableResource, ActionView):
    """An act at a table; `If-Match` holds the table as it was read; the answer is the table."""

    def told(self, **asked: Any) -> Response:
        """The table as it stands after the act."""
        return Response(changed_table(self.kwargs["pk"], self.player))

    def deed(self, operation: Callable[..., Any], request: Request, **given: Any) -> Response:
        """Do it, and tell how the table stands."""
        key, me = self.log.table.pk, self.acting()
        self.hold(request, lambda: table_data(self.seen(), self.player))
        operation(table_id=key, player=me, at=timezone.now(), **given)
        return self.told()


class Sitting(serializers.Serializer[Any]):
    """Which seat; without it the first that is free."""

    seat = serializers.IntegerField(min_value=0, max_value=5, required=False)


@extend_schema_view(post=op("tables_sit", TAG, TableSeen, **TABLE_PARAMETERS))
class TableSit(TableAction):
    """Take a seat; who sits already keeps theirs."""

    asks_for = Sitting

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By whom the table is open to, or who has its link."""
        seat = self.read(request).get("seat")
        invited = self.has_link(self.log)
        return self.deed(lobby.sit_down, request, seat=seat, invited=invited)


class BotAsked(serializers.Serializer[Any]):
    """Which bot, and where."""

    seat = serializers.IntegerField(min_value=0, max_value=5)
    bot = serializers.CharField(max_length=20)


@extend_schema_view(post=op("tables_ask_bot", TAG, TableSeen, **TABLE_PARAMETERS))
class TableBot(TableAction):
    """Let a bot have a free seat."""

    asks_for = BotAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By the host, and in no league."""
        return self.deed(lobby.seat_bot, request, **self.read(request))


class Freed(serializers.Serializer[Any]):
    """Which seat."""

    seat = serializers.IntegerField(min_value=0, max_value=5)


@extend_schema_view(post=op("tables_free", TAG, TableSeen, **TABLE_PARAMETERS))
class TableFree(TableAction):
    """Send away who sits there, before the play."""

    asks_for = Freed

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By the host."""
        return self.deed(lobby.free_seat, request, **self.read(request))


class _SimpleTableAction(TableAction):
    """One press of a button."""

    operation: Callable[..., Any]

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By whom the button is for."""
        return self.deed(type(self).operation, request)


@extend_schema_view(post=op("tables_stand", TAG, TableSeen, **TABLE_PARAMETERS))
class TableStand(_SimpleTableAction):
    """Leave one's seat before the play."""

    operation = staticmethod(lobby.stand_up)


@extend_schema_view(post=op("tables_begin", TAG, TableSeen, **TABLE_PARAMETERS))
class TableBegin(_SimpleTableAction):
    """Deal the first round of a full table; by its host."""

    operation = staticmethod(lobby.begin_table)


@extend_schema_view(post=op("tables_close", TAG, TableSeen, **TABLE_PARAMETERS))
class TableClose(_SimpleTableAction):
    """Give a table up before the play, or one at which its host plays against bots; by its host."""

    operation = staticmethod(lobby.close_table)


@extend_schema_view(post=op("tables_ready", TAG, TableSeen, **TABLE_PARAMETERS))
class TableReady(_SimpleTableAction):
    """Be ready for the next round."""

    operation = staticmethod(table_moves.say_ready)


@extend_schema_view(post=op("tables_leave", TAG, TableSeen, **TABLE_PARAMETERS))
class TableLeave(_SimpleTableAction):
    """Let a bot play on in one's stead."""

    operation = staticmethod(table_moves.leave)


@extend_schema_view(post=op("tables_come_back", TAG, TableSeen, **TABLE_PARAMETERS))
class TableBack(_SimpleTableAction):
    """Take one's seat back from the bot."""

    operation = staticmethod(table_moves.come_back)


@extend_schema_view(post=op("tables_rematch", TAG, {201: TableSeen}, **TABLE_PARAMETERS))
class TableAgain(TableAction):
    """Once more with the same players: laid by the first who asks, found by the others."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who sat there."""
        me = self.acting()
        found = rematch(table_id=self.log.table.pk, player=me, at=timezone.now())
        at = reverse("api_table", args=[found.pk])
        return Response(changed_table(found.pk, me), status=201, headers={"Location": at})


class Moving(serializers.Serializer[Any]):
    """A move in the game's notation, or as the fields of its form; `seen`: the `moves_made` of
    the table as it was read. Where there are more by now, 409, and nothing is done.
    """

    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    move = serializers.CharField(max_length=200, required=False)
    fields_of_form = serializers.DictField(
        child=serializers.CharField(max_length=80, allow_blank=True), required=False
    )


@extend_schema_view(post=op("tables_move", TAG, TableSeen, **TABLE_PARAMETERS))
class TableMoving(TableAction):
    """Make a move; sent twice, it is made once. 422 says by which ruling it is refused."""

    asks_for = Moving

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who sits there and is to move."""
        given = self.read(request)
        fields = dict(given.get("fields_of_form", {}))
        if "move" in given:
            fields = {"move": given["move"]}
        return self.deed(table_moves.make_move, request, seen=given["seen"], fields=fields)
