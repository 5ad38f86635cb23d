"""Reads the rows of a circuit in one snapshot and inserts them as another circuit.

In between, the rows are in temporary tables of the connection. Reading locks nothing, and the rows
can be inserted in short transactions while others write. Each copied row gets a new primary key,
after the last key that its table has assigned.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
    Commitment,
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
    Reservation,
    Run,
    Season,
    Winter,
)
from corridas.search_index import CORRIDA
from corridas.sql import is_postgres
from search.sql import insert_staged_entries, stage_entries

Table = type[models.Model]

# The tables of a circuit, parents before children. Each has the lookup from a row to its circuit,
# and a filter for the rows to copy.
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
    # A copy has no promoters, so nothing is reserved in it. Played corridas have committed to the
    # market's trio.
    Reservation: ("corrida__season__circuit", Q(corrida__state__in=Corrida.OVER)),
    Commitment: ("corrida__season__circuit", Q(corrida__state__in=Corrida.OVER)),
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
# Column values of a copied corrida that is not over yet: it is announced again in the copy.
ANNOUNCED_AGAIN: Final[Mapping[str, object]] = {
    "state": Corrida.State.ANNOUNCED,
    "origin": Corrida.Origin.HERE,
    "queued_at": None,
    "on_air_at": None,
    "ends_at": None,
    "attempts": 0,
    "error": "",
    "house": None,
    "mood": None,
    "turnout": None,
}
# Temporary table with the search entries of corridas. A copied corrida has the same search terms as
# the original, so its entry is copied too.
ENTRIES_TABLE: Final = "staged_entries"


@dataclasses.dataclass
class Staged:
    """The contents of the temporary tables.

    `counts` are the numbers of rows by table. `cards_version` is that of the circuit when they were
    read, which belongs to its cards. `offsets` are numbers, by table, to add to the keys
    in the temporary tables. On PostgreSQL these keys are final and there are no offsets.
    """

    counts: dict[Table, int]
    cards_version: int
    offsets: dict[Table, int] = dataclasses.field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of all staged rows."""
        return sum(self.counts.values())

    def new_keys(self, model: Table, originals: list[int]) -> dict[int, int]:
        """Return the new primary keys of a table by the original keys."""
        if not originals:
            return {}
        numbers = ", ".join(str(int(key)) for key in originals)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT original, new FROM {_keys_table(model)} WHERE original IN ({numbers})"
            )
            return {old: new + self.offsets.get(model, 0) for old, new in cursor.fetchall()}

    def index_corridas(self, circuit: int, *, after: int, until: int) -> None:
        """Add copied corridas to the search index, by ranges of the original keys."""
        insert_staged_entries(
            ENTRIES_TABLE,
            CORRIDA,
            added=self.offsets.get(Corrida, 0),
            scope=circuit,
            after=after,
            until=until,
        )

    def key_ranges(self, model: Table, size: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of original keys with `size` rows each.

        The start of a range is exclusive, its end inclusive.
        """
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT original FROM {_keys_table(model)} ORDER BY original")
            originals = [key for (key,) in cursor.fetchall()]
        ends = [*originals[size - 1 :: size], *originals[-1:]]
        yield from pairwise([0, *dict.fromkeys(ends)])

    def last_corridas(self) -> dict[int, int]:
        """Return the last corrida of each copied run, by the new keys."""
        offset, added = self.offsets.get(Run, 0), self.offsets.get(Corrida, 0)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT id, last_id FROM {_rows_table(Run)} WHERE last_id IS NOT NULL")
            return {run + offset: last + added for run, last in cursor.fetchall()}


def rows_of(model: Table, circuit: Circuit) -> QuerySet[Any]:
    """Return the rows of one table of a circuit that are copied."""
    path, only = PARTS[model]
    return model._default_manager.filter(only, **{path: circuit}).order_by()


@contextmanager
def stage(circuit: Circuit) -> Iterator[Staged]:
    """Read the rows of a circuit in one snapshot into temporary tables.

    The tables are dropped at the end of the block.
    """
    _drop_tables()
    try:
        with _snapshot():
            for model in PARTS:
                if model in REFERENCED:
                    _stage_keys(model, circuit)
            counts = {model: _stage_rows(model, circuit) for model in PARTS}
            stage_entries(ENTRIES_TABLE, CORRIDA, _keys_table(Corrida), scope=circuit.pk)
            versions = Circuit.objects.filter(pk=circuit.pk).values_list("cards_version", flat=True)
            cards_version = versions.first() or circuit.cards_version
        yield Staged(counts, cards_version)
    finally:
        _drop_tables()


@contextmanager
def _snapshot() -> Iterator[None]:
    """Run the block on one snapshot of the database, without a lock that blocks writers."""
    if is_postgres():
        # The isolation level must be set before the transaction begins.
        begun = connection.in_atomic_block
        with transaction.atomic(), connection.cursor() as cursor:
            if not begun:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
        return
    # Only SQLite has this attribute. The mode IMMEDIATE would take the write lock.
    sqlite: Any = connection
    mode = sqlite.transaction_mode
    sqlite.transaction_mode = "DEFERRED"
    try:
        with transaction.atomic():
            yield
    finally:
        sqlite.transaction_mode = mode


def _drop_tables() -> None:
    schema = "pg_temp" if is_postgres() else "temp"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {schema}.{ENTRIES_TABLE}")
        for model in PARTS:
            cursor.execute(f"DROP TABLE IF EXISTS {schema}.{_rows_table(model)}")
            cursor.execute(f"DROP TABLE IF EXISTS {schema}.{_keys_table(model)}")


def _key_model(model: Table) -> Table:
    """Return the model whose primary keys this model shares.

    A cartel, for example, has the key of its corrida.
    """
    parent = model._meta.pk.related_model
    return _key_model(parent) if isinstance(parent, type) else model


# Tables with rows that other rows refer to. Their new keys must be looked up.
REFERENCED: Final = {
    _key_model(related)
    for model in PARTS
    for related in (field.related_model for field in model._meta.concrete_fields)
    if isinstance(related, type) and related in PARTS
}


def _rows_table(model: Table) -> str:
    return f"staged_{model._meta.db_table}"


def _keys_table(model: Table) -> str:
    return f"keys_{model._meta.db_table}"


def _next_key(model: Table, number: str) -> str:
    """Return an SQL expression for a new primary key.

    On SQLite it is `number`, to which an offset is added later.
    """
    if not is_postgres():
        return number
    with connection.cursor() as cursor:
        table, column = model._meta.db_table, model._meta.pk.column
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, column])
        return f"nextval('{cursor.fetchone()[0]}')"


def _stage_keys(model: Table, circuit: Circuit) -> None:
    kind = "bigint" if is_postgres() else "integer"
    keys = rows_of(model, circuit).order_by("pk").values_list("pk")
    sql, parameters = keys.query.sql_with_params()
    new = _next_key(model, "ROW_NUMBER() OVER ()")
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMP TABLE {_keys_table(model)} (original {kind} PRIMARY KEY, new {kind})"
        )
        cursor.execute(
            f"INSERT INTO {_keys_table(model)} SELECT source.pk, {new} FROM ({sql}) AS source",
            parameters,
        )
        if is_postgres():
            cursor.execute(f"ANALYZE {_keys_table(model)}")


def _stage_rows(model: Table, circuit: Circuit) -> int:
    """Read the rows of a table into its temporary table, with new primary keys.

    Return the number of rows.
    """
    source = rows_of(model, circuit).annotate(**_source_columns(model))
    fields = model._meta.concrete_fields
    selected = source.values_list(*(f"source_{field.attname}" for field in fields))
    sql, parameters = selected.query.sql_with_params()
    columns, joins = [], []
    if is_postgres():
        columns.append("ROW_NUMBER() OVER () AS rowid")
    for number, field in enumerate(fields):
        value = f"source.source_{field.attname}"
        named = model if field.primary_key else field.related_model
        named = _key_model(named) if isinstance(named, type) and named in PARTS else None
        if named in REFERENCED:
            keys = f"keys{number}"
            joins.append(f"LEFT JOIN {_keys_table(named)} {keys} ON {keys}.original = {value}")
            value = f"{keys}.new"
        elif field.primary_key:
            value = _next_key(model, "0")
        columns.append(f"{value} AS {connection.ops.quote_name(str(field.column))}")
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TEMP TABLE {_rows_table(model)} AS SELECT {', '.join(columns)} "
            f"FROM ({sql}) AS source {' '.join(joins)}",
            parameters,
        )
        if is_postgres():
            cursor.execute(f"CREATE INDEX ON {_rows_table(model)} (rowid)")
            cursor.execute(f"ANALYZE {_rows_table(model)}")
        cursor.execute(f"SELECT COUNT(*) FROM {_rows_table(model)}")
        return int(cursor.fetchone()[0])


def _source_columns(model: Table) -> dict[str, object]:
    """Return the expressions for all columns of a row, before keys are replaced."""
    columns: dict[str, object] = {}
    for field in model._meta.concrete_fields:
        value: object = F(field.attname)
        if model is Corrida and field.attname in ANNOUNCED_AGAIN:
            again = ANNOUNCED_AGAIN[field.attname]
            # With a JSON field as output field, None would be the JSON value null.
            again = Value(again, output_field=None if again is None else field)
            value = Case(When(state__in=Corrida.OVER, then=value), default=again)
        columns[f"source_{field.attname}"] = value
    return columns


def reserve_keys(staged: Staged) -> None:
    """Reserve a primary key for each staged row on SQLite.

    Call it within a transaction. On PostgreSQL the keys were taken from the sequences when the rows
    were read.
    """
    if is_postgres():
        return
    for model, count in staged.counts.items():
        if count and _key_model(model) is model:
            staged.offsets[model] = _reserve(model, count)


def _reserve(model: Table, count: int) -> int:
    """Reserve this number of keys of a table. Return the last key before them."""
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


@contextmanager
def unchecked_references(model: Table) -> Iterator[None]:
    """Disable SQLite's foreign key checks for tables that refer only to rows of the copy.

    The checks would take a third of the time. Rows of the copy cannot disappear, because nobody
    else sees them and each transaction checks that no other worker has taken over the job. A deck
    may be deleted in the meantime, so tables that refer to decks are checked. Call it outside of
    transactions.
    """
    related = {field.related_model for field in model._meta.concrete_fields}
    if related <= {None, Circuit, User, *PARTS}:
        with connection.constraint_checks_disabled():
            yield
    else:
        yield


def insert_rows(model: Table, staged: Staged, circuit: int, *, after: int, until: int) -> None:
    """Insert staged rows of a table into the real table.

    These are the rows after number `after` up to `until`, counted from 1. Runs are inserted without
    their last corridas, because corridas are inserted later.
    """
    fields = model._meta.concrete_fields
    values = ", ".join(_value(model, field, staged, circuit) for field in fields)
    names = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {values} FROM {_rows_table(model)} "
            f"WHERE rowid > {int(after)} AND rowid <= {int(until)} ORDER BY rowid"
        )


def _value(model: Table, field: Any, staged: Staged, circuit: int) -> str:
    column = str(connection.ops.quote_name(str(field.column)))
    if field.related_model is Circuit:
        return str(int(circuit))
    # The user requested the copy, but not the copied runs.
    if field.related_model is User:
        return "NULL"
    if model is Run and field.related_model is Corrida:
        return "NULL"
    named = model if field.primary_key else field.related_model
    if not (isinstance(named, type) and named in PARTS):
        return column
    offset = staged.offsets.get(_key_model(named), 0)
    if field.primary_key and _key_model(model) is model and model not in REFERENCED:
        column = column if is_postgres() else "rowid"
    return f"{column} + {offset}"
