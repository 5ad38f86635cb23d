"""The database that this process uses."""

from __future__ import annotations

from pathlib import Path


def close_database() -> None:
    """Close the database in use, so that its write-ahead log goes into the file."""
    from django.db import connection

    connection.close()


def use_database(database: Path) -> None:
    from django.db import connection

    close_database()
    connection.settings_dict["NAME"] = str(database)
