"""Compute the fields of `core.names.fields` in rows that were saved without these fields."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any, Final

from django.apps import apps
from django.db import models

from core.names.fields import UniqueNameField, derived_fields
from core.names.text import comparison_key

BATCH_SIZE: Final = 500


def fill_missing_keys() -> None:
    """Compute these fields in rows saved by a process of the previous release."""
    for model in apps.get_models():
        set_keys(model)
        for field in model._meta.concrete_fields:
            rows = model._base_manager
            if isinstance(field, UniqueNameField) and rows.filter(**{field.name: None}).exists():
                set_unique_names(rows.all(), field.name)


def set_keys(model: type[models.Model]) -> None:
    """Compute the derived fields of rows that lack them.

    `model` may be a historical model of a migration.
    """
    derived = derived_fields(model)
    if not derived:
        return
    sources = {source for field in derived for source in field.sources}
    missing = reduce(or_, [field.is_missing() for field in derived])
    rows = model._base_manager.filter(missing).only("pk", *sources).order_by("pk")
    found = rows.iterator(chunk_size=BATCH_SIZE)
    while batch := list(islice(found, BATCH_SIZE)):
        for row in batch:
            for field in derived:
                field.pre_save(row, add=False)
        model._base_manager.bulk_update(batch, [field.name for field in derived])


def set_unique_names(rows: models.QuerySet[Any], column: str) -> list[list[object]]:
    """Fill a `UniqueNameField` in rows whose name no other row has.

    Returns the groups of rows that share a name.
    """
    field = rows.model._meta.get_field(column)
    by_name: dict[str, list[object]] = defaultdict(list)
    for row in rows.only("pk", field.source, column).order_by("pk"):
        by_name[comparison_key(getattr(row, field.source))].append(row)
    changed = []
    for key, group in by_name.items():
        value = key if len(group) == 1 else None
        changed += [row for row in group if getattr(row, column) != value]
        for row in group:
            setattr(row, column, value)
    rows.model._base_manager.bulk_update(changed, [column], batch_size=BATCH_SIZE)
    return [group for group in by_name.values() if len(group) > 1]
