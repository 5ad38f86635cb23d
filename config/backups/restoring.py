"""Putting a backup back: checked before anything is touched, and all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, transaction

from config.backups.archive import Archive, BackupError, Table
from config.backups.keys import go_on_after
from config.backups.rows import canonical, columns_of, decoder_of, fields_of, read, tables
from config.backups.taking import applied
from config.backups.verifying import rows, verify

if TYPE_CHECKING:
    from django.db import models

AT_ONCE: Final = 500
"""Rows handed to SQLite at a time."""
OF_MIGRATION: Final = {"django_content_type", "auth_permission"}
"""Tables that a fresh database has rows in, none of anybody's."""


def restore(archive: Archive, *, force: bool = False) -> None:
    """Write a backup into the database in use, in one transaction, and read it back.

    The database may be new; one that holds anything is written over with `force` alone. Raises
    BackupError with everything as it was where the backup is damaged or of another version, the
    database is not empty, or what was read back differs.
    """
    verify(archive)
    _bring_tables(archive)
    try:
        with transaction.atomic():
            if not force:
                _check_empty()
            _clear()
            for table, model in _pairs(archive):
                _fill(archive, table, model)
            connection.check_constraints()
            _compare(archive)
    except (DatabaseError, ValidationError, ValueError, TypeError) as error:
        raise BackupError(f"{archive.path} does not fit: {error}") from error


def _bring_tables(archive: Archive) -> None:
    """Make the tables of a database that has none; others are left as they are, or refused."""
    there = applied(DEFAULT_DB_ALIAS)
    if not there:
        call_command("migrate", verbosity=0, interactive=False)
    elif there != archive.migrations:
        raise BackupError(
            "The database has tables in another state than the backup: name a new database in "
            "DATABASE_URL or DATA."
        )


def _pairs(archive: Archive) -> Iterator[tuple[Table, type[models.Model]]]:
    by_name = {model._meta.db_table: model for model in tables()}
    for table in archive.tables:
        yield table, by_name[table.name]


def _check_empty() -> None:
    held = [
        model._meta.db_table
        for model in tables()
        if model._meta.db_table not in OF_MIGRATION and model._base_manager.exists()
    ]
    if held:
        raise BackupError(
            f"The database is not empty ({', '.join(held[:4])}{' ...' if len(held) > 4 else ''}). "
            "Name a new one in DATABASE_URL or DATA, or add --force to write over this one."
        )


def _clear() -> None:
    quote = connection.ops.quote_name
    names = [quote(model._meta.db_table) for model in tables()]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"TRUNCATE {', '.join(names)}")  # and nobody writes meanwhile
            return
        for name in names:  # SQLite looks at keys when the transaction ends
            cursor.execute(f"DELETE FROM {name}")  # noqa: S608 - names of our own tables


def _fill(archive: Archive, table: Table, model: type[models.Model]) -> None:
    decoders = [decoder_of(field, DEFAULT_DB_ALIAS) for field in fields_of(model)]
    decoded = (
        [
            None if value is None else decode(value)
            for decode, value in zip(decoders, row, strict=True)
        ]
        for row in rows(archive, table)
    )
    (_copy if connection.vendor == "postgresql" else _insert)(model, decoded)
    go_on_after(model, table.last, DEFAULT_DB_ALIAS)


def _columns(model: type[models.Model]) -> str:
    return ", ".join(connection.ops.quote_name(name) for name in columns_of(model))


def _copy(model: type[models.Model], values: Iterable[list[Any]]) -> None:
    """PostgreSQL takes rows as a stream: no statement a row, nothing kept in memory."""
    name = connection.ops.quote_name(model._meta.db_table)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {name} ({_columns(model)}) FROM STDIN") as target,
    ):
        for row in values:
            target.write_row(row)


def _insert(model: type[models.Model], values: Iterator[list[Any]]) -> None:
    name = connection.ops.quote_name(model._meta.db_table)
    marks = ", ".join(["%s"] * len(fields_of(model)))
    statement = f"INSERT INTO {name} ({_columns(model)}) VALUES ({marks})"  # noqa: S608
    with connection.cursor() as cursor:
        while some := list(islice(values, AT_ONCE)):
            cursor.executemany(statement, some)


def _compare(archive: Archive) -> None:
    """Raise BackupError where the database does not now hold what the manifest says."""
    for table, model in _pairs(archive):
        sha, count, digested = sha256(), 0, canonical(model)
        for row in read(model, DEFAULT_DB_ALIAS):
            sha.update(digested(row))
            count += 1
        if (count, sha.hexdigest()) != (table.rows, table.sha256):
            raise BackupError(f"{table.name} does not hold what {archive.path} does.")
