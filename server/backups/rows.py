"""Database rows as lines of text that are the same for every database.

A line is a JSON array with the row's columns in the order of the model. Values without a JSON type
are written as text: bytes in base64, times in UTC, decimals as digits. JSON columns are written as
text as well.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from django.apps import apps
from django.db import connections, models
from django.db.models.functions import Cast

# Number of rows read from the database at a time.
CHUNK_SIZE: Final = 2_000

# Field types whose values need no conversion between JSON and the database drivers.
PLAIN_FIELDS: Final = frozenset(
    {
        *("AutoField", "BigAutoField", "SmallAutoField", "BooleanField", "FloatField"),
        *("BigIntegerField", "IntegerField", "SmallIntegerField", "PositiveBigIntegerField"),
        *("PositiveIntegerField", "PositiveSmallIntegerField", "CharField", "TextField"),
        *("SlugField", "EmailField", "URLField"),
    }
)

Encode = Callable[[Any], Any]


def tables() -> list[type[models.Model]]:
    """Return a model for every table, sorted by table name, including many-to-many tables."""
    own = (
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    )
    return sorted(own, key=lambda model: model._meta.db_table)


def fields_of(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    return [field for field in model._meta.local_concrete_fields if not field.generated]


def columns_of(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in fields_of(model)]


def read_rows(model: type[models.Model], alias: str) -> Iterator[list[object]]:
    fields = fields_of(model)
    # Read JSON columns as text, to distinguish NULL from the JSON value null.
    texts = {f"{f.attname}_text": Cast(f.attname, models.TextField()) for f in fields if _json(f)}
    names = [f"{f.attname}_text" if _json(f) else f.attname for f in fields]
    rows = model._base_manager.using(alias).annotate(**texts).order_by("pk").values_list(*names)
    encoders = [encoder_of(field) for field in fields]
    for row in rows.iterator(chunk_size=CHUNK_SIZE):
        yield [
            None if value is None else encode(value)
            for encode, value in zip(encoders, row, strict=True)
        ]


def format_row(row: Sequence[object]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def canonical(model: type[models.Model]) -> Callable[[list[object]], bytes]:
    """Return a function that encodes rows for the digest, with sorted keys in JSON columns.

    PostgreSQL stores the keys of JSON objects in its own order, which must not change the digest.
    """
    places = [place for place, field in enumerate(fields_of(model)) if _json(field)]

    def digested(row: list[Any]) -> bytes:
        for place in places:
            if row[place] is not None:
                row = [*row]
                row[place] = json.dumps(json.loads(row[place]), sort_keys=True)
        return format_row(row)

    return digested


def _json(field: models.Field[Any, Any]) -> bool:
    return isinstance(field, models.JSONField)


def _unchanged(value: object) -> Any:
    return value


def encoder_of(field: models.Field[Any, Any]) -> Encode:
    known: dict[str, Encode] = {
        "BinaryField": lambda value: base64.b64encode(bytes(value)).decode("ascii"),
        "DateTimeField": lambda value: value.astimezone(dt.UTC).isoformat(),
        "DateField": lambda value: value.isoformat(),
        "TimeField": lambda value: value.isoformat(),
        "DecimalField": str,
        "UUIDField": str,
        "GenericIPAddressField": str,
        "DurationField": lambda value: value / dt.timedelta(microseconds=1),
    }
    return known.get(_kind(field), _unchanged)


def _kind(field: models.Field[Any, Any]) -> str:
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    return field.get_internal_type()


def decoder_of(field: models.Field[Any, Any], alias: str) -> Encode:
    """Return the function that converts a column's JSON value for the database driver.

    It raises ValueError or ValidationError for an invalid value.
    """
    connection, kind = connections[alias], _kind(field)
    # A custom field with `from_db_value` stores a value that differs from the one read.
    converts = hasattr(field, "from_db_value")
    if _json(field) or (kind in PLAIN_FIELDS and not converts):
        return _unchanged
    if kind == "BinaryField":
        return lambda value: base64.b64decode(value, validate=True)
    if kind == "DurationField":
        return lambda value: field.get_db_prep_save(
            dt.timedelta(microseconds=value), connection=connection
        )
    return lambda value: field.get_db_prep_save(field.to_python(value), connection=connection)
