"""Back up every row of the database into one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from server.backups import Archive, BackupError, create_backup, verify_backup
from server.backups.archive import digest_of


class Command(BaseCommand):
    """Back up the database. The site may keep running: the file contains a consistent snapshot."""

    help = "Back the whole database up into FILE. SECRET_KEY is not in it: keep that elsewhere."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle(self, *args: object, **options: Any) -> None:
        """Create the backup and read it back."""
        try:
            archive = create_backup(options["file"], at=timezone.now())
            verify_backup(Archive.read(options["file"]))
        except BackupError as error:
            raise CommandError(str(error)) from error
        rows = sum(table.rows for table in archive.tables)
        size = options["file"].stat().st_size / 1e6
        self.stdout.write(f"{rows} rows of {len(archive.tables)} tables, {size:.1f} MB")
        self.stdout.write(f"SHA-256 {digest_of(options['file'])}")
