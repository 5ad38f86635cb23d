"""The rows of a circuit as they were at one moment, and their insertion as another circuit.

The rows wait in temporary tables of the connection. So they are read in one snapshot, which locks
nothing, and can be written in short transactions while others play: SQLite has one lock for all
who write. Keys of copies are as many as there are rows, and come after the last one that the table
has given out to anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from django.db import connection, models, transaction
from django.db.models import Case, F, Max, Q, QuerySet, Value, When

from accounts.models import User
from corridas.models import (
    Award,
    Bull,
    Cartel,
    Circuit,
    Corrida,
    Escalafon,
    Feria,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Palmares,
    Plaza,
    Puesto,
    Record,
    RecordBook,
    Run,
    Season,
    Winter,
)
from search.sql import Keys

Table = type[models.Model]

# What a circuit consists of, parents before children, and how each row is found from the circuit.
# As long as a row names another that is missing, SQLite looks for such rows with every row that it
# inserts: with fifty seasons that took three quarters of the time.
PARTS: Final[Mapping[Table, tuple[str, Q]]] = {
    Plaza: ("circuit", Q()),
    Ganaderia: ("circuit", Q()),
    Matador: ("circuit", Q()),
    MatadorCard: ("matador__circuit", Q()),
    Season: ("circuit", Q()),
    Feria: ("season__circuit", Q()),
    Run: ("season__circuit", Q(ended_at__isnull=False)),
    Corrida: ("season__circuit", Q()),
    Cartel: ("corrida__season__circuit", Q()),
    Bull: ("ganaderia__circuit", Q()),
    Puesto: ("cartel__corrida__season__circuit", Q()),
    Lidia: ("corrida__season__circuit", Q(corrida__state__in=Corrida.OVER)),
    Injury: ("matador__circuit", Q()),
    Escalafon: ("season__circuit", Q()),
    Winter: ("season__circuit", Q()),
    Award: ("season__circuit", Q()),
    RecordBook: ("circuit", Q()),
    Palmares: ("book__circuit", Q()),
    Record: ("book__circuit", Q()),
}
# Corridas that are not over are announced again in the copy.
ANNOUNCED_AGAIN: Final[Mapping[str, object]] = {
    "state": Corrida.State.ANNOUNCED,
    "origin": Corrida.Origin.HERE,
    "queued_at": None,
    "on_air_at": None,
    "ends_at": None,
    "attempts": 0,
    "error": "",
}


@dataclass
class Staged:
    """What waits in the temporary tables. `counts`: rows by table.

    `offsets` are added to the keys there, once they are allotted.
    """

    counts: dict[Table, int]
    offsets: dict[Table, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of rows."""
        return sum(self.counts.values())

    def new_keys(self, model: Table, originals: list[int]) -> dict[int, int]:
        """Return the keys of copies by those of the originals."""
        if not originals:
            return {}
        numbers = ", ".join(str(int(key)) for key in originals)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT original, new FROM {_keys(model)} WHERE original IN ({numbers})"
            )
            return {old: new + self.offsets.get(model, 0) for old, new in cursor.fetchall()}

    def keys(self, model: Table) -> Keys:
        """Return the table with the keys of originals and copies."""
        return Keys(_keys(model), self.offsets.get(model, 0))

    def key_ranges(self, model: Table, size: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of the originals' keys, each with so many rows, without its first number."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT original FROM {_keys(model)} ORDER BY original")
            originals = [key for (key,) in cursor.fetchall()]
        ends = [*originals[size - 1 :: size], *originals[-1:]]
        yield from pairwise([0, *dict.fromkeys(ends)])

    def last_corridas(self) -> dict[int, int]:
        """Return the last corridas of the copied runs."""
        offset, added = self.offsets.get(Run, 0), self.offsets.get(Corrida, 0)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT id, last_id FROM {_rows(Run)} WHERE last_id IS NOT NULL")
            return {run + offset: last + added for run, last in cursor.fetchall()}


def rows_of(model: Table, circuit: Circuit) -> QuerySet[Any]:
    """Return the rows of one table that a copy of the circuit has."""
    path, only = PARTS[model]
    return model._default_manager.filter(only, **{path: circuit}).order_by()


@contextmanager
def staged(circuit: Circuit) -> Iterator[Staged]:
    """Read the rows of a circuit in one snapshot; the temporary tables are dropped at the end."""
    clear()
    try:
        with _snapshot():
            for model in PARTS:
                if model in NAMED:
                    _stage_keys(model, circuit)
            counts = {model: _stage_rows(model, circuit) for model in PARTS}
        yield Staged(counts)
    finally:
        clear()


@contextmanager
def _snapshot() -> Iterator[None]:
    """Read as at one moment, without a lock that keeps anybody from writing."""
    if connection.vendor == "postgresql":
        # A transaction that has begun keeps its isolation.
        begun = connection.in_atomic_block
        with transaction.atomic(), connection.cursor() as cursor:
            if not begun:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
        return
    # SQLite alone has this attribute. IMMEDIATE would take the lock of those who write.
    sqlite: Any = connection
    mode = sqlite.transaction_mode
    sqlite.transaction_mode = "DEFERRED"
    try:
        with transaction.atomic():
            yield
    finally:
        sqlite.transaction_mode = mode


def clear() -> None:
    """Drop the temporary tables."""
    schema = "pg_temp" if connection.vendor == "postgresql" else "temp"
    with connection.cursor() as cursor:
        for model in PARTS:
            cursor.execute(f"DROP TABLE IF EXISTS {schema}.{_rows(model)}")
            cursor.execute(f"DROP TABLE IF EXISTS {schema}.{_keys(model)}")


def _keyed(model: Table) -> Table:
    """Return the model whose keys this one has: a cartel has the key of its corrida."""
    parent = model._meta.pk.related_model
    return _keyed(parent) if isinstance(parent, type) else model


NAMED: Final = {
    _keyed(related)
    for model in PARTS
    for related in (each.related_model for each in model._meta.concrete_fields)
    if isinstance(related, type) and related in PARTS
}
# Tables that rows of others name: their keys are looked up.


def _rows(model: Table) -> str:
    return f"staged_{model._meta.db_table}"


def _keys(model: Table) -> str:
    return f"keys_{model._meta.db_table}"


def _next_key(model: Table, number: str) -> str:
    """Return SQL for the key of a copy. On SQLite it is a number that still lacks its offset."""
    if connection.vendor != "postgresql":
        return number
    return f"nextval(pg_get_serial_sequence('{model._meta.db_table}', '{model._meta.pk.column}'))"


def _stage_keys(model: Table, circuit: Circuit) -> None:
    whole = "bigint" if connection.vendor == "postgresql" else "integer"
    keys = rows_of(model, circuit).order_by("pk").values_list("pk")
    sql, parameters = keys.query.sql_with_params()
    fresh = _next_key(model, "ROW_NUMBER() OVER ()")
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMP TABLE {_keys(model)} (original {whole} PRIMARY KEY, new {whole})"
        )
        cursor.execute(
            f"INSERT INTO {_keys(model)} SELECT source.pk, {fresh} FROM ({sql}) AS source",
            parameters,
        )
        if connection.vendor == "postgresql":
            cursor.execute(f"ANALYZE {_keys(model)}")


def _stage_rows(model: Table, circuit: Circuit) -> int:
    """Read the rows of a table, with the new keys of all rows that they name. Return how many."""
    source = rows_of(model, circuit).annotate(**_source_columns(model))
    fields = model._meta.concrete_fields
    selected = source.values_list(*(f"source_{each.attname}" for each in fields))
    sql, parameters = selected.query.sql_with_params()
    columns, joins = [], []
    if connection.vendor == "postgresql":
        columns.append("ROW_NUMBER() OVER () AS rowid")
    for number, each in enumerate(fields):
        value = f"source.source_{each.attname}"
        named = model if each.primary_key else each.related_model
        named = _keyed(named) if isinstance(named, type) and named in PARTS else None
        if named in NAMED:
            joins.append(f"LEFT JOIN {_keys(named)} k{number} ON k{number}.original = {value}")
            value = f"k{number}.new"
        elif each.primary_key:
            value = _next_key(model, "0")
        columns.append(f"{value} AS {connection.ops.quote_name(str(each.column))}")
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMP TABLE {_rows(model)} AS SELECT {', '.join(columns)} "
            f"FROM ({sql}) AS source {' '.join(joins)}",
            parameters,
        )
        cursor.execute(f"SELECT COUNT(*) FROM {_rows(model)}")
        return int(cursor.fetchone()[0])


def _source_columns(model: Table) -> dict[str, Any]:
    """Return the value of every column, before keys are replaced."""
    columns: dict[str, Any] = {}
    for each in model._meta.concrete_fields:
        value: Any = F(each.attname)
        if model is Corrida and each.attname in ANNOUNCED_AGAIN:
            again = Value(ANNOUNCED_AGAIN[each.attname], output_field=each)
            value = Case(When(state__in=Corrida.OVER, then=value), default=again)
        columns[f"source_{each.attname}"] = value
    return columns


def allot_keys(staged: Staged) -> None:
    """Take as many keys as there are rows, after the last ones given out. Call in a transaction.

    On PostgreSQL every key was taken from its sequence when its row was read.
    """
    if connection.vendor == "postgresql":
        return
    for model, count in staged.counts.items():
        if count and _keyed(model) is model:
            staged.offsets[model] = _allot(model, count)


def _allot(model: Table, count: int) -> int:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
        highest = model._base_manager.aggregate(key=Max("pk"))["key"] or 0
        last = max(highest, found[0] if found else 0)
        if found:
            statement = "UPDATE sqlite_sequence SET seq = %s WHERE name = %s"
        else:
            statement = "INSERT INTO sqlite_sequence (seq, name) VALUES (%s, %s)"
        cursor.execute(statement, [last + count, table])
    return int(last)


@dataclass(frozen=True)
class Target:
    """The circuit and the user, by key, to whom all rows of a copy belong."""

    circuit: int
    user: int


def insert_rows(model: Table, staged: Staged, to: Target, *, after: int, until: int) -> None:
    """Insert the staged rows of a table with these numbers, counted from 1 and `until` included.

    Runs are inserted without their last corridas, which come after them.
    """
    fields = model._meta.concrete_fields
    values = ", ".join(_value(model, each, staged, to) for each in fields)
    names = ", ".join(connection.ops.quote_name(str(each.column)) for each in fields)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {values} FROM {_rows(model)} "
            f"WHERE rowid > {int(after)} AND rowid <= {int(until)} ORDER BY rowid"
        )


def _value(model: Table, each: Any, staged: Staged, to: Target) -> str:
    column = str(connection.ops.quote_name(str(each.column)))
    if each.related_model is Circuit:
        return str(int(to.circuit))
    if each.related_model is User:
        return str(int(to.user))
    if model is Run and each.related_model is Corrida:
        return "NULL"
    named = model if each.primary_key else each.related_model
    if not (isinstance(named, type) and named in PARTS):
        return column
    offset = staged.offsets.get(_keyed(named), 0)
    if each.primary_key and _keyed(model) is model and model not in NAMED:
        column = column if connection.vendor == "postgresql" else "rowid"
    return f"{column} + {offset}"
