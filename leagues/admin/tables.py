"""Admin pages of tables, which hide what spectators have not seen yet."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from django.contrib import admin
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy

from leagues.admin.read_only import GameFilter, ReadAdmin, ReadInline
from leagues.models import Table, TableRound, TableSeat

# Columns that reveal what spectators have not seen yet.
HOW_IT_STANDS: Final = frozenset(
    {
        *("state", "moves_made", "round", "changes", "turn", "deadline", "points", "match"),
        *("failures", "error", "changed_at", "ended_at", "counts_at"),
    }
)


def is_on_air(table: Table) -> bool:
    """Return whether spectators have not yet seen the present state of the table."""
    return bool(table.counts_at) or (table.state == Table.State.PLAYING and table.delay > 0)


class TableSeatInline(ReadInline):
    model = TableSeat
    fields = readonly_fields = ("number", "player", "bot", "stand_in", "stood_in")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TableSeat]:
        return super().get_queryset(request).select_related("player", "table")


class TableRoundInline(ReadInline):
    """Rounds with the digest of their seed, and the seed once the round is over (Ruling F-2)."""

    model = TableRound
    fields = readonly_fields = ("number", "promise", "opened", "begun_at", "ended", "scored")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TableRound]:
        """Return rounds in order. The next one appears once spectators have seen this one end."""
        match = request.resolver_match
        table = Table.objects.get(pk=match.kwargs["object_id"] if match else 0)
        before = TableRound.objects.filter(table=OuterRef("table"), number=OuterRef("number") - 1)
        shown = Q(number=1) | Exists(before.filter(ended_at__lte=timezone.now() - delay_of(table)))
        return super().get_queryset(request).filter(shown).select_related("table")

    @admin.display(description=gettext_lazy("ended"))
    def ended(self, row: TableRound) -> dt.datetime | None:
        """Time of the end, once spectators have seen it."""
        if row.ended_at is None or timezone.now() < row.ended_at + delay_of(row.table):
            return None
        return row.ended_at

    @admin.display(description=gettext_lazy("points by seat"))
    def scored(self, row: TableRound) -> str:
        """Points of the round, once spectators have seen it end."""
        return ", ".join(map(str, row.points)) if self.ended(row) else ""

    @admin.display(description=gettext_lazy("commitment"))
    def promise(self, row: TableRound) -> str:
        return bytes(row.commitment).hex()

    @admin.display(description=gettext_lazy("seed"))
    def opened(self, row: TableRound) -> str:
        """Seed of a finished round, empty while the round goes on."""
        return bytes(row.seed).hex() if self.ended(row) else ""


def delay_of(table: Table) -> dt.timedelta:
    return dt.timedelta(seconds=table.delay)


class StateFilter(admin.SimpleListFilter):
    """Filter by state. Tables whose end spectators have not seen count as being played."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
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
    search_fields = ("host__name", "seats__player__name")
    date_hierarchy = "created_at"
    inlines = (TableSeatInline, TableRoundInline)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        fields = list(super().get_fields(request, obj))
        if not isinstance(obj, Table) or not is_on_air(obj):
            return fields
        return ["shown_state", *(name for name in fields if name not in HOW_IT_STANDS)]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return [*super().get_readonly_fields(request, obj), "shown_state"]

    @admin.display(description=gettext_lazy("state"), ordering="created_at")
    def shown_state(self, row: Table) -> str:
        return str(Table.State.PLAYING.label) if row.counts_at else row.get_state_display()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        asked = lookup.partition("__")[0]
        return asked not in HOW_IT_STANDS and super().lookup_allowed(lookup, value, request)
