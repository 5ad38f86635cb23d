"""Restricts the admin to the circuits that a user may edit: lists, rows and choices of forms."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest
from django.db.models import Case, ForeignKey, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.keys import parse_key
from core.names.admin import SpanishAdmin
from core.names.forms import CLEAN_COLUMNS
from corridas.admin.filters import ALL, CircuitFilter
from corridas.models import Circuit
from corridas.roster.queries import circuits_of, oversees

if TYPE_CHECKING:
    from django.forms import ModelChoiceField

if TYPE_CHECKING:  # Django's class is generic only in the type stubs
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin


# Fields that must not be used in lookups, because filtering by them would reveal their values.
SECRETS = frozenset({"seed", "lidia", "lidias", "draws", "ends_at"})


class ScopedAdmin(SpanishAdmin):
    """ModelAdmin restricted to rows of circuits that the user may edit.

    `circuit_path` is the lookup from a row to its circuit; it is empty for the circuits themselves.
    `is_named_after_circuit` is true if the text of every row contains the name of its circuit.
    """

    circuit_path = "circuit"
    is_named_after_circuit = False
    formfield_overrides = CLEAN_COLUMNS
    show_full_result_count = False

    def get_list_display(self, request: HttpRequest) -> Any:
        columns = super().get_list_display(request)
        if not self._is_mixed(request) or "circuit" in columns:
            return columns
        return [*columns, "of_circuit"]

    def get_list_select_related(self, request: HttpRequest) -> bool | list[str] | tuple[str, ...]:
        usual = super().get_list_select_related(request)
        if usual is True or not self.circuit_path or not self._is_mixed(request):
            return usual
        return [*(usual or ()), self.circuit_path]

    def _is_mixed(self, request: HttpRequest) -> bool:
        by_circuit = any(
            isinstance(item, type) and issubclass(item, CircuitFilter) for item in self.list_filter
        )
        if not by_circuit or request.GET.get("circuit", ALL) != ALL:
            return False
        return len(circuits_of(request.user)[:2]) > 1

    @admin.display(description=gettext_lazy("circuit"))
    def of_circuit(self, row: Any) -> str:
        return str(reduce(getattr, self.circuit_path.split("__"), row) or "")

    def kept_rows(self, request: HttpRequest) -> QuerySet[Any]:
        """Return all rows of circuits that the user may edit, without annotations.

        Rows of a circuit that is still being copied are left out.
        """
        rows: QuerySet[Any] = self.model._default_manager.all()
        if oversees(request.user):
            if not self.circuit_path:
                return rows
            return rows.exclude(**{f"{self.circuit_path}__incomplete": True})
        kept = circuits_of(request.user)
        return rows.filter(**{f"{self.circuit_path or 'pk'}__in": kept})

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows, ordering = self.kept_rows(request), self.get_ordering(request)
        return rows.order_by(*ordering) if ordering else rows

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: object
    ) -> ModelChoiceField[Any] | None:
        office = self.admin_site._registry.get(db_field.related_model)
        if not isinstance(office, ScopedAdmin):
            return super().formfield_for_foreignkey(db_field, request, **kwargs)
        kwargs.setdefault("queryset", office.choices(request))
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None:
            field.label_from_instance = office.choice_label  # type: ignore[method-assign, assignment]
        return field

    def choices(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows offered as choices in forms of other models.

        Related rows that appear in their labels are loaded with them.
        """
        named = self.list_select_related
        related = [*(named if isinstance(named, tuple) else ()), self.circuit_path]
        return self.kept_rows(request).select_related(*filter(None, related))

    def choice_label(self, row: Any) -> str:
        """Return the label of a row in a list of choices.

        It contains the circuit, because the list may mix rows of several circuits.
        """
        if not self.circuit_path or self.is_named_after_circuit:
            return str(row)
        return " – ".join(filter(None, (str(row), self.of_circuit(row))))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        rows, doubled = super().get_search_results(request, queryset, search_term)
        is_choice = request.resolver_match and request.resolver_match.url_name == "autocomplete"
        if is_choice and self.circuit_path:
            rows = rows.select_related(self.circuit_path)
        return rows, doubled

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions without bulk deletion.

        Before a bulk deletion Django lists all dependent rows, which would reveal results.
        """
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        if SECRETS.intersection(lookup.split("__")):
            return False
        return super().lookup_allowed(lookup, value, request)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Show the list, at first for one circuit only if the user has several.

        Raise `BadRequest` for invalid keys of selected rows, which would cause a server error in
        Django.
        """
        if request.method == "GET" and not request.GET and self._is_mixed(request):
            used = circuits_of(request.user).filter(archived_at=None)
            mine = Case(When(owner=request.user.pk, then=0), default=1)
            first = used.order_by(mine, "pk").first()
            return redirect(f"{request.path}?circuit={first.pk if first else ALL}")
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if None in map(parse_key, chosen):
            raise BadRequest(_("This row does not exist."))
        return super().changelist_view(request, extra_context)


def circuits_of_rows(office: ScopedAdmin, rows: QuerySet[Any]) -> QuerySet[Circuit]:
    keys = rows.values(office.circuit_path or "pk")
    return Circuit.objects.filter(pk__in=keys).order_by("pk")
