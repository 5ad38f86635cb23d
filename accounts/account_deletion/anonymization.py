"""Replacing a deleted user's names in stored text and JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from accounts.account_deletion.registry import Deletion


def replace_names(
    rows: models.QuerySet[Any], fields: Iterable[str], deletion: Deletion
) -> list[Any]:
    """Replace a deleted user's names in these columns and return the keys of the rows changed.

    Only whole words are replaced, in any case. In JSON only string values change, never keys.
    """
    columns = list(fields)
    holding = Q()
    for column in columns:
        for name in deletion.names:
            holding |= Q(**{f"{column}__icontains": name})
    changed = []
    for row in rows.filter(holding).only("pk", *columns):
        before = [getattr(row, column) for column in columns]
        after = [names_replaced(value, deletion) for value in before]
        if before != after:
            for column, value in zip(columns, after, strict=True):
                setattr(row, column, _truncated(row, column, value))
            changed.append(row)
    if changed:
        rows.model._default_manager.bulk_update(changed, columns, batch_size=500)
    return [row.pk for row in changed]


def names_replaced(value: Any, deletion: Deletion) -> Any:
    if isinstance(value, str):
        words = "|".join(map(re.escape, deletion.names))
        pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
        return pattern.sub(lambda match: deletion.alias, value)
    if isinstance(value, list):
        return [names_replaced(item, deletion) for item in value]
    if isinstance(value, dict):
        return {key: names_replaced(item, deletion) for key, item in value.items()}
    return value


def _truncated(row: models.Model, column: str, value: Any) -> Any:
    """Cut a value to the column's length, since an alias may be longer than the name."""
    most = getattr(row._meta.get_field(column), "max_length", None)
    return value[:most] if most and isinstance(value, str) else value
