"""Taking a backup: every table of one snapshot into one file, there whole or not at all."""

from __future__ import annotations

import datetime as dt
import os
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from actas.envelope import SITE_VERSION
from config.backups.archive import MANIFEST, Archive, BackupError, Table, member
from config.backups.keys import last_key
from config.backups.rows import canonical, columns_of, line, read, tables
from config.backups.snapshot import snapshot

if TYPE_CHECKING:
    from django.db import models


def take(path: Path, *, at: dt.datetime) -> Archive:
    """Write a backup of the database in use to a new file, readable by its owner alone.

    Raises BackupError where the file is there already, the folder is not, or the database holds
    a table of which the site knows nothing.
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
            archive = _write(file, path, alias, at)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    finally:
        partial.unlink(missing_ok=True)
    return archive


def _write(file: object, path: Path, alias: str, at: dt.datetime) -> Archive:
    _check_nothing_is_left_out(alias)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as target:  # type: ignore[call-overload]
        written = [_table(model, alias, target) for model in tables()]
        archive = Archive(
            path=path,
            site=SITE_VERSION,
            engine=connections[alias].vendor,
            taken_at=at.astimezone(dt.UTC).isoformat(),
            migrations=applied(alias),
            tables=written,
        )
        target.writestr(MANIFEST, archive.manifest())
    return archive


def _table(model: type[models.Model], alias: str, target: zipfile.ZipFile) -> Table:
    name, sha, rows, digested = model._meta.db_table, sha256(), 0, canonical(model)
    with target.open(member(name), "w", force_zip64=True) as opened:
        for row in read(model, alias):
            opened.write(line(row))
            sha.update(digested(row))
            rows += 1
    return Table(name, columns_of(model), rows, sha.hexdigest(), last_key(model, alias))


def applied(alias: str) -> list[str]:
    """The migrations applied to a database, in alphabetical order; none where it is empty."""
    done = MigrationRecorder(connections[alias]).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in done)


def _check_nothing_is_left_out(alias: str) -> None:
    """Raise BackupError where a table belongs to no model: it would be lost."""
    known = {model._meta.db_table for model in tables()} | {"django_migrations"}
    connection = connections[alias]
    with connection.cursor() as cursor:
        there = {table.name for table in connection.introspection.get_table_list(cursor)}
    if strangers := sorted(there - known):
        raise BackupError(f"Of {', '.join(strangers)} the site knows nothing: nothing is written.")
    if missing := sorted(known - there):
        raise BackupError(f"{missing[0]} is missing: run `manage.py migrate` first.")
