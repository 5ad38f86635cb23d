"""Admin lists that are sorted by name in Spanish order and searched by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Case, ForeignKey, Model, QuerySet, TextField, Value, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.text import smart_split

from core.names.fields import NameKeyField, SparseNameKeyField, derived_fields, spanish_order
from core.names.text import words_of

if TYPE_CHECKING:  # ModelAdmin is generic only in the type stubs
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin


def order_of_names(model: type[Model], path: str) -> str | Case | Coalesce:
    """Return the expression by which a column of an admin list is sorted.

    `path` is a lookup from the model. Names are sorted by their key columns, and rows that refer to
    a named row are sorted by the key of its name. Other columns are returned unchanged.
    """
    *relations, last = path.split("__")
    is_optional = False
    try:
        for name in relations:
            relation = model._meta.get_field(name)
            if not isinstance(relation, ForeignKey):
                return path
            is_optional |= relation.null
            model = relation.related_model
        field = model._meta.get_field(last)
    except FieldDoesNotExist:
        return path  # an annotation or a lookup
    if isinstance(field, ForeignKey):
        key = _key_of_row(field.related_model)
        relations, is_optional = [*relations, last], is_optional or field.null
    else:
        key = _key_of_column(model, last)
    if key is None:
        return path
    before = "".join(f"{name}__" for name in relations)
    sources = [before + source for source in key.sources]
    order: str | Case | Coalesce = before + key.name
    if isinstance(key, SparseNameKeyField):
        order = spanish_order(before + key.name, *sources)
    elif not isinstance(field, ForeignKey) and len(sources) > 1:
        # Otherwise rows without this name would be sorted by their other name.
        unnamed = When(**{sources[0]: "", "then": Value("")})
        order = Case(unnamed, default=order, output_field=TextField())
    # Some databases sort NULL first, others last.
    return Coalesce(order, Value(""), output_field=TextField()) if is_optional else order


def _name_keys(model: type[Model]) -> list[NameKeyField]:
    return [field for field in derived_fields(model) if isinstance(field, NameKeyField)]


def _key_of_row(model: type[Model]) -> NameKeyField | None:
    """Return the key by which rows of the model are sorted if they are shown by name.

    Pages show the apodo or the name of a matador. Both are sorted by the same key.
    """
    keys = sorted(_name_keys(model), key=lambda key: -len(key.sources))
    return keys[0] if keys else None


def _key_of_column(model: type[Model], column: str) -> NameKeyField | None:
    keys = [key for key in _name_keys(model) if key.sources[0] == column]
    return min(keys, key=lambda key: len(key.sources), default=None)


class SpanishChangeList(ChangeList):
    """Change list in which names, and references to rows with a name, are sorted by their keys."""

    def get_ordering_field(self, field_name: Any) -> Any:
        column = super().get_ordering_field(field_name)
        return order_of_names(self.model, column) if isinstance(column, str) else column


class SpanishAdmin(AnyAdmin):
    def get_changelist(self, request: HttpRequest, **kwargs: object) -> type[ChangeList]:
        return SpanishChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Model], bool]:
        # All parts of the search text have to match. Parts without letters and digits, such as a
        # dash between two words, are left out, because they would match nothing.
        parts = [part for part in smart_split(search_term) if words_of(part)]
        return super().get_search_results(request, queryset, " ".join(parts) or search_term)
