"""Model fields computed from names, by which rows are compared, sorted and found.

`save()` and `bulk_create()` set them. If you pass `update_fields`, include them (`with_keys`).
`QuerySet.update()` does not set them, so save renamed rows one at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q
from django.db.models.functions import Coalesce, Lower

from core.names.text import comparison_key, search_text, sort_key

if TYPE_CHECKING:
    TextField = models.TextField[Any, Any]
else:
    TextField = models.TextField


class DerivedTextField(TextField):
    """Text field that is computed from other columns of the row (`sources`) when it is saved.

    It is compared and sorted by code points on every database.
    """

    compute: Callable[..., str | None]

    def __init__(self, *sources: str, **options: Any) -> None:
        self.sources = sources
        if not options.get("null"):
            options.setdefault("default", "")
            # A database default lets processes of the previous release, which do not know this
            # column, insert rows during an upgrade.
            options.setdefault("db_default", "")
        options.setdefault("editable", False)
        super().__init__(**options)

    def deconstruct(self) -> tuple[str, str, Sequence[object], dict[str, object]]:
        name, path, _arguments, options = super().deconstruct()
        return name, path, self.sources, options

    def value_of(self, row: Mapping[str, object]) -> str | None:
        """Return the field's value for a row with these column values."""
        return type(self).compute(*(row[name] for name in self.sources))

    def pre_save(self, model_instance: models.Model, add: bool) -> str | None:
        value = type(self).compute(*(getattr(model_instance, name) for name in self.sources))
        setattr(model_instance, self.attname, value)
        return value

    def is_missing(self) -> Q:
        """Return the condition for rows in which this field has not been computed."""
        return Q(**{self.name: ""})

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        return by_code_points(super().db_parameters(connection), connection)


class NameKeyField(DerivedTextField):
    """Key by which rows are sorted in Spanish order of a name. Equal names have equal keys.

    With several sources, the first source that is not empty is the name.
    """

    @staticmethod
    def compute(*names: str) -> str | None:
        return sort_key(next(filter(None, names), ""))


# Regular expression for names that sort in Spanish order by their lower-case form. They need no
# key.
PLAIN: Final = "^[A-Za-z]+( [A-Za-z]+)*$"


class SparseNameKeyField(NameKeyField):
    """Like `NameKeyField`, but None if the name itself gives the order.

    This saves space in a table with many rows. Sort by `spanish_order`.
    """

    def __init__(self, *sources: str, **options: object) -> None:
        options.setdefault("null", True)
        super().__init__(*sources, **options)

    @staticmethod
    def compute(*names: str) -> str | None:
        (name,) = names
        return None if re.match(PLAIN, name) else sort_key(name)

    def is_missing(self) -> Q:
        """Return the condition for rows in which this field has not been computed."""
        return Q(**{self.name: None}) & ~Q(**{f"{self.sources[0]}__regex": PLAIN})


def spanish_order(key: str, name: str) -> Coalesce:
    """Return the expression that sorts by a `SparseNameKeyField`, or by the name if it is None."""
    return Coalesce(key, Lower(name), output_field=models.TextField())


class SearchTextField(DerivedTextField):
    """Field with the words by which a row is found in a search.

    The words have no accents, are in lower case, and each follows a space.
    """

    compute = staticmethod(search_text)


class UniqueNameField(TextField):
    """Unique comparison key of another column (`source`).

    The key is None in rows that already had the same name when this column was added. Those rows
    may keep their name, but no other row can get it (`name_is_taken`).
    """

    def __init__(self, source: str, **options: Any) -> None:
        self.source = source
        options.setdefault("null", True)
        options.setdefault("unique", True)
        options.setdefault("editable", False)
        super().__init__(**options)

    def deconstruct(self) -> tuple[str, str, Sequence[object], dict[str, object]]:
        name, path, _arguments, options = super().deconstruct()
        return name, path, (self.source,), options

    def pre_save(self, model_instance: models.Model, add: bool) -> str | None:
        name = getattr(model_instance, self.source)
        value: str | None = comparison_key(name)
        held = getattr(model_instance, self.attname)
        if not add and held is None and self._is_shared(model_instance):
            value = None
        setattr(model_instance, self.attname, value)
        return value

    def _is_shared(self, row: models.Model) -> bool:
        name = getattr(row, self.source)
        return bool(name_is_taken(type(row)._base_manager.exclude(pk=row.pk), self.name, name))

    def db_parameters(self, connection: BaseDatabaseWrapper) -> Any:
        return by_code_points(super().db_parameters(connection), connection)


def by_code_points(parameters: Any, connection: BaseDatabaseWrapper) -> Any:
    """Return a column's parameters so that its texts are sorted and compared by code points."""
    if connection.vendor == "postgresql":
        # Fix the collation, because otherwise the sort order depends on the language of the
        # database server.
        parameters["collation"] = "C"
    return parameters


def name_is_taken(rows: models.QuerySet[Any], column: str, name: str) -> bool:
    """Return whether one of these rows has this name in any case.

    `column` is the name of a `UniqueNameField`.
    """
    field = rows.model._meta.get_field(column)
    key = comparison_key(name)
    if rows.filter(**{column: key}).exists():
        return True
    shared = rows.filter(**{f"{column}__isnull": True}).values_list(field.source, flat=True)
    return any(comparison_key(other) == key for other in shared)


def derived_fields(model: type[models.Model]) -> list[DerivedTextField]:
    """Return the model fields that are computed from names.

    `model` may be a historical model of a migration.
    """
    return [field for field in model._meta.concrete_fields if isinstance(field, DerivedTextField)]


def is_derived(field: models.Field[Any, Any]) -> bool:
    """Return whether the field is computed from others, so that users neither write nor read it."""
    return isinstance(field, DerivedTextField | UniqueNameField)


def with_keys(model: type[models.Model], columns: Iterable[str]) -> list[str]:
    """Return these columns and the fields computed from them, for `update_fields`."""
    changed = list(columns)
    return changed + [field.name for field in _following(model, changed)]


def _following(model: type[models.Model], columns: Iterable[str]) -> list[DerivedTextField]:
    changed = set(columns)
    return [field for field in derived_fields(model) if changed & set(field.sources)]


def bulk_update_with_keys(
    model: type[models.Model], rows: Sequence[models.Model], columns: Iterable[str], batch: int
) -> None:
    """Update these columns and the fields computed from them."""
    changed = list(columns)
    following = _following(model, changed)
    for row in rows:
        for field in following:
            field.pre_save(row, add=False)
    names = [*changed, *(field.name for field in following)]
    model._base_manager.bulk_update(rows, names, batch_size=batch)
