"""Put a backup back into the database that the settings name."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config.backups import Archive, BackupError, restore_backup


class Command(BaseCommand):
    """Into a new database, or with --force over what is there; SQLite or PostgreSQL alike."""

    help = "Put FILE back into the database of DATABASE_URL or DATA, all of it or nothing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, and whether what is there may go."""
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="write over what is there")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, write, read back."""
        try:
            archive = Archive.read(options["file"])
            restore_backup(archive, force=options["force"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        rows = sum(table.rows for table in archive.tables)
        self.stdout.write(f"{rows} rows restored into {connection.vendor}, and read back alike.")
