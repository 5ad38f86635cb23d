"""Admin lists that are sorted by name in Spanish order and searched by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import smart_split

from core.names.fields import NameKeyField, SparseNameKeyField, derived_fields, spanish_order
from core.names.text import words_of

if TYPE_CHECKING:  # ModelAdmin is generic only in the type stubs
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin


class SpanishChangeList(ChangeList):
    """Change list in which a name column is sorted by the model's key column for it."""

    def get_ordering_field(self, field_name: Any) -> Any:
        column = super().get_ordering_field(field_name)
        for field in derived_fields(self.model):
            if not isinstance(field, NameKeyField) or field.sources != (column,):
                continue
            sparse = isinstance(field, SparseNameKeyField)
            return spanish_order(field.name, *field.sources) if sparse else field.name
        return column


class SpanishAdmin(AnyAdmin):
    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return SpanishChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        # All parts of the search text have to match. Parts without letters and digits, such as a
        # dash between two words, are left out, because they would match nothing.
        parts = [part for part in smart_split(search_term) if words_of(part)]
        return super().get_search_results(request, queryset, " ".join(parts) or search_term)
