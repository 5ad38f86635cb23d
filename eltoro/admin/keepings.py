"""Boards of real tables, as people keep them."""

from __future__ import annotations

from django.contrib import admin

from eltoro.models import Keeping
from leagues.admin.read_only import ReadAdmin


@admin.register(Keeping)
class KeepingAdmin(ReadAdmin):
    """What was written, entry by entry; seeds are shown nowhere."""

    list_display = ("match", "league", "mode", "version", "begun_at", "changed_at")
    list_filter = ("mode",)
    list_select_related = ("match__league",)
    search_fields = ("match__league__name", "match__seats__player__name")
    date_hierarchy = "begun_at"

    @admin.display(ordering="match__league__name")
    def league(self, row: Keeping) -> str:
        """Whose match it is."""
        return row.match.league.name if row.match.league else "–"
