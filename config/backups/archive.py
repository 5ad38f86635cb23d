"""A backup as a file: a ZIP of one member a table, and a manifest that tells what must be there."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

FORMAT: Final = "temporada/backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
MAX_MANIFEST_BYTES: Final = 4 * 1024 * 1024
"""Bytes of a manifest at most; a site's has some twenty thousand."""
MAX_ROW_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a row at most."""
ZIP_ERRORS: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
)


class BackupError(Exception):
    """A backup that cannot be taken, believed or put back; the text says why."""


@dataclass(frozen=True)
class Table:
    """What the manifest says of a table.

    `sha256` is of its rows in their canonical form, `last` the last key ever given out, so that
    none is given out twice; None where keys are not counted.
    """

    name: str
    columns: list[str]
    rows: int
    sha256: str
    last: int | None


@dataclass(frozen=True)
class Archive:
    """A backup whose manifest has been read; its rows are checked by `verify_backup`.

    `site` is the version of the site, `engine` the database it was taken from, `taken_at` an
    instant, `migrations` those that had been applied.
    """

    path: Path
    site: str
    engine: str
    taken_at: str
    migrations: list[str]
    tables: list[Table]

    @classmethod
    def read(cls, path: Path) -> Archive:
        """The archive at a path. Raises BackupError where there is none or it is damaged."""
        try:
            with zipfile.ZipFile(path) as file:
                told = json.loads(_read_bounded(file, MANIFEST))
        except FileNotFoundError as error:
            raise BackupError(f"There is no file {path}.") from error
        except (*ZIP_ERRORS, ValueError) as error:
            raise BackupError(f"{path} is no backup, or is cut short or damaged.") from error
        return cls._told(path, told)

    @classmethod
    def _told(cls, path: Path, told: Any) -> Archive:
        if not isinstance(told, dict) or told.get("format") != FORMAT:
            raise BackupError(f"{path} is no backup of this site.")
        if told.get("version") != VERSION:
            raise BackupError(
                f"{path} is a backup of form {told.get('version')}; this site knows {VERSION}."
            )
        try:
            tables = [Table(**table) for table in told["tables"]]
            words = {name: told[name] for name in ("site", "engine", "taken_at", "migrations")}
        except (KeyError, TypeError) as error:
            raise BackupError(f"The manifest of {path} does not tell what it must.") from error
        return cls(path=path, tables=tables, **words)

    def manifest(self) -> bytes:
        """The manifest as it stands in the file."""
        told = asdict(self)
        del told["path"]
        told = {"format": FORMAT, "version": VERSION, **told}
        return json.dumps(told, indent=1).encode()

    def lines(self, table: Table) -> Iterator[bytes]:
        """A table's rows as they stand in the file. Raises BackupError where it is damaged."""
        try:
            with (
                zipfile.ZipFile(self.path) as file,
                file.open(member(table.name)) as rows,
            ):
                while found := rows.readline(MAX_ROW_BYTES):
                    yield found
        except ZIP_ERRORS as error:
            raise BackupError(f"{self.path} is damaged in the table {table.name}.") from error


def member(table: str) -> str:
    """The name of a table's member of the archive."""
    return f"tables/{table}.jsonl"


def digest_of(path: Path) -> str:
    """SHA-256 of the whole file, to be noted down elsewhere."""
    with path.open("rb") as file:
        sha = sha256()
        while block := file.read(1 << 20):
            sha.update(block)
    return sha.hexdigest()


def _read_bounded(file: zipfile.ZipFile, name: str) -> bytes:
    with file.open(name) as opened:
        read = opened.read(MAX_MANIFEST_BYTES + 1)
    if len(read) > MAX_MANIFEST_BYTES:
        raise BackupError("The manifest is too large to be one.")
    return read
