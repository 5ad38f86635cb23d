"""Check that a backup is complete and can be restored by this version of the site."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from server.backups import Archive, BackupError, verify_backup
from server.backups.archive import digest_of


class Command(BaseCommand):
    """Check a backup file. The database is not read."""

    help = "Check FILE as restore would, without touching any database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            archive = Archive.read(options["file"])
            verify_backup(archive)
        except BackupError as error:
            raise CommandError(str(error)) from error
        rows = sum(table.rows for table in archive.tables)
        self.stdout.write(
            f"Whole: {rows} rows of {len(archive.tables)} tables, taken {archive.taken_at} from "
            f"{archive.engine} by version {archive.site}."
        )
        self.stdout.write(f"SHA-256 {digest_of(options['file'])}")
