"""SQL statements that insert many events and number them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

from django.db import connection

from events.models import Event, Tally

COLUMNS: Final = ("kind", "subject", "data", "at", "circuit", "league", "due")
# Number of rows per INSERT statement. Playing a season records hundreds of events.
INSERT_SIZE: Final = 100
_EVENT: Final = f'"{Event._meta.db_table}"'
_TALLY: Final = f'"{Tally._meta.db_table}"'
_INSERT: Final = f"INSERT INTO {_EVENT} ({', '.join(COLUMNS)}) VALUES "
_ROW: Final = f"({', '.join(['%s'] * len(COLUMNS))})"
_LOCK_TALLY: Final = (
    f"INSERT INTO {_TALLY} (id, last) VALUES (1, 0)"
    f" ON CONFLICT (id) DO UPDATE SET last = {_TALLY}.last RETURNING last"
)
_SET_TALLY: Final = f"UPDATE {_TALLY} SET last = %s WHERE id = 1"
_NUMBER: Final = (
    f"UPDATE {_EVENT} SET number = %s + place.rank FROM ("
    f"SELECT id, row_number() OVER (ORDER BY id) AS rank FROM {_EVENT}"
    " WHERE number IS NULL AND (due IS NULL OR due <= %s) ORDER BY id LIMIT %s"
    f") AS place WHERE {_EVENT}.id = place.id"
)


def insert_events(rows: Sequence[Sequence[Any]]) -> None:
    with connection.cursor() as cursor:
        for start in range(0, len(rows), INSERT_SIZE):
            batch = rows[start : start + INSERT_SIZE]
            places = ", ".join([_ROW] * len(batch))
            cursor.execute(_INSERT + places, [value for row in batch for value in row])


def number_events(at: dt.datetime, limit: int) -> int:
    """Lock the counter, number events due at `at` and return how many were numbered."""
    when = connection.ops.adapt_datetimefield_value(at)
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_TALLY)
        last = cursor.fetchone()[0]
        cursor.execute(_NUMBER, [last, when, limit])
        given = int(cursor.rowcount)
        cursor.execute(_SET_TALLY, [last + given])
    return given
