"""Players, merges and claims."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.admin.read_only import ReadAdmin
from leagues.exceptions import OperationError
from leagues.members.operations.merging import undo_merge
from leagues.members.operations.players import player_of_user
from leagues.models import Claim, Merge, Player


@admin.register(Player)
class PlayerAdmin(ReadAdmin):
    """Players with their accounts. Guests have none, and merged players point to another player."""

    mended = ("name", "public")
    list_display = ("name", "user", "merged_into", "public", "matches", "created_at")
    list_filter = ("public", ("user", admin.EmptyFieldListFilter))
    list_select_related = ("user", "merged_into")
    search_fields = ("name", "slug", "user__username")
    date_hierarchy = "created_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        rows: QuerySet[Player] = super().get_queryset(request)
        return rows.annotate(sat=Count("match_seats"))

    @admin.display(description=gettext_lazy("matches"), ordering="sat")
    def matches(self, row: Any) -> int:
        return int(row.sat)


@admin.register(Merge)
class MergeAdmin(ReadAdmin):
    list_display = ("absorbed", "kept", "by", "at", "undone_at")
    list_filter = (("undone_at", admin.EmptyFieldListFilter),)
    list_select_related = ("absorbed", "kept", "by")
    search_fields = ("absorbed__name", "kept__name")
    actions = ("undo",)

    @admin.action(description=gettext_lazy("Undo the merge"), permissions=["undo"])
    def undo(self, request: HttpRequest, chosen: QuerySet[Merge]) -> None:
        """Part them again."""
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
