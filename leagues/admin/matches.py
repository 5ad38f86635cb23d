"""Admin pages of matches, with every version of their sheets and every dispute."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from leagues.admin.read_only import GameFilter, ReadAdmin, ReadInline
from leagues.models import Dispute, Match, MatchSeat, Sheet


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


@admin.register(Match)
class MatchAdmin(ReadAdmin):
    list_display = ("id", "league", "game_name", "state", "origin", "played_at", "entered_by")
    list_filter = ("state", "origin", GameFilter, "rated")
    list_select_related = ("league", "entered_by")
    search_fields = ("league__name", "seats__player__name")
    date_hierarchy = "played_at"
    inlines = (MatchSeatInline, SheetInline, DisputeInline)


@admin.register(Dispute)
class DisputeAdmin(ReadAdmin):
    list_display = ("match", "by", "at", "reason", "settled_at", "settled_by", "settlement")
    list_filter = (("settled_at", admin.EmptyFieldListFilter),)
    list_select_related = ("match", "by", "settled_by")
    ordering = ("-settled_at", "-at")
