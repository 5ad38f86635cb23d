"""Free disk space, and detection of errors caused by a full disk or a damaged database file."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

DISK_FULL_ERRNOS: Final = {errno.ENOSPC, errno.EDQUOT}
# SQLSTATE of PostgreSQL for a full disk.
DISK_FULL_SQLSTATE: Final = "53100"
# Prefixes of SQLite error names that can mean a full disk but also have other causes.
AMBIGUOUS_SQLITE_ERRORS: Final = ("SQLITE_IOERR", "SQLITE_CANTOPEN")
# Prefixes of SQLite error names that mean that the file is not a complete SQLite database.
DAMAGED_SQLITE_ERRORS: Final = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
# Beginnings of SQLite's messages if the file was truncated or is the database of another program.
MISSING_PARTS: Final = ("no such table", "no such column")
# If less space than this is free (in bytes), an ambiguous SQLite error counts as a full disk.
MIN_FREE_BYTES: Final = 1024 * 1024
# Share of the disk that should be free. Below it, administrators get a warning.
WARN_BELOW: Final = 0.05
# Free space in bytes that is enough on a disk of any size. With this much free space, no warning is
# sent.
ENOUGH_BYTES: Final = 1024**3


@dataclass(frozen=True)
class DiskSpace:
    """Total and free bytes of a disk."""

    free: int
    total: int

    @property
    def is_scarce(self) -> bool:
        return self.free < min(ENOUGH_BYTES, WARN_BELOW * self.total)


def disk_space(folder: Path) -> DiskSpace:
    """Return the space of the disk that contains this folder.

    Raises OSError if the folder does not exist.
    """
    usage = shutil.disk_usage(folder)
    return DiskSpace(usage.free, usage.total)


def is_full(error: BaseException) -> bool:
    """Return True if the error or one of its causes means that the disk is full."""
    return any(_is_disk_full(cause) for cause in causes_of(error))


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _is_disk_full(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in DISK_FULL_ERRNOS
    if getattr(error, "sqlstate", None) == DISK_FULL_SQLSTATE:
        return True
    if not isinstance(error, sqlite3.Error):
        return False
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_FULL" or (name.startswith(AMBIGUOUS_SQLITE_ERRORS) and _has_no_space())


def _has_no_space() -> bool:
    try:
        return disk_space(settings.DATA_DIR).free < MIN_FREE_BYTES
    except OSError:
        return False


def is_damaged(error: BaseException) -> bool:
    """Return True if the error means that SQLite's file was damaged or replaced."""
    return any(
        isinstance(cause, sqlite3.Error)
        and (
            getattr(cause, "sqlite_errorname", "").startswith(DAMAGED_SQLITE_ERRORS)
            or str(cause).startswith(MISSING_PARTS)
        )
        for cause in causes_of(error)
    )


def database_advice(error: BaseException) -> str:
    """Return a sentence for the administrator: what to do about an unusable database."""
    named = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return (
            f"The database {named} cannot be used ({error}). Stop the site, restore a backup into "
            "a new folder (manage.py restore), and start the site with that folder (DATA=)."
        )
    return f"The database {named} cannot be used ({error}): see DATABASE_URL, and its server's log."


def hold_database_open() -> sqlite3.Connection | None:
    """Open SQLite's file for the life of the process. Return None for other databases.

    The first connection to the file creates two further files. On a full disk this fails, and
    nobody could read the database. As long as a connection is open, these files remain.
    """
    file = Path(str(connection.settings_dict["NAME"]))
    if connection.vendor != "sqlite" or not file.is_file():
        return None
    line = sqlite3.connect(file, check_same_thread=False)
    line.execute("SELECT name FROM sqlite_master LIMIT 1").fetchall()
    return line
