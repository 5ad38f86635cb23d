"""Backup of all rows into one file, and restoring it into any supported database.

A backup holds every row of every table in one snapshot of the database. It does not hold
SECRET_KEY (sessions signed with another one end), the queue in Redis (rows are authoritative;
periodic tasks send it anew) or settings. It does hold password hashes, addresses and keys: protect
it like the database itself.
"""

from __future__ import annotations

from server.backups.archive import Archive, BackupError, Table
from server.backups.operations import create_backup, restore_backup, verify_backup

__all__ = [
    "Archive",
    "BackupError",
    "Table",
    "create_backup",
    "restore_backup",
    "verify_backup",
]
