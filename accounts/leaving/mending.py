"""Taking a name out of what others have written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from accounts.leaving.farewells import Parting


def mend(rows: models.QuerySet[Any], fields: Iterable[str], parting: Parting) -> list[Any]:
    """Write the alias wherever these columns name the one who leaves; returns the keys of
    the rows changed.

    Whole words only, whatever their case; in JSON, in its texts and never in its keys.
    """
    columns = list(fields)
    holding = Q()
    for column in columns:
        for name in parting.names:
            holding |= Q(**{f"{column}__icontains": name})
    changed = []
    for row in rows.filter(holding).only("pk", *columns):
        before = [getattr(row, column) for column in columns]
        after = [without(value, parting) for value in before]
        if before != after:
            for column, value in zip(columns, after, strict=True):
                setattr(row, column, _fitting(row, column, value))
            changed.append(row)
    if changed:
        rows.model._default_manager.bulk_update(changed, columns, batch_size=500)
    return [row.pk for row in changed]


def without(value: Any, parting: Parting) -> Any:
    """The same value under the alias."""
    if isinstance(value, str):
        return _pattern(parting).sub(lambda found: parting.alias, value)
    if isinstance(value, list):
        return [without(one, parting) for one in value]
    if isinstance(value, dict):
        return {key: without(one, parting) for key, one in value.items()}
    return value


def _pattern(parting: Parting) -> re.Pattern[str]:
    words = "|".join(map(re.escape, parting.names))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _fitting(row: models.Model, column: str, value: Any) -> Any:
    """Cut to what the column holds: an alias may be longer than the name."""
    most = getattr(row._meta.get_field(column), "max_length", None)
    return value[:most] if most and isinstance(value, str) else value
