"""The backup file: a ZIP archive with a manifest and a member per table."""

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
# Maximum size in bytes of the manifest of a backup. A real manifest has about twenty thousand
# bytes.
MAX_MANIFEST_BYTES: Final = 4 * 1024 * 1024
# Maximum size of a row in bytes.
MAX_ROW_BYTES: Final = 64 * 1024 * 1024
ZIP_ERRORS: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
)


class BackupError(Exception):
    """A backup cannot be created, verified or restored. The message says why."""


@dataclass(frozen=True)
class TableEntry:
    """The entry for a table in the manifest of a backup.

    `sha256` is the digest of the table's rows in canonical form. `last` is the last primary key
    ever assigned, so that no key is assigned twice after a restore. It is None if keys are not
    assigned by a sequence.
    """

    name: str
    columns: list[str]
    rows: int
    sha256: str
    last: int | None


@dataclass(frozen=True)
class Archive:
    """A backup file with its manifest. `verify_backup` checks the rows.

    `site` is the version of the site, `engine` the database that was backed up, `taken_at` the time
    of the backup and `migrations` the applied migrations.
    """

    path: Path
    site: str
    engine: str
    taken_at: str
    migrations: list[str]
    tables: list[TableEntry]

    @classmethod
    def read(cls, path: Path) -> Archive:
        try:
            with zipfile.ZipFile(path) as file:
                manifest = json.loads(_read_bounded(file, MANIFEST))
        except FileNotFoundError as error:
            raise BackupError(f"There is no file {path}.") from error
        except PermissionError as error:
            raise BackupError(f"The user of the site may not read {path}.") from error
        except (*ZIP_ERRORS, ValueError) as error:
            raise BackupError(f"{path} is no backup, or is cut short or damaged.") from error
        return cls._from_manifest(path, manifest)

    @classmethod
    def _from_manifest(cls, path: Path, manifest: Any) -> Archive:
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise BackupError(f"{path} is no backup of this site.")
        if manifest.get("version") != VERSION:
            raise BackupError(
                f"{path} is a backup of form {manifest.get('version')}; this site knows {VERSION}."
            )
        try:
            tables = [TableEntry(**table) for table in manifest["tables"]]
            words = {name: manifest[name] for name in ("site", "engine", "taken_at", "migrations")}
        except (KeyError, TypeError) as error:
            raise BackupError(f"The manifest of {path} is incomplete or invalid.") from error
        return cls(path=path, tables=tables, **words)

    def manifest(self) -> bytes:
        document = asdict(self)
        del document["path"]
        document = {"format": FORMAT, "version": VERSION, **document}
        return json.dumps(document, indent=1).encode()

    def lines(self, table: TableEntry) -> Iterator[bytes]:
        try:
            with (
                zipfile.ZipFile(self.path) as file,
                file.open(member(table.name)) as rows,
            ):
                while row := rows.readline(MAX_ROW_BYTES):
                    yield row
        except ZIP_ERRORS as error:
            raise BackupError(f"{self.path} is damaged in the table {table.name}.") from error


def member(table: str) -> str:
    return f"tables/{table}.jsonl"


def digest_of(path: Path) -> str:
    """Return the SHA-256 of the whole backup file.

    The digest can be stored in another place, to detect later changes of the file.
    """
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
