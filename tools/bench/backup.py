"""Benchmark of backups: back up fifty seasons, and restore them into SQLite and PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from django.db import connections
from django.db.utils import ConnectionHandler
from django.utils import timezone

from server.backups import Archive, create_backup, restore_backup
from server.environment import database
from tools.bench.careers import FiftySeasons
from tools.bench.database import close_database, use_database
from tools.bench.figures import Figure
from tools.bench.postgres import postgres
from tools.bench.scratch_site import ScratchSite


def measure(ground: ScratchSite) -> list[Figure]:
    """Back up SQLite, restore into an empty file and an empty PostgreSQL, and back up both."""
    use_database(FiftySeasons(ground).path)
    first, seconds = _timed_take(ground.folder / "first.zip")
    rows = sum(table.rows for table in first.tables)
    size = first.path.stat().st_size / 1e6
    use_database(ground.folder / "restored.sqlite3")
    back = _timed_restore(first)
    again, _ = _timed_take(ground.folder / "again.zip")
    close_database()
    other, taken_there, back_there = _in_postgres(ground, first)
    alike = again.tables == first.tables == other.tables
    note = f"{rows:,} rows, {len(first.tables)} tables; SQLite, PostgreSQL and back"
    return [
        Figure(name="backup_equal", value=float(alike), bar=1, at_least=True, note=note),
        Figure(name="backup_seconds", value=seconds, unit="s", note=f"SQLite, {size:.1f} MB"),
        Figure(name="restore_seconds", value=back, unit="s", note="SQLite, read back"),
        Figure(name="backup_postgres", value=taken_there, unit="s", note="PostgreSQL"),
        Figure(name="restore_postgres", value=back_there, unit="s", note="PostgreSQL, read back"),
    ]


def _timed_take(path: Path) -> tuple[Archive, float]:
    began = perf_counter()
    archive = create_backup(path, at=timezone.now())
    return archive, perf_counter() - began


def _timed_restore(archive: Archive) -> float:
    began = perf_counter()
    restore_backup(Archive.read(archive.path))
    return perf_counter() - began


def _in_postgres(ground: ScratchSite, first: Archive) -> tuple[Archive, float, float]:
    with postgres() as server, _opened(server.make("restored")):
        back = _timed_restore(first)
        archive, taken = _timed_take(ground.folder / "there.zip")
    return archive, taken, back


@contextmanager
def _opened(url: str) -> Iterator[None]:
    before = connections["default"]
    connections["default"] = ConnectionHandler({"default": database(url, Path())})["default"]
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = before
