"""What every page of the office has in common: what it hides, locks and lets people do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import F, Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from corridas.models import Circuit, Season
from corridas.operations import OperationError

if TYPE_CHECKING:  # Django's admin takes a type in the stubs only
    from django.contrib.auth.models import AnonymousUser
    from django.urls import URLPattern
    from django.utils.functional import _StrPromise

    from accounts.models import User

    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
    AnyStack = admin.StackedInline[Any, Any]
    RelatedFilter = admin.RelatedFieldListFilter
else:
    AnyAdmin, AnyInline, AnyStack = admin.ModelAdmin, admin.TabularInline, admin.StackedInline
    RelatedFilter = admin.RelatedFieldListFilter

SECRETS = frozenset({"seed", "lidia", "lidias", "draws", "ends_at"})
"""Fields nobody may search by: an address that filters on them would tell what they hold."""


class Verb(NamedTuple):
    """Something to be done with one row: its name in the address, the word on the button.

    `do` returns the sentence to say afterwards and raises `OperationError`; `needs` are the
    permissions, in Django's names.
    """

    name: str
    label: _StrPromise
    do: Callable[[HttpRequest, Any], str]
    needs: tuple[str, ...]

    def allowed(self, user: User | AnonymousUser) -> bool:
        """Whether this person may do it."""
        return user.has_perms(self.needs)


class OfficeAdmin(AnyAdmin):
    """A page of rows that keeps secrets, and locks what a cartel has promised.

    `slug_from` are the fields that the slug of a new row follows while they are written;
    `promised` are fields that are read-only once `is_promised` says so: the commitment of a
    corrida binds them (Ruling F-2). Nothing is deleted in bulk, for Django would list what hangs
    on it, results included.
    """

    verbs: Sequence[Verb] = ()
    promised: Sequence[str] = ()
    show_full_result_count = False
    slug_from: Sequence[str] = ()

    def is_promised(self, row: Any) -> bool:
        """Whether a cartel that hangs binds this row."""
        return False

    def is_used(self, row: Any) -> bool:
        """Whether other rows would be lost with this one, or stand in the way."""
        return self.is_promised(row)

    def holders(self, row: Any) -> QuerySet[Circuit]:
        """The circuits to hold while a row is changed, so that no cartel is hung meanwhile."""
        return Circuit.objects.none()

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        """The row; from then on held, where something is to be saved."""
        row = super().get_object(request, object_id, from_field)
        if row is not None and request.method == "POST":
            list(self.holders(row).select_for_update())
        return row

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save it; pages that are kept until something is posted are made anew."""
        super().save_model(request, obj, form, change)
        told = Season.objects.filter(circuit__in=self.holders(obj))
        told.update(posted_version=F("posted_version") + 1)

    def offered(self, row: Any) -> Iterable[Verb]:
        """The verbs that make sense for a row as it is now."""
        return self.verbs

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Any = None
    ) -> dict[str, Sequence[str]]:
        """The slug of a new row; a row that has an address keeps it."""
        return {"slug": self.slug_from} if obj is None and self.slug_from else {}

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """The usual ones, and what has been promised."""
        usual = tuple(super().get_readonly_fields(request, obj))
        locked = obj is not None and self.is_promised(obj)
        return (*usual, *self.promised) if locked else usual

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only what nothing else rests on."""
        return super().has_delete_permission(request, obj) and (
            obj is None or not self.is_used(obj)
        )

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """All but deletion in bulk."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """No address filters by what is secret."""
        if SECRETS.intersection(lookup.split("__")):
            return False
        return super().lookup_allowed(lookup, value, request)  # type: ignore[arg-type]

    def get_urls(self) -> list[URLPattern]:
        """Django's, and one for the verbs."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_do"
        own = path(
            "<path:object_id>/do/<slug:verb>/", self.admin_site.admin_view(self.do), name=name
        )
        return [own, *super().get_urls()]

    def do(self, request: HttpRequest, object_id: str, verb: str) -> HttpResponse:
        """Do one thing with one row and go back to where it was asked."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = super().get_object(request, object_id)  # held by the operation, not by the page
        found = next((known for known in self.verbs if known.name == verb), None)
        if found is None or not found.allowed(request.user):
            raise PermissionDenied
        if row is None:
            return self._get_obj_does_not_exist_redirect(  # type: ignore[attr-defined,no-any-return]
                request, self.opts, object_id
            )
        self._carry_out(request, found, row)
        return redirect(self._way_back(request, row))

    def do_each(self, request: HttpRequest, verb: Verb, chosen: Iterable[Any]) -> None:
        """Do one thing with every row chosen, and say for each what came of it."""
        for row in chosen:
            self._carry_out(request, verb, row)

    def _carry_out(self, request: HttpRequest, verb: Verb, row: Any) -> None:
        """Do it, say what came of it, and write it into the history of the row."""
        try:
            said = verb.do(request, row)
        except OperationError as error:
            messages.error(request, str(error))
            return
        messages.success(request, said)
        self.log_change(request, row, said)

    def _way_back(self, request: HttpRequest, row: Model) -> str:
        if request.POST.get("back") == "index":
            return reverse("admin:index")
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        """With the buttons of the verbs, and a word on what is locked."""
        row = kwargs.get("obj")
        if row is not None:
            context["verbs"] = [v for v in self.offered(row) if v.allowed(request.user)]
            context["locked"] = bool(self.promised) and self.is_promised(row)
        return super().render_change_form(request, context, *args, **kwargs)


class ReadOnlyAdmin(OfficeAdmin):
    """Rows that only the game writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody writes them by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes them by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody takes them out by hand."""
        return False


class ReadOnlyInline(AnyInline):
    """Rows of the game shown beneath another."""

    extra = 0
    max_num = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody writes them by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes them by hand."""
        return False


class SeasonFilter(RelatedFilter):
    """Seasons by circuit and year, in one query."""

    def field_choices(
        self, field: Any, request: HttpRequest, model_admin: Any
    ) -> list[tuple[str, str | _StrPromise]]:
        """Every season, the newest first."""
        rows = Season.objects.select_related("circuit").order_by("-year", "circuit__name")
        return [(str(season.pk), str(season)) for season in rows]


def said_of_broker(request: HttpRequest, told: bool) -> None:
    """Warn where no worker could be told."""
    if not told:
        messages.warning(request, _("The broker is away: it begins when the broker is back."))
