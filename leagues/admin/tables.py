"""Tables of the site: who sits there and how far they are, hidden things left hidden."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from leagues.admin.office import GameFilter, ReadAdmin, ReadInline
from leagues.models import Table, TableRound, TableSeat


class TableSeatInline(ReadInline):
    """Who sits there."""

    model = TableSeat
    fields = readonly_fields = ("number", "player", "bot", "stand_in", "stood_in")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TableSeat]:
        """With their names."""
        return super().get_queryset(request).select_related("player", "table")


class TableRoundInline(ReadInline):
    """The rounds: each one's promise, and its seed once it is over (Ruling F-2)."""

    model = TableRound
    fields = readonly_fields = ("number", "promise", "opened", "begun_at", "ended_at", "points")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TableRound]:
        """In their order."""
        return super().get_queryset(request).select_related("table")

    @admin.display(description=gettext_lazy("commitment"))
    def promise(self, row: TableRound) -> str:
        """What was public before the round."""
        return bytes(row.commitment).hex()

    @admin.display(description=gettext_lazy("seed"))
    def opened(self, row: TableRound) -> str:
        """The seed of a round that is over; nothing while it goes on."""
        return bytes(row.seed).hex() if row.ended_at is not None else ""


@admin.register(Table)
class TableAdmin(ReadAdmin):
    """Tables of any game."""

    list_display = (
        "id",
        "game_name",
        "state",
        "pace",
        "host",
        "league",
        "moves_made",
        "created_at",
    )
    list_filter = ("state", GameFilter, "pace", "watch")
    list_select_related = ("host", "league")
    search_fields = ("host__name", "seats__player__name")
    date_hierarchy = "created_at"
    inlines = (TableSeatInline, TableRoundInline)
