"""Back up all rows into one file, and restore them into any supported database.

A backup contains every row of every table in one snapshot of the database, including password
hashes, email addresses and keys. Protect it like the database itself. A backup does not contain
settings or SECRET_KEY: if the restored site has another key, users must sign in again. Nor does it
contain the Celery queue in Redis, because periodic tasks queue the work again from its database
rows.
"""

from __future__ import annotations

from server.backups.archive import Archive, BackupError, TableEntry
from server.backups.operations import create_backup, restore_backup, verify_backup

__all__ = [
    "Archive",
    "BackupError",
    "TableEntry",
    "create_backup",
    "restore_backup",
    "verify_backup",
]
