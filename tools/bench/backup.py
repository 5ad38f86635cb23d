"""Benchmark of backups: back up fifty seasons, and restore them into SQLite and PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

from django.db import connection
from django.utils import timezone

from server.backups import Archive, create_backup, restore_backup
from tools.bench.elsewhere import call
from tools.bench.figures import Figure
from tools.bench.postgres import postgres
from tools.bench.scratch_site import ScratchSite, close_database, use_database


def measure(site: ScratchSite) -> Iterator[Figure]:
    """Back up SQLite, restore into an empty file and an empty PostgreSQL, and back up both."""
    first = site.folder / "first.zip"
    use_database(site.fifty_seasons.path)
    archive = create_backup(first, at=timezone.now())
    close_database()
    again, there = site.folder / "again.zip", site.folder / "there.zip"
    url = f"sqlite:///{site.folder / 'restored.sqlite3'}"
    call("backup.restore", str(first), str(again), DATABASE_URL=url)
    with postgres() as server:
        call("backup.restore", str(first), str(there), DATABASE_URL=server.make("restored"))
    alike = archive.tables == Archive.read(again).tables == Archive.read(there).tables
    rows = sum(table.rows for table in archive.tables)
    note = f"{rows:,} rows, {len(archive.tables)} tables; SQLite, PostgreSQL and back"
    yield Figure("backup_equal", float(alike), bar=1, at_least=True, note=note)


def restore(backup: str, again: str = "") -> None:
    """Restore a backup into this process's database, and perhaps back it up again."""
    restore_backup(Archive.read(Path(backup)))
    if again:
        create_backup(Path(again), at=timezone.now())
    else:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
