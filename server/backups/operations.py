"""Create, verify and restore backups."""

from __future__ import annotations

import datetime as dt
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import load_backend

from actas.envelope import SITE_VERSION
from core.sequences import last_key
from search.sql import FULL_TEXT_INDEX
from server.backups.archive import MANIFEST, Archive, BackupError, TableEntry, member
from server.backups.rows import (
    canonical,
    columns_of,
    decoder_of,
    fields_of,
    format_row,
    read_rows,
    tables,
)
from server.backups.sql import clear_tables, insert_rows, set_last_key

if TYPE_CHECKING:
    from django.db import models

ALIAS: Final = "snapshot"


@contextmanager
def snapshot() -> Iterator[str]:
    """Yield the alias of a database connection in a read-only transaction that blocks nobody.

    SQLite's write-ahead log and PostgreSQL's repeatable read show the same state during the whole
    transaction, while other connections write.
    """
    settings = deepcopy(connections["default"].settings_dict)
    settings["OPTIONS"] = _read_only_options(settings["ENGINE"], dict(settings["OPTIONS"]))
    connections[ALIAS] = load_backend(settings["ENGINE"]).DatabaseWrapper(settings, ALIAS)
    try:
        with transaction.atomic(using=ALIAS):
            yield ALIAS
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]


def _read_only_options(engine: str, options: dict[str, object]) -> dict[str, object]:
    if engine.endswith("sqlite3"):
        return options | {"transaction_mode": "DEFERRED"}  # takes no write lock
    from psycopg import IsolationLevel

    return options | {"isolation_level": IsolationLevel.REPEATABLE_READ}


def create_backup(path: Path, *, at: dt.datetime) -> Archive:
    """Write a backup of the database to a new file that only its owner can read.

    Raises BackupError if the file exists, its folder does not exist, or the database has a table
    that belongs to no model.
    """
    if path.exists():
        raise BackupError(f"{path} is there already; a backup never overwrites another.")
    partial = path.with_name(f"{path.name}.partial")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise BackupError(f"{partial} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(descriptor, "wb") as file, snapshot() as alias:
            archive = _write_backup(file, path, alias, at)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    finally:
        partial.unlink(missing_ok=True)
    return archive


def _write_backup(file: IO[bytes], path: Path, alias: str, at: dt.datetime) -> Archive:
    _check_all_tables_known(alias)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as target:
        written = [_write_table(model, alias, target) for model in tables()]
        archive = Archive(
            path=path,
            site=SITE_VERSION,
            engine=connections[alias].vendor,
            taken_at=at.astimezone(dt.UTC).isoformat(),
            migrations=applied_migrations(alias),
            tables=written,
        )
        target.writestr(MANIFEST, archive.manifest())
    return archive


def _write_table(model: type[models.Model], alias: str, target: zipfile.ZipFile) -> TableEntry:
    name, sha, rows, digested = model._meta.db_table, sha256(), 0, canonical(model)
    with target.open(member(name), "w", force_zip64=True) as opened:
        for row in read_rows(model, alias):
            opened.write(format_row(row))
            sha.update(digested(row))
            rows += 1
    return TableEntry(name, columns_of(model), rows, sha.hexdigest(), last_key(model, alias))


def applied_migrations(alias: str) -> list[str]:
    """Return the applied migrations of a database in alphabetical order.

    The result is empty for a new database.
    """
    done = MigrationRecorder(connections[alias]).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in done)


def _check_all_tables_known(alias: str) -> None:
    known = {model._meta.db_table for model in tables()} | {"django_migrations"}
    connection = connections[alias]
    with connection.cursor() as cursor:
        there = {table.name for table in connection.introspection.get_table_list(cursor)}
    # On SQLite, the full-text index of the search consists of tables without models. Triggers fill
    # them, so they need no backup.
    there = {name for name in there if not name.startswith(FULL_TEXT_INDEX)}
    if strangers := sorted(there - known):
        raise BackupError(f"Of {', '.join(strangers)} the site knows nothing: nothing is written.")
    if missing := sorted(known - there):
        raise BackupError(f"{missing[0]} is missing: run `manage.py migrate` first.")


def verify_backup(archive: Archive) -> None:
    """Read every row of a backup and compare the digests with the manifest.

    Raises BackupError at the first difference.
    """
    check_version(archive)
    models = {model._meta.db_table: model for model in tables()}
    for table in archive.tables:
        sha, count, digested = sha256(), 0, canonical(models[table.name])
        for row in rows_of_table(archive, table):
            count += 1
            try:
                sha.update(digested(row))
            except (ValueError, RecursionError) as error:
                raise _damaged_row(archive, table, count) from error
        if (count, sha.hexdigest()) != (table.rows, table.sha256):
            raise BackupError(
                f"{archive.path}: the table {table.name} holds {count} rows that are not the "
                f"{table.rows} of the manifest."
            )


def rows_of_table(archive: Archive, table: TableEntry) -> Iterator[list[object]]:
    """Yield the rows of a table in a backup. Raises BackupError for an invalid row."""
    for number, line in enumerate(archive.lines(table), start=1):
        try:
            row = json.loads(line)
            well_formed = isinstance(row, list) and len(row) == len(table.columns)
        except (ValueError, RecursionError):
            well_formed = False
        if not well_formed:
            raise _damaged_row(archive, table, number)
        yield row


def _damaged_row(archive: Archive, table: TableEntry, number: int) -> BackupError:
    return BackupError(f"{archive.path}: row {number} of {table.name} is damaged.")


def check_version(archive: Archive) -> None:
    """Raise BackupError if the backup's migrations or tables differ from this site's."""
    here = sorted(f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations)
    if here != archive.migrations:
        apart = sorted(set(here) ^ set(archive.migrations))
        raise BackupError(
            f"{archive.path} was taken by version {archive.site} of the site in another state of "
            f"its tables ({', '.join(apart[:5])}): restore it with that version, then upgrade."
        )
    columns_by_table = {table.name: table.columns for table in archive.tables}
    if columns_by_table != {model._meta.db_table: columns_of(model) for model in tables()}:
        raise BackupError(f"{archive.path} holds other tables or columns than this site has.")


# Tables that Django fills in a fresh database.
MIGRATION_TABLES: Final = {"django_content_type", "auth_permission"}


def restore_backup(archive: Archive, *, force: bool = False) -> None:
    """Restore a backup into the database in one transaction, and read the rows back.

    A database that is not empty is only overwritten with `force`. Raises BackupError and changes
    nothing if the backup is damaged or from another version, the database is not empty, or the
    restored rows differ from the backup.
    """
    verify_backup(archive)
    _create_tables(archive)
    try:
        with transaction.atomic():
            if not force:
                _check_empty()
            clear_tables(tables())
            for table, model in _tables_with_models(archive):
                _fill_table(archive, table, model)
            connection.check_constraints()
            _compare_tables(archive)
    except (DatabaseError, ValidationError, ValueError, TypeError) as error:
        raise BackupError(f"{archive.path} does not fit: {error}") from error


def _create_tables(archive: Archive) -> None:
    there = applied_migrations(DEFAULT_DB_ALIAS)
    if not there:
        call_command("migrate", verbosity=0, interactive=False)
    elif there != archive.migrations:
        raise BackupError(
            "The database has tables in another state than the backup: name a new database in "
            "DATABASE_URL or DATA."
        )


def _tables_with_models(archive: Archive) -> Iterator[tuple[TableEntry, type[models.Model]]]:
    by_name = {model._meta.db_table: model for model in tables()}
    for table in archive.tables:
        yield table, by_name[table.name]


def _check_empty() -> None:
    held = [
        model._meta.db_table
        for model in tables()
        if model._meta.db_table not in MIGRATION_TABLES and model._base_manager.exists()
    ]
    if held:
        raise BackupError(
            f"The database is not empty ({', '.join(held[:4])}{' ...' if len(held) > 4 else ''}). "
            "Name a new one in DATABASE_URL or DATA, or add --force to write over this one."
        )


def _fill_table(archive: Archive, table: TableEntry, model: type[models.Model]) -> None:
    decoders = [decoder_of(field, DEFAULT_DB_ALIAS) for field in fields_of(model)]
    decoded = (
        [
            None if value is None else decode(value)
            for decode, value in zip(decoders, row, strict=True)
        ]
        for row in rows_of_table(archive, table)
    )
    insert_rows(model, columns_of(model), decoded)
    set_last_key(model, table.last, DEFAULT_DB_ALIAS)


def _compare_tables(archive: Archive) -> None:
    for table, model in _tables_with_models(archive):
        sha, count, digested = sha256(), 0, canonical(model)
        for row in read_rows(model, DEFAULT_DB_ALIAS):
            sha.update(digested(row))
            count += 1
        if (count, sha.hexdigest()) != (table.rows, table.sha256):
            raise BackupError(f"{table.name} does not hold what {archive.path} does.")
