"""Leagues, their members, rounds and fixtures."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from leagues.admin.read_only import GameFilter, ReadAdmin, ReadInline
from leagues.models import Fixture, FixtureSeat, League, Member, Round


class MemberInline(ReadInline):
    model = Member
    fields = readonly_fields = ("player", "role", "plays", "joined_at", "withdrawn_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Member]:
        return super().get_queryset(request).select_related("player", "league")


@admin.register(League)
class LeagueAdmin(ReadAdmin):
    """Leagues with their members. Administrators may change the name."""

    mended = ("name", "about")
    list_display = ("name", "game_name", "format", "visibility", "seats", "size", "closed_at")
    list_filter = (GameFilter, "format", "visibility", ("closed_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "slug")
    date_hierarchy = "created_at"
    inlines = (MemberInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[League]:
        rows: QuerySet[League] = super().get_queryset(request)
        return rows.annotate(members_count=Count("members"))

    @admin.display(description=gettext_lazy("members"), ordering="members_count")
    def size(self, row: Any) -> int:
        return int(row.members_count)


@admin.register(Member)
class MemberAdmin(ReadAdmin):
    list_display = ("player", "league", "role", "plays", "joined_at", "withdrawn_at")
    list_filter = ("role", "plays")
    list_select_related = ("player", "league")
    search_fields = ("player__name", "league__name")


@admin.register(Round)
class RoundAdmin(ReadAdmin):
    list_display = ("league", "number", "drawn_at", "deadline", "closed_at")
    list_select_related = ("league",)
    search_fields = ("league__name",)


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
    search_fields = ("round__league__name", "seats__player__name")
    date_hierarchy = "deadline"
    inlines = (FixtureSeatInline,)

    @admin.display(description=gettext_lazy("league"), ordering="round__league__name")
    def league(self, row: Fixture) -> str:
        return row.round.league.name

    @admin.display(description=gettext_lazy("round"), ordering="round__number")
    def round_number(self, row: Fixture) -> int:
        return row.round.number
