"""Space where the site keeps what it writes: how much there is, and errors for want of it."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings

DISK_FULL_ERRNOS: Final = {errno.ENOSPC, errno.EDQUOT}
DISK_FULL_SQLSTATE: Final = "53100"
"""What PostgreSQL calls it (SQLSTATE)."""
AMBIGUOUS_SQLITE_ERRORS: Final = ("SQLITE_IOERR", "SQLITE_CANTOPEN")
"""How SQLite's names of errors begin that may have other causes."""
MIN_FREE_BYTES: Final = 1024 * 1024
"""Bytes; with less than that an unclear error is one of space."""
WARN_BELOW: Final = 0.05
"""Share of the disk that should be free."""
ENOUGH_BYTES: Final = 1024**3
"""Bytes that are enough, however large the disk is."""


@dataclass(frozen=True)
class DiskSpace:
    """Bytes of a disk."""

    free: int
    total: int

    @property
    def is_scarce(self) -> bool:
        """Whether somebody should make room."""
        return self.free < min(ENOUGH_BYTES, WARN_BELOW * self.total)


def disk_space(folder: Path) -> DiskSpace:
    """What is left where a folder lies. Raises OSError where there is no such folder."""
    found = shutil.disk_usage(folder)
    return DiskSpace(found.free, found.total)


def is_full(error: BaseException) -> bool:
    """Whether an error, or what caused it, says that there is no space to write."""
    return any(_is_disk_full(one) for one in causes_of(error))


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what it was raised for or while handling."""
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


def hold_database_open() -> sqlite3.Connection | None:
    """A connection to SQLite's file that stays as long as this process; None for other databases.

    Who opens the file first makes two more beside it, for which a full disk has no space: then
    nobody could read. They stay as long as somebody has it open.
    """
    database = settings.DATABASES["default"]
    file = Path(str(database["NAME"]))
    if "sqlite3" not in str(database["ENGINE"]) or not file.is_file():
        return None
    line = sqlite3.connect(file, check_same_thread=False)
    line.execute("SELECT name FROM sqlite_master LIMIT 1").fetchall()
    return line
