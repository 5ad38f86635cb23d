"""The last primary key assigned in a table, so that it is not assigned again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connections

if TYPE_CHECKING:
    from django.db import models


def last_key(model: type[models.Model], alias: str) -> int | None:
    """Return the last key assigned, or None if keys are not counted or none has been."""
    connection, table = connections[alias], model._meta.db_table
    if not _has_sequence(model):
        return None
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        else:
            cursor.execute(
                "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s))",
                [f'"{table}"', _column(model)],
            )
        found = cursor.fetchone()
    return int(found[0]) if found and found[0] else None


def set_last_key(model: type[models.Model], last: int | None, alias: str) -> None:
    """Continue assigning keys after `last`, or from 1 if it is None."""
    connection, table = connections[alias], model._meta.db_table
    if not _has_sequence(model):
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            if last is not None:
                insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)"
                cursor.execute(insert, [table, last])
        else:
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)",
                [f'"{table}"', _column(model), last or 1, last is not None],
            )


def _has_sequence(model: type[models.Model]) -> bool:
    return "Auto" in model._meta.pk.get_internal_type()


def _column(model: type[models.Model]) -> str:
    return str(model._meta.pk.column)
