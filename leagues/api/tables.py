"""Tables: those one may care about, laying one, and one as it may be seen at this moment."""

from __future__ import annotations

from collections.abc import Mapping
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
from leagues.api.people import Person, RuleOptions
from leagues.api.seen import TableSeen, told
from leagues.games import games
from leagues.models import Fixture, League, Player, Table, TableSeat
from leagues.operations import tables
from leagues.operations.tables import House
from leagues.playing import TableLog
from leagues.playing.log import read
from leagues.queries import tables as listed
from leagues.rules import may_view


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


def arguments(given: Mapping[str, Any], by: Player) -> dict[str, Any]:
    """What `lay_table` is asked for. Raises Http404 for a league that may not be seen."""
    asked: dict[str, Any] = {"house": _house(given), "host_sits": given["host_sits"]}
    asked["bots"] = {one["seat"]: one["bot"] for one in given.get("bots", ())}
    if "fixture" in given:
        return asked | {"fixture": _fixture(given["fixture"], by)}
    if "league" in given:
        return asked | {"league": _league(given["league"], by)}
    rules = {"game": given["game"], "profile": given["profile"], "seats": given["seats"]}
    return asked | rules | {"options": given.get("rules")}


def _house(given: Mapping[str, Any]) -> House:
    pace = Table.Pace(given["pace"])
    usual = 60 if pace is Table.Pace.LIVE else 1
    return House(
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
