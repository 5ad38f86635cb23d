"""Restore a backup into the database that the settings name."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from server.backups import Archive, BackupError, restore_backup


class Command(BaseCommand):
    """Restore a backup into a new database, or over an existing one with --force.

    A backup can be restored into SQLite or PostgreSQL.
    """

    help = "Put FILE back into the database of DATABASE_URL or DATA, all of it or nothing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="write over what is there")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            archive = Archive.read(options["file"])
            restore_backup(archive, force=options["force"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        rows = sum(table.rows for table in archive.tables)
        self.stdout.write(f"{rows} rows restored into {connection.vendor}, and read back alike.")
