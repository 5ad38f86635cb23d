"""Results, ratings and recounts, read-only."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.admin.read_only import GameFilter, ReadAdmin, ReadInline
from leagues.models import Place, Pool, Rating, Recount, Result
from leagues.ratings import pools
from leagues.tasks import send_recounts


class PlaceInline(ReadInline):
    model = Place
    fields = readonly_fields = ("seat", "player", "side", "place", "points", "against")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Place]:
        return super().get_queryset(request).select_related("player")


@admin.register(Result)
class ResultAdmin(ReadAdmin):
    """Results that count. A match has one while it is confirmed or final."""

    list_display = ("match", "league", "game_name", "site", "rated", "played_at")
    list_filter = (GameFilter, "site", "rated")
    list_select_related = ("match", "league")
    search_fields = ("league__name", "placings__player__name")
    date_hierarchy = "played_at"
    inlines = (PlaceInline,)


@admin.register(Pool)
class PoolAdmin(ReadAdmin):
    list_display = ("__str__", "game_name", "version", "stale")
    list_filter = (GameFilter, "stale")
    list_select_related = ("league",)
    search_fields = ("league__name",)
    actions = ("count_anew",)

    @admin.action(description=gettext_lazy("Recalculate"), permissions=["count"])
    def count_anew(self, request: HttpRequest, chosen: QuerySet[Pool]) -> None:
        """Leave them to the workers."""
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
    search_fields = ("player__name", "league__name")
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
