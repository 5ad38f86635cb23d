"""Permissions of the data folder and the SQLite file: only their owner may read them."""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

log = logging.getLogger(__name__)

CODE: Final = Path(__file__).resolve().parent.parent
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
SQLITE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")


def open_data_folder(data: Path) -> None:
    """Create the data folder, or remove other users' access to it and its files.

    Raises OSError.
    """
    data.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    if CODE.is_relative_to(data.resolve()):
        return  # it contains the code, which other programs read
    _narrow(data)
    # Other users can no longer reach these files, unless the folder belongs to another user.
    for folder, folders, files in os.walk(data):
        for name in (*folders, *files):
            _narrow(Path(folder, name))
    if data.stat().st_mode & OTHERS:
        log.warning(
            "Other users can read the data folder %s, which this one may not change: "
            "its owner must run `chmod 700`.",
            data,
        )


def _narrow(path: Path) -> None:
    # Changing the mode fails for a file that belongs to another user or was deleted meanwhile, and
    # on a file system without modes.
    with suppress(OSError):
        mode = path.lstat().st_mode
        if mode & OTHERS and (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            path.chmod(stat.S_IMODE(mode) & ~OTHERS)


class PrivateConnection(sqlite3.Connection):
    """SQLite connection that creates its file readable by the owner only.

    SQLite gives the mode of the database file to the files that it creates beside it.
    """

    def __init__(self, database: str | Path, *args: Any, **kwargs: Any) -> None:
        if not str(database).startswith(("file:", ":memory:")):
            _make_private(Path(database))
        super().__init__(database, *args, **kwargs)


def _make_private(database: Path) -> None:
    # Never open an existing file here. Closing it would release the locks that other connections of
    # this process have on it.
    with suppress(OSError):  # SQLite reports errors of the path itself
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
    for suffix in SQLITE_SUFFIXES:
        _narrow(database.with_name(database.name + suffix))
