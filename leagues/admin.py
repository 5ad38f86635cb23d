"""Admin pages of leagues. Names can be changed here, results are read-only.

Actions on leagues and matches are performed on the site, where an administrator has the rights of
an organiser. Seeds and keys are neither shown nor searchable. Admin pages of game tables hide moves
that spectators, who watch with a delay, have not seen yet.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Final

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet, TextField
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.names.admin import SpanishAdmin
from core.names.fields import is_derived
from core.names.forms import CLEAN_COLUMNS, CleanTextField
from leagues.exceptions import OperationError
from leagues.games import games
from leagues.members.operations.merging import undo_merge
from leagues.models import (
    Claim,
    Dispute,
    Fixture,
    FixtureSeat,
    League,
    Match,
    MatchSeat,
    Member,
    Merge,
    Place,
    Player,
    Pool,
    Proposal,
    Rating,
    Recount,
    Result,
    Round,
    Sheet,
    Table,
    TableRound,
    TableSeat,
)
from leagues.players import player_of_user, remember_name
from leagues.ratings import pools
from leagues.ratings.recounts import send_recounts
from leagues.results import touch_league
from leagues.search_index import index_leagues, index_players

if TYPE_CHECKING:  # ModelAdmin is generic in the stubs only
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyAdmin, AnyInline = admin.ModelAdmin, admin.TabularInline


# Fields that admin pages must not filter by, because filters in the URL would reveal their values.
SECRETS = frozenset({"seed", "stake", "invitation", "key", "draft", "rounds"})


class GameFilter(admin.SimpleListFilter):
    title = gettext_lazy("game")
    parameter_name = "game"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]
    ) -> list[tuple[str, str]]:
        return [(game.key, str(game.name)) for game in games.all_games()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        return queryset.filter(game=self.value()) if self.value() else queryset


class ReadAdmin(SpanishAdmin):
    """Base class of admin pages for rows that cannot be edited here, except for
    `editable_fields`.
    """

    editable_fields: tuple[str, ...] = ()
    formfield_overrides = {**CLEAN_COLUMNS, TextField: {"form_class": CleanTextField}}
    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(self.editable_fields) and super().has_change_permission(request, obj)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return self._columns()

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [name for name in self._columns() if name not in self.editable_fields]

    @admin.display(description=gettext_lazy("game"), ordering="game")
    def game_name(self, row: Any) -> str:
        names = {game.key: str(game.name) for game in games.all_games()}
        key: str = row.game
        return names.get(key, key)

    def _columns(self) -> list[str]:
        fields = [field for field in self.opts.fields if not is_derived(field)]
        columns = [field.name for field in fields if field.name != "id"]
        listed = [name for name in columns if name not in SECRETS]
        return ["game_name" if name == "game" else name for name in listed]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        if SECRETS.intersection(lookup.split("__")):
            return False
        return super().lookup_allowed(lookup, value, request)


class ReadInline(AnyInline):
    extra = 0
    max_num = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class MemberInline(ReadInline):
    model = Member
    fields = readonly_fields = ("player", "role", "plays", "joined_at", "withdrawn_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Member]:
        return super().get_queryset(request).select_related("player", "league")


@admin.register(League)
class LeagueAdmin(ReadAdmin):
    """Admin page of leagues with their members. Only the name can be changed."""

    editable_fields = ("name", "about")
    list_display = ("name", "game_name", "format", "visibility", "seats", "size", "closed_at")
    list_filter = (GameFilter, "format", "visibility", ("closed_at", admin.EmptyFieldListFilter))
    search_fields = ("search_text__folded",)
    date_hierarchy = "created_at"
    inlines = (MemberInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[League]:
        rows: QuerySet[League] = super().get_queryset(request)
        return rows.annotate(members_count=Count("members"))

    def save_model(self, request: HttpRequest, obj: Any, form: object, change: bool) -> None:
        super().save_model(request, obj, form, change)
        index_leagues([obj.pk])
        touch_league(obj)

    @admin.display(description=gettext_lazy("members"), ordering="members_count")
    def size(self, row: Any) -> int:
        return int(row.members_count)


@admin.register(Member)
class MemberAdmin(ReadAdmin):
    list_display = ("player", "league", "role", "plays", "joined_at", "withdrawn_at")
    list_filter = ("role", "plays")
    list_select_related = ("player", "league")
    search_fields = ("player__search_text__folded", "league__search_text__folded")


@admin.register(Round)
class RoundAdmin(ReadAdmin):
    list_display = ("league", "number", "drawn_at", "deadline", "closed_at")
    list_select_related = ("league",)
    search_fields = ("league__search_text__folded",)


class FixtureSeatInline(ReadInline):
    model = FixtureSeat
    fields = readonly_fields = ("number", "player", "forfeits")

    def get_queryset(self, request: HttpRequest) -> QuerySet[FixtureSeat]:
        return super().get_queryset(request).select_related("player", "fixture__round__league")


@admin.register(Fixture)
class FixtureAdmin(ReadAdmin):
    list_display = ("league", "round_number", "number", "state", "deadline", "note")
    list_filter = ("state",)
    list_select_related = ("round__league",)
    search_fields = ("round__league__search_text__folded", "seats__player__search_text__folded")
    date_hierarchy = "deadline"
    inlines = (FixtureSeatInline,)

    @admin.display(description=gettext_lazy("league"), ordering="round__league")
    def league(self, row: Fixture) -> str:
        return row.round.league.name

    @admin.display(description=gettext_lazy("round"), ordering="round__number")
    def round_number(self, row: Fixture) -> int:
        return row.round.number


class MatchSeatInline(ReadInline):
    model = MatchSeat
    fields = readonly_fields = ("number", "player", "side")

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchSeat]:
        return super().get_queryset(request).select_related("player")


class SheetInline(ReadInline):
    model = Sheet
    fields = readonly_fields = ("number", "points", "places", "evidence", "by", "at", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Sheet]:
        return super().get_queryset(request).select_related("by", "match")


class DisputeInline(ReadInline):
    model = Dispute
    fields = readonly_fields = ("by", "at", "reason", "settled_at", "settled_by", "settlement")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Dispute]:
        return super().get_queryset(request).select_related("by", "settled_by", "match")


class ProposalInline(ReadInline):
    model = Proposal
    fields = readonly_fields = (
        "by", "at", "outcome", "reason", "answered_at", "answered_by", "accepted",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Proposal]:
        return super().get_queryset(request).select_related("by", "answered_by", "match")


@admin.register(Match)
class MatchAdmin(ReadAdmin):
    list_display = ("id", "league", "game_name", "state", "origin", "played_at", "entered_by")
    list_filter = ("state", "origin", GameFilter, "rated")
    list_select_related = ("league", "entered_by")
    search_fields = ("league__search_text__folded", "seats__player__search_text__folded")
    date_hierarchy = "played_at"
    inlines = (MatchSeatInline, SheetInline, DisputeInline, ProposalInline)


@admin.register(Dispute)
class DisputeAdmin(ReadAdmin):
    list_display = ("match", "by", "at", "reason", "settled_at", "settled_by", "settlement")
    list_filter = (("settled_at", admin.EmptyFieldListFilter),)
    list_select_related = ("match", "by", "settled_by")
    ordering = ("-settled_at", "-at")


@admin.register(Player)
class PlayerAdmin(ReadAdmin):
    """Admin page of players and their accounts.

    Guests are players without an account. Merged players point to the player who replaces them.
    """

    editable_fields = ("name", "public")
    list_display = ("name", "user", "merged_into", "public", "matches", "created_at")
    list_filter = ("public", ("user", admin.EmptyFieldListFilter))
    list_select_related = ("user", "merged_into")
    search_fields = ("search_text__folded", "user__search_text__folded")
    date_hierarchy = "created_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        rows: QuerySet[Player] = super().get_queryset(request)
        return rows.annotate(sat=Count("match_seats"))

    def save_model(self, request: HttpRequest, obj: Any, form: object, change: bool) -> None:
        if change:
            remember_name(Player.objects.get(pk=obj.pk), obj.name)
        super().save_model(request, obj, form, change)
        index_players([obj.pk])
        for league in League.objects.filter(members__player=obj):
            touch_league(league)  # its pages show the new name

    @admin.display(description=gettext_lazy("matches"), ordering="sat")
    def matches(self, row: Any) -> int:
        return int(row.sat)


@admin.register(Merge)
class MergeAdmin(ReadAdmin):
    list_display = ("absorbed", "kept", "by", "at", "undone_at")
    list_filter = (("undone_at", admin.EmptyFieldListFilter),)
    list_select_related = ("absorbed", "kept", "by")
    search_fields = ("absorbed__search_text__folded", "kept__search_text__folded")
    actions = ("undo",)

    @admin.action(description=gettext_lazy("Undo the merge"), permissions=["undo"])
    def undo(self, request: HttpRequest, chosen: QuerySet[Merge]) -> None:
        if not request.user.is_authenticated:
            return
        now = timezone.now()
        by = player_of_user(request.user, at=now)
        for merge in chosen:
            try:
                undo_merge(merge=merge, by=by, at=now)
            except OperationError as error:
                messages.error(request, f"{merge}: {error}")
            else:
                messages.success(request, _("%s: the merge has been undone.") % merge)

    def has_undo_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("leagues.change_merge")


@admin.register(Claim)
class ClaimAdmin(ReadAdmin):
    list_display = ("guest", "by", "at", "answered_at", "granted")
    list_filter = ("granted", ("answered_at", admin.EmptyFieldListFilter))
    list_select_related = ("guest", "by")


class PlaceInline(ReadInline):
    model = Place
    fields = readonly_fields = ("seat", "player", "side", "place", "points", "against")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Place]:
        return super().get_queryset(request).select_related("player")


@admin.register(Result)
class ResultAdmin(ReadAdmin):
    """Admin page of results. A match has a result only while it is confirmed or final."""

    list_display = ("match", "league", "game_name", "site", "rated", "played_at")
    list_filter = (GameFilter, "site", "rated")
    list_select_related = ("match", "league")
    search_fields = ("league__search_text__folded", "placings__player__search_text__folded")
    date_hierarchy = "played_at"
    inlines = (PlaceInline,)


@admin.register(Pool)
class PoolAdmin(ReadAdmin):
    list_display = ("__str__", "game_name", "version", "stale")
    list_filter = (GameFilter, "stale")
    list_select_related = ("league",)
    search_fields = ("league__search_text__folded",)
    actions = ("count_anew",)

    @admin.action(description=gettext_lazy("Recalculate"), permissions=["count"])
    def count_anew(self, request: HttpRequest, chosen: QuerySet[Pool]) -> None:
        with transaction.atomic():
            for pool in chosen:
                pools.request_recount(pool, at=timezone.now())
            transaction.on_commit(send_recounts)
        messages.success(request, _("The recalculation has been queued."))

    def has_count_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("leagues.change_pool")


@admin.register(Rating)
class RatingAdmin(ReadAdmin):
    list_display = ("player", "game_name", "league", "mu", "sigma", "ordinal", "matches")
    list_filter = (GameFilter,)
    list_select_related = ("player", "league")
    search_fields = ("player__search_text__folded", "league__search_text__folded")
    ordering = ("-ordinal",)


@admin.register(Recount)
class RecountAdmin(ReadAdmin):
    list_display = (
        "game_name",
        "league",
        "asked_at",
        "begun_at",
        "done",
        "total",
        "ended_at",
        "error",
    )
    list_filter = (("ended_at", admin.EmptyFieldListFilter),)
    list_select_related = ("league",)
    ordering = ("-asked_at",)


# Columns of a game table that reveal moves which spectators, who watch with a delay, have not seen
# yet.
PRESENT_STATE_COLUMNS: Final = frozenset(
    {
        *("state", "moves_made", "round", "changes", "turn", "deadline", "points", "match"),
        *("failures", "error", "changed_at", "ended_at", "counts_at"),
    }
)


def is_on_air(table: Table) -> bool:
    """Return whether players of the game table have made moves that spectators, who watch with a
    delay, have not seen yet.
    """
    return bool(table.counts_at) or (table.state == Table.State.PLAYING and table.delay > 0)


class TableSeatInline(ReadInline):
    model = TableSeat
    fields = readonly_fields = ("number", "player", "bot", "stand_in", "stood_in")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TableSeat]:
        return super().get_queryset(request).select_related("player", "table")


class TableRoundInline(ReadInline):
    """Rounds of a game table with the published digest of their seed.

    The seed itself is shown once the round is over (Ruling F-2).
    """

    model = TableRound
    fields = readonly_fields = ("number", "promise", "opened", "begun_at", "ended", "scored")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TableRound]:
        """Return the rounds that spectators know of.

        A round appears once spectators, who watch with a delay, have seen the previous round end.
        """
        match = request.resolver_match
        table = Table.objects.get(pk=match.kwargs["object_id"] if match else 0)
        before = TableRound.objects.filter(table=OuterRef("table"), number=OuterRef("number") - 1)
        opened = Q(number=1) | Exists(before.filter(ended_at__lte=timezone.now() - delay_of(table)))
        return super().get_queryset(request).filter(opened).select_related("table")

    @admin.display(description=gettext_lazy("ended"))
    def ended(self, row: TableRound) -> dt.datetime | None:
        if row.ended_at is None or timezone.now() < row.ended_at + delay_of(row.table):
            return None
        return row.ended_at

    @admin.display(description=gettext_lazy("points by seat"))
    def scored(self, row: TableRound) -> str:
        return ", ".join(map(str, row.points)) if self.ended(row) else ""

    @admin.display(description=gettext_lazy("commitment"))
    def promise(self, row: TableRound) -> str:
        return bytes(row.commitment).hex()

    @admin.display(description=gettext_lazy("seed"))
    def opened(self, row: TableRound) -> str:
        return bytes(row.seed).hex() if self.ended(row) else ""


def delay_of(table: Table) -> dt.timedelta:
    return dt.timedelta(seconds=table.delay)


class StateFilter(admin.SimpleListFilter):
    """Filter game tables by state.

    A finished table counts as being played until spectators have seen its end.
    """

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]
    ) -> list[tuple[str, str]]:
        return [(state.value, str(state.label)) for state in Table.State]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        if not self.value():
            return queryset
        chosen = Q(state=self.value(), counts_at=None)
        if self.value() == Table.State.PLAYING:
            chosen |= Q(counts_at__isnull=False)
        return queryset.filter(chosen)


@admin.register(Table)
class TableAdmin(ReadAdmin):
    list_display = (
        "id",
        "game_name",
        "shown_state",
        "pace",
        "host",
        "league",
        "created_at",
    )
    list_filter = (StateFilter, GameFilter, "pace", "watch")
    list_select_related = ("host", "league")
    search_fields = ("host__search_text__folded", "seats__player__search_text__folded")
    date_hierarchy = "created_at"
    inlines = (TableSeatInline, TableRoundInline)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        fields = list(super().get_fields(request, obj))
        if not isinstance(obj, Table) or not is_on_air(obj):
            return fields
        return ["shown_state", *(name for name in fields if name not in PRESENT_STATE_COLUMNS)]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return [*super().get_readonly_fields(request, obj), "shown_state"]

    @admin.display(description=gettext_lazy("state"), ordering="created_at")
    def shown_state(self, row: Table) -> str:
        return str(Table.State.PLAYING.label) if row.counts_at else row.get_state_display()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        if lookup == StateFilter.parameter_name:
            return True  # the filter itself handles tables on air
        column = lookup.partition("__")[0]
        if column in PRESENT_STATE_COLUMNS:
            return False
        return super().lookup_allowed(lookup, value, request)
