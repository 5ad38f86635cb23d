"""Whether a backup is what its manifest says, without touching any database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from django.db.migrations.loader import MigrationLoader

from config.backups.archive import Archive, BackupError, Table
from config.backups.rows import canonical, columns_of, tables


def verify(archive: Archive) -> None:
    """Read every row and compare. Raises BackupError at the first thing that is not as told."""
    check_version(archive)
    models = {model._meta.db_table: model for model in tables()}
    for table in archive.tables:
        sha, count, digested = sha256(), 0, canonical(models[table.name])
        for row in rows(archive, table):
            count += 1
            try:
                sha.update(digested(row))
            except (ValueError, RecursionError) as error:
                raise _damaged(archive, table, count) from error
        if (count, sha.hexdigest()) != (table.rows, table.sha256):
            raise BackupError(
                f"{archive.path}: the table {table.name} holds {count} rows that are not the "
                f"{table.rows} of the manifest."
            )


def rows(archive: Archive, table: Table) -> Iterator[list[Any]]:
    """The rows of a table. Raises BackupError where one is none."""
    for number, found in enumerate(archive.lines(table), start=1):
        try:
            row = json.loads(found)
            well_formed = isinstance(row, list) and len(row) == len(table.columns)
        except (ValueError, RecursionError):
            well_formed = False
        if not well_formed:
            raise _damaged(archive, table, number)
        yield row


def _damaged(archive: Archive, table: Table, number: int) -> BackupError:
    return BackupError(f"{archive.path}: row {number} of {table.name} is damaged.")


def check_version(archive: Archive) -> None:
    """Raise BackupError where the backup is of another state of the site than this one."""
    here = sorted(f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations)
    if here != archive.migrations:
        apart = sorted(set(here) ^ set(archive.migrations))
        raise BackupError(
            f"{archive.path} was taken by version {archive.site} of the site in another state of "
            f"its tables ({', '.join(apart[:5])}): restore it with that version, then upgrade."
        )
    told = {table.name: table.columns for table in archive.tables}
    if told != {model._meta.db_table: columns_of(model) for model in tables()}:
        raise BackupError(f"{archive.path} holds other tables or columns than this site has.")
