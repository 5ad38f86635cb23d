"""ModelAdmin that detects concurrent edits, records changes in a history and can undo them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from core.keys import parse_key
from corridas.admin.edit_conflicts import OfficeForm
from corridas.admin.scoping import ScopedAdmin, circuits_of_rows
from corridas.models import Change, Circuit, Deck
from corridas.roster.history import Columns, Edit, columns, record_changes
from corridas.roster.queries import KINDS, dependents_of, holders, is_promised, kind_of

if TYPE_CHECKING:
    from accounts.models import User

IN_LIST = re.compile(r"form-\d+-id")
BATCH = "office.batch"
# Maximum number of changes listed on the history page of a row.
MAX_CHANGES = 100


class TrackedAdmin(ScopedAdmin):
    """ModelAdmin that records every change with its author and date, so that it can be undone."""

    form = OfficeForm
    list_form: type[OfficeForm] = OfficeForm
    object_history_template = "admin/corridas/object_history.html"

    def is_promised(self, row: Model) -> bool:
        return is_promised(row)

    def dependents(self, row: Model) -> str:
        """Return the name of the related rows that prevent deleting a row, or an empty string.

        The result is cached on the row.
        """
        known = vars(row)
        if "_dependents" not in known:
            promised = self.is_promised(row)
            known["_dependents"] = _("carteles") if promised else str(dependents_of(row) or "")
        return str(known["_dependents"])

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        may = super().has_delete_permission(request, obj)
        return may and (obj is None or not self.dependents(obj))

    # Locking rows

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """Return the row. For a POST, lock the circuits it belongs to and read the row again."""
        row = super().get_object(request, object_id, from_field)
        if row is None or request.method != "POST":
            return row
        list(holders(row).select_for_update())
        return super().get_object(request, object_id, from_field)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Show or save the form of a row.

        If a table constraint fails because of a simultaneous edit, the view runs again and then
        shows the conflict.
        """
        view = super().changeform_view
        return self._try_twice(request, lambda: view(request, object_id, form_url, extra_context))

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Show or save an editable list. The edited rows are locked before they are read."""
        view = super().changelist_view
        if request.method != "POST" or "_save" not in request.POST:
            return view(request, extra_context)

        def save() -> HttpResponse:
            self._lock_listed(request)
            return view(request, extra_context)

        return self._try_twice(request, save)

    def _try_twice(self, request: HttpRequest, view: Callable[[], HttpResponse]) -> HttpResponse:
        """Run a view in a transaction. If a table constraint fails, run it a second time."""
        for last in (False, True):
            try:
                with transaction.atomic():
                    return view()
            except IntegrityError:
                request.META.pop(BATCH, None)
                if last:
                    break
        messages.error(
            request,
            _("Nothing was saved, because someone else has changed the same rows. Try again."),
        )
        return redirect(request.get_full_path())

    def _lock_listed(self, request: HttpRequest) -> None:
        sent = [str(value) for name, value in request.POST.items() if IN_LIST.fullmatch(name)]
        rows = self.kept_rows(request).filter(pk__in=[parse_key(key) for key in sent])
        held = Circuit.objects.filter(deck__in=rows) if self.model is Deck else None
        circuits = held if held is not None else circuits_of_rows(self, rows.order_by())
        list(circuits.select_for_update())

    def get_changelist_form(self, request: HttpRequest, **kwargs: object) -> Any:
        return super().get_changelist_form(request, **({"form": self.list_form} | kwargs))

    # History of changes

    def save_model(self, request: HttpRequest, obj: Model, form: object, change: bool) -> None:
        before = _as_stored(obj) if change else None
        super().save_model(request, obj, form, change)
        self.record_edits(request, [Edit(obj, before)])

    def save_formset(self, request: HttpRequest, form: object, formset: Any, change: bool) -> None:
        touched = [
            initial_form.instance
            for initial_form in formset.initial_forms
            if initial_form.has_changed()
        ]
        before = {row.pk: _as_stored(row) for row in touched}
        super().save_formset(request, form, formset, change)
        edits = [Edit(row, before[row.pk]) for row, _fields in formset.changed_objects]
        self.record_edits(request, [*edits, *(Edit(row, None) for row in formset.new_objects)])

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        """Delete a row together with its parts, such as the cards of a matador.

        Undoing the change restores all of them.
        """
        parts = list(obj.cards.all()) if hasattr(obj, "cards") and kind_of(obj) != "deck" else []
        self.record_edits(request, [Edit(row, columns(row), removed=True) for row in (*parts, obj)])
        super().delete_model(request, obj)

    def record_edits(self, request: HttpRequest, edits: Iterable[Edit]) -> None:
        """Record edits in the history. All edits of one request form one batch."""
        known = [edit for edit in edits if kind_of(edit.row) in KINDS]
        record_changes(
            edits=known, by=signed_in_user(request), at=timezone.now(), batch=batch_of(request)
        )

    # Deleting rows

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Delete a row, or show a message that names what still depends on it."""
        with transaction.atomic():
            row = self.get_object(request, unquote(object_id))
            if row is not None and super().has_delete_permission(request, None):
                dependents = self.dependents(row)
                if dependents:
                    messages.error(request, self.refusal(row, dependents))
                    return redirect(self.page_of(row))
            return super().delete_view(request, object_id, extra_context)

    def refusal(self, row: Model, dependents: str) -> str:
        return _("%(row)s can’t be deleted. It is still used in: %(what)s.") % {
            "row": row,
            "what": dependents,
        }

    def page_of(self, row: Model) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        changes = self.changes_of(parse_key(unquote(object_id)) or 0)
        changes = changes.select_related("by", "undone_by__by")[:MAX_CHANGES]
        return super().history_view(
            request, object_id, {"changes": changes} | (extra_context or {})
        )

    def changes_of(self, key: int) -> QuerySet[Change]:
        return Change.objects.filter(kind=self.opts.model_name, row=key)


def signed_in_user(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


def batch_of(request: HttpRequest) -> str:
    return str(request.META.setdefault(BATCH, secrets.token_hex(16)))


def _as_stored(row: Model) -> Columns | None:
    stored = type(row)._base_manager.filter(pk=row.pk).first()
    return columns(stored) if stored else None
