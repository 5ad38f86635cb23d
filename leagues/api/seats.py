"""What is done at a table: sit down, begin, move, leave, come back, once more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Act
from leagues.api.asking import op
from leagues.api.seen import TableSeen, told
from leagues.api.tables import OfTable, as_seen
from leagues.operations import tables
from leagues.operations.tables.rematch import rematch

TAG: Final = "tables"
KNOWN: Final = {"parameters": [OfTable.questions]}


class AtTable(OfTable, Act):
    """An act at a table; `If-Match` holds the table as it was read; the answer is the table."""

    def told(self, **asked: Any) -> Response:
        """The table as it stands after the act."""
        return Response(as_seen(self.kwargs["pk"], self.player))

    def deed(self, operation: Callable[..., Any], request: Request, **given: Any) -> Response:
        """Do it, and tell how the table stands."""
        key, me = self.log.table.pk, self.acting()
        self.hold(request, lambda: told(self.seen(), self.player))
        operation(table_id=key, player=me, at=timezone.now(), **given)
        return self.told()


class Sitting(serializers.Serializer[Any]):
    """Which seat; without it the first that is free."""

    seat = serializers.IntegerField(min_value=0, max_value=5, required=False)


@extend_schema_view(post=op("tables_sit", TAG, TableSeen, **KNOWN))
class TableSit(AtTable):
    """Take a seat; who sits already keeps theirs."""

    asks_for = Sitting

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By whom the table is open to, or who has its link."""
        seat = self.read(request).get("seat")
        invited = self.has_link(self.log)
        return self.deed(tables.sit_down, request, seat=seat, invited=invited)


class BotAsked(serializers.Serializer[Any]):
    """Which bot, and where."""

    seat = serializers.IntegerField(min_value=0, max_value=5)
    bot = serializers.CharField(max_length=20)


@extend_schema_view(post=op("tables_ask_bot", TAG, TableSeen, **KNOWN))
class TableBot(AtTable):
    """Let a bot have a free seat."""

    asks_for = BotAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By the host, and in no league."""
        return self.deed(tables.ask_bot, request, **self.read(request))


class Freed(serializers.Serializer[Any]):
    """Which seat."""

    seat = serializers.IntegerField(min_value=0, max_value=5)


@extend_schema_view(post=op("tables_free", TAG, TableSeen, **KNOWN))
class TableFree(AtTable):
    """Send away who sits there, before the play."""

    asks_for = Freed

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By the host."""
        return self.deed(tables.free_seat, request, **self.read(request))


class _Press(AtTable):
    """One press of a button."""

    operation: Callable[..., Any]

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By whom the button is for."""
        return self.deed(type(self).operation, request)


@extend_schema_view(post=op("tables_stand", TAG, TableSeen, **KNOWN))
class TableStand(_Press):
    """Leave one's seat before the play."""

    operation = staticmethod(tables.stand_up)


@extend_schema_view(post=op("tables_begin", TAG, TableSeen, **KNOWN))
class TableBegin(_Press):
    """Deal the first round of a full table; by its host."""

    operation = staticmethod(tables.begin)


@extend_schema_view(post=op("tables_close", TAG, TableSeen, **KNOWN))
class TableClose(_Press):
    """Give a table up before the play, or one at which its host plays against bots; by its host."""

    operation = staticmethod(tables.close_table)


@extend_schema_view(post=op("tables_ready", TAG, TableSeen, **KNOWN))
class TableReady(_Press):
    """Be ready for the next round."""

    operation = staticmethod(tables.say_ready)


@extend_schema_view(post=op("tables_leave", TAG, TableSeen, **KNOWN))
class TableLeave(_Press):
    """Let a bot play on in one's stead."""

    operation = staticmethod(tables.leave)


@extend_schema_view(post=op("tables_come_back", TAG, TableSeen, **KNOWN))
class TableBack(_Press):
    """Take one's seat back from the bot."""

    operation = staticmethod(tables.come_back)


@extend_schema_view(post=op("tables_rematch", TAG, {201: TableSeen}, **KNOWN))
class TableAgain(AtTable):
    """Once more with the same players: laid by the first who asks, found by the others."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who sat there."""
        me = self.acting()
        found = rematch(table_id=self.log.table.pk, player=me, at=timezone.now())
        at = reverse("api_table", args=[found.pk])
        return Response(as_seen(found.pk, me), status=201, headers={"Location": at})


class Moving(serializers.Serializer[Any]):
    """A move in the game's notation, or as the fields of its form; `seen`: the `moves_made` of
    the table as it was read. Where there are more by now, 409, and nothing is done.
    """

    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    move = serializers.CharField(max_length=200, required=False)
    fields_of_form = serializers.DictField(
        child=serializers.CharField(max_length=80, allow_blank=True), required=False
    )


@extend_schema_view(post=op("tables_move", TAG, TableSeen, **KNOWN))
class TableMoving(AtTable):
    """Make a move; sent twice, it is made once. 422 says by which ruling it is refused."""

    asks_for = Moving

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who sits there and is to move."""
        given = self.read(request)
        fields = dict(given.get("fields_of_form", {}))
        if "move" in given:
            fields = {"move": given["move"]}
        return self.deed(tables.make_move, request, seen=given["seen"], fields=fields)
