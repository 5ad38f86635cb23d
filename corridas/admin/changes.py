"""The history of the rosters: every change with its author and date. Changes can be undone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from corridas.admin.actions import SURE, Action, ReadOnlyAdmin
from corridas.admin.filters import CircuitFilter, ConditionFilter, UndoneFilter
from corridas.admin.tracked import signed_in_user
from corridas.models import Change
from corridas.roster.history import undo, undo_batch
from corridas.roster.queries import KINDS, decks_of, oversees


def _check_may(request: HttpRequest, changes: Iterable[Change]) -> None:
    kinds = {change.kind for change in changes}
    if not request.user.has_perms([f"corridas.change_{kind}" for kind in sorted(kinds)]):
        raise PermissionDenied


def _undo(request: HttpRequest, change: Change) -> str:
    _check_may(request, [change])
    undo(change=change, by=signed_in_user(request), at=timezone.now())
    return _("Undone: %s.") % change


def _undo_all(request: HttpRequest, change: Change) -> str:
    _check_may(request, Change.objects.filter(batch=change.batch) if change.batch else [change])
    taken = undo_batch(batch=change.batch, by=signed_in_user(request), at=timezone.now())
    count = len(taken)
    return ngettext("%(n)s change was undone.", "%(n)s changes were undone.", count) % {"n": count}


def _confirm_undo_all(change: Change) -> list[str]:
    together = Change.objects.filter(batch=change.batch, undone_by=None) if change.batch else ()
    return _confirmation(len(together))


def _confirmation(count: int) -> list[str]:
    if count < 2:
        return []
    message = ngettext(
        "%(count)s change will be undone.", "%(count)s changes will be undone.", count
    )
    return [message % {"count": count}]


UNDO = Action("undo", gettext_lazy("Undo"), _undo, ("corridas.view_change",))
UNDO_ALL = Action(
    "undo-all",
    gettext_lazy("Undo this whole group of changes"),
    _undo_all,
    ("corridas.view_change",),
    _confirm_undo_all,
)


class KindFilter(ConditionFilter):
    title = gettext_lazy("type")
    parameter_name = "kind"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin[Model]
    ) -> list[tuple[str, Any]]:
        return [(kind, model._meta.verbose_name) for kind, model in KINDS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        return queryset.filter(kind=self.value()) if self.value() is not None else queryset


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    """Admin of all changes, the newest first.

    A change can be undone as long as its row has not changed again.
    """

    list_display = ("at", "who", "what", "title", "shown", "is_undone")
    list_display_links = ("at",)
    list_filter = (CircuitFilter, KindFilter, UndoneFilter)
    list_select_related = ("by", "undone_by", "circuit")
    list_per_page = 50
    search_fields = ("search_text__folded", "by__search_text__folded", "=batch")
    search_help_text = gettext_lazy("Name of the row, or of the person who changed it")
    date_hierarchy = "at"
    ordering = ("-pk",)
    verbs = (UNDO, UNDO_ALL)
    actions = ("undo_chosen",)
    fields = ("at", "who", "circuit", "what", "title", "shown", "undone_by")
    readonly_fields = ("who", "what", "shown")

    def kept_rows(self, request: HttpRequest) -> QuerySet[Change]:
        """Return the changes of the circuits and decks that the user may edit."""
        rows: QuerySet[Change] = super().kept_rows(request)
        if oversees(request.user):
            return rows
        decks = Change.objects.filter(kind="deck", row__in=decks_of(request.user).values("pk"))
        return rows | decks

    def offered(self, row: Change) -> Iterable[Action]:
        if row.undone_by_id is None:
            yield UNDO
        if row.batch and Change.objects.filter(batch=row.batch, undone_by=None).count() > 1:
            yield UNDO_ALL

    @admin.display(description=gettext_lazy("who"), ordering="by")
    def who(self, row: Change) -> str:
        return str(row.by) if row.by else _("the site")

    @admin.display(description=gettext_lazy("what"), ordering="kind")
    def what(self, row: Change) -> str:
        model = KINDS.get(row.kind)
        return str(model._meta.verbose_name) if model else row.kind

    @admin.display(description=gettext_lazy("change"))
    def shown(self, row: Change) -> SafeString:
        return SafeString(
            render_to_string("admin/corridas/object_history.html#change", {"change": row})
        )

    @admin.display(description=gettext_lazy("undone"), boolean=True)
    def is_undone(self, row: Change) -> bool:
        return row.undone_by_id is not None

    @admin.action(description=gettext_lazy("Undo the chosen changes"), permissions=["view"])
    def undo_chosen(self, request: HttpRequest, chosen: QuerySet[Change]) -> HttpResponse | None:
        """Undo the selected changes one by one, the newest first.

        Changes that cannot be undone are named in a message.
        """
        _check_may(request, chosen)
        lines = _confirmation(chosen.count())
        if lines and SURE not in request.POST:
            return self.ask(request, UNDO.label, lines, request.get_full_path())
        return self.do_each(request, UNDO, chosen.order_by("-pk"))
