"""Tables: those one may care about, laying one, and one as it may be seen at this moment."""

from __future__ import annotations

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

from api.filters import Filters, Word
from api.views import Act, Detail, Listing
from leagues import playing
from leagues.api.asking import ByPlayer, op
from leagues.api.people import Person
from leagues.api.seen import TableSeen, told
from leagues.api.tablesettings import NewTable, arguments
from leagues.games import games
from leagues.models import Player, Table, TableSeat
from leagues.operations import tables
from leagues.playing import TableLog
from leagues.playing.log import read
from leagues.queries import tables as listed

TAG: Final = "tables"
WHICH: Final = (("to_sit", "to_sit"), ("to_watch", "to_watch"), ("mine", "mine"))


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


class TableFilter(Filters):
    """Which tables."""

    game = Word()
    which = filters.ChoiceFilter(choices=WHICH, method="only")

    def only(self, rows: Any, name: str, value: str) -> Any:
        """Those to sit down at, to watch, or one's own."""
        player = self.request.parser_context["view"].player
        asked = {
            "to_sit": listed.sitting(timezone.now()),
            "to_watch": listed.watching(),
            "mine": listed.belonging(player),
        }
        return rows.filter(asked[value])


@extend_schema_view(
    get=op("tables_known", TAG, TableLine(many=True)), post=op("tables_lay", TAG, {201: TableSeen})
)
class Tables(ByPlayer, Act, Listing):
    """Tables to sit down at, to watch, and one's own, the latest laid first; a POST lays one."""

    queryset = Table.objects.none()
    serializer_class = TableLine
    asks_for = NewTable
    filterset_class = TableFilter
    ordering = ("-created_at", "-pk")

    def get_queryset(self) -> Any:
        """Those that who asks may care about."""
        seats = TableSeat.objects.select_related("player__merged_into").order_by("number")
        rows = listed.known_to(self.player, timezone.now())
        rows = rows.select_related("league", "host__merged_into")
        return rows.prefetch_related(Prefetch("seats", seats))

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Lay it; one whose seats are all taken begins at once."""
        me = self.acting()
        asked = arguments(self.read(request), me)
        table = tables.lay_table(host=me, at=timezone.now(), **asked)
        at = reverse("api_table", args=[table.pk])
        return Response(as_seen(table.pk, me), status=201, headers={"Location": at})


def as_seen(key: int, player: Player | None) -> dict[str, Any]:
    """A table within the act that changed it: read from its rows, and kept at hand by nobody, for
    the act may still be undone.
    """
    log = read(key)
    seat = log.seat_of(player)
    return told(playing.seen(log, seat=seat, at=timezone.now()), player)


class TableQuestions(serializers.Serializer[Any]):
    """By what a table is known that is not for everybody."""

    invitation = serializers.CharField(
        required=False, allow_blank=True, max_length=43, help_text="The secret of its link."
    )


class OfTable(ByPlayer):
    """A resource of a table: `log` is all that happened there."""

    questions = TableQuestions

    @cached_property
    def log(self) -> TableLog:
        """The table of the address, for who may see it. Raises Http404."""
        log = playing.find(self.kwargs["pk"])
        if log is None or not tables.may_see(log, self.player, linked=self.has_link(log)):
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

    def seen(self) -> playing.Seen:
        """What who asks may see now: from their seat, or as late as watchers do."""
        return playing.seen(self.log, seat=self.seat, at=timezone.now())


@extend_schema_view(get=op("tables_seen", TAG, TableSeen))
class TableOne(OfTable, Detail):
    """The table at this moment: from one's own seat, or as late as watchers see it."""

    serializer_class = TableSeen

    def get_object(self) -> playing.Seen:
        """What is seen of the table of the address."""
        return self.seen()

    def represent(self, row: playing.Seen) -> dict[str, Any]:
        """All that may be told."""
        return told(row, self.player)
