"""Base classes of the admin pages.

They provide read-only rows, locked fields, and buttons for actions on a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _

from corridas.admin.edit_conflicts import SEEN
from corridas.admin.tracked import TrackedAdmin
from corridas.errors import OperationError

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.urls import URLPattern
    from django.utils.functional import _StrPromise

    from accounts.models import User

if TYPE_CHECKING:  # Django's class is generic only in the type stubs
    AnyInline = admin.TabularInline[Any, Any]
    AnyStack = admin.StackedInline[Any, Any]
else:
    AnyInline, AnyStack = admin.TabularInline, admin.StackedInline


# Form field that is present when the user has confirmed an action.
SURE: Final = "sure"


class Action(NamedTuple):
    """An action that the admin offers for one row, as a button.

    `name` is part of its URL. `do` performs the action, returns a success message and raises
    `OperationError`. `needs` are the required Django permissions. `confirmation` returns the
    sentences of a confirmation page; if there are none, the page is skipped.
    """

    name: str
    label: _StrPromise
    do: Callable[[HttpRequest, Any], str]
    needs: tuple[str, ...]
    confirmation: Callable[[Any], list[str]] = lambda _row: []

    def allowed(self, user: User | AnonymousUser) -> bool:
        return user.has_perms(self.needs)


class OfficeAdmin(TrackedAdmin):
    """ModelAdmin that offers actions on a row and locks fields that must not change.

    `slug_from` are the fields from which the slug of a new row is generated. `promised` are fields
    that become read-only once the published commitment of a corrida depends on them (Ruling F-2).
    """

    verbs: Sequence[Action] = ()
    promised: Sequence[str] = ()
    slug_from: Sequence[str] = ()

    def offered(self, row: Any) -> Iterable[Action]:
        return self.verbs

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """Return the visible form fields, without the hidden field that detects edit conflicts."""
        return [name for name in super().get_fields(request, obj) if name != SEEN]

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> dict[str, Sequence[str]]:
        """Prepopulate the slug of a new row only.

        The slug of an existing row is part of URLs and should not change.
        """
        return {"slug": self.slug_from} if obj is None and self.slug_from else {}

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> tuple[str, ...]:
        usual = tuple(super().get_readonly_fields(request, obj))
        locked = obj is not None and self.is_promised(obj)
        return (*usual, *self.promised) if locked else usual

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_do"
        own = path(
            "<path:object_id>/do/<slug:verb>/", self.admin_site.admin_view(self.do), name=name
        )
        return [own, *super().get_urls()]

    def do(self, request: HttpRequest, object_id: str, verb: str) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        # The row is not locked here, because the operation that the action calls locks it.
        row = super().get_object(request, object_id)
        action = next((known for known in self.verbs if known.name == verb), None)
        if action is None or not action.allowed(request.user):
            raise PermissionDenied
        if row is None:
            return self._get_obj_does_not_exist_redirect(  # type: ignore[attr-defined,no-any-return]
                request, self.opts, object_id
            )
        lines = action.confirmation(row)
        if lines and SURE not in request.POST:
            return self.ask(request, action.label, lines, self._way_back(request, row))
        self._carry_out(request, action, row)
        return redirect(self._way_back(request, row))

    def do_each(
        self, request: HttpRequest, verb: Action, chosen: Iterable[Model]
    ) -> HttpResponse | None:
        """Perform an action on every selected row.

        If the action has a confirmation page, show that first.
        """
        rows = list(chosen)
        lines = [line for row in rows for line in verb.confirmation(row)]
        if lines and SURE not in request.POST:
            return self.ask(request, verb.label, lines, request.get_full_path())
        for row in rows:
            self._carry_out(request, verb, row)
        return None

    def ask(
        self, request: HttpRequest, label: _StrPromise, lines: Sequence[str], back: str
    ) -> HttpResponse:
        """Show a confirmation page. Its button submits the same form again, as confirmed."""
        context = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "title": label,
            "lines": lines,
            "back": back,
            "sent": [
                (name, value)
                for name, values in request.POST.lists()
                if name != "csrfmiddlewaretoken"
                for value in values
            ],
            "sure": SURE,
        }
        return TemplateResponse(request, "admin/corridas/ask.html", context)

    def _carry_out(self, request: HttpRequest, verb: Action, row: Model) -> None:
        try:
            message = verb.do(request, row)
        except OperationError as error:
            messages.error(request, str(error))
            return
        messages.success(request, message)
        self.log_change(request, row, message)

    def _way_back(self, request: HttpRequest, row: Model) -> str:
        return reverse("admin:index") if request.POST.get("back") == "index" else self.page_of(row)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, object], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = kwargs.get("obj")
        if row is not None:
            context["verbs"] = [v for v in self.offered(row) if v.allowed(request.user)]
            context["locked"] = bool(self.promised) and self.is_promised(row)
            context["deletion_refusal"] = self.deletion_refusal(request, row)
        return super().render_change_form(request, context, *args, **kwargs)

    def deletion_refusal(self, request: HttpRequest, row: Model) -> str:
        may_delete = TrackedAdmin.has_delete_permission(self, request, None)
        dependents = self.dependents(row) if may_delete else ""
        return self.refusal(row, dependents) if dependents else ""


class ReadOnlyAdmin(OfficeAdmin):
    """ModelAdmin for tables that only the game writes. Users can only view the rows."""

    def deletion_refusal(self, request: HttpRequest, row: Model) -> str:
        return ""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyInline(AnyInline):
    """Inline that shows related rows without allowing changes."""

    extra = 0
    max_num = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def warn_if_broker_is_away(request: HttpRequest, broker_told: bool) -> None:
    if not broker_told:
        messages.warning(
            request,
            _(
                "The task queue is not available at the moment. This task will start as soon as "
                "the queue is back."
            ),
        )
