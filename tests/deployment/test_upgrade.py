"""A data folder of an earlier release works with this release, and no data are lost.

Each archive in `data/` is a data folder as that release left it. It contains the shipped circuit
with the first corridas of its season, a circuit with table corridas, leagues of every game with a
confirmed match each, drawn and void fixtures, a closed league, and a game table in play.
"""

from __future__ import annotations

import sqlite3
import tarfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.site import Site, migrate, prepare

RELEASES = sorted((Path(__file__).parent / "data").glob("release-*.tar.xz"))
# Prefixes of tables that Django fills again after each migration.
OF_DJANGO = ("sqlite_", "django_", "auth_")
PAGES = ("/", "/escalafon/", "/leagues/todos-contra-todos/", "/leagues/cerrada/", "/players/ana/")

Columns = dict[str, list[str]]


def unpacked(release: Path, data: Path) -> Path:
    """Extract the data folder of a release to this path."""
    with tarfile.open(release) as archive:
        archive.extractall(data, filter="data")
    return data


def columns_of(file: Path) -> Columns:
    """Return the columns of each table of the site's own applications."""
    with sqlite3.connect(file) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            table: [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            for (table,) in names.fetchall()
            if not table.startswith(OF_DJANGO)
        }


def rows_of(file: Path, columns: Columns) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of each table, with these columns only."""
    with sqlite3.connect(file) as database:
        asked = {
            table: ", ".join(f'"{name}"' for name in names) for table, names in columns.items()
        }
        return {
            table: database.execute(f"SELECT {names} FROM {table} ORDER BY 1").fetchall()
            for table, names in asked.items()
        }


BOOKS = "FROM {} AS line JOIN corridas_recordbook AS book ON book.id = line.book_id"
# For tables of release 0.1.0 that have been replaced: a query that reads the same data from the new
# tables.
MOVED = {
    "corridas_record": (
        'SELECT line.id, circuit_id, scope, "of", value, before, line.season_id, corrida_id, '
        f"turn, matador_id, ganaderia_id, bull_id {BOOKS.format('corridas_bookrecord')}"
    ),
    "corridas_palmares": (
        'SELECT circuit_id, scope, "of", matador_id, line.season_id, seasons, leads, corridas, '
        f"ears, tails, line.now_ears, now_corridas {BOOKS.format('corridas_bookpalmares')}"
    ),
}


def assert_moved(file: Path) -> None:
    with sqlite3.connect(file) as database:
        for table, statement in MOVED.items():
            columns = statement.partition(" FROM ")[0]
            earlier = database.execute(f"{columns} FROM {table} AS line").fetchall()
            assert earlier
            assert sorted(database.execute(statement), key=str) == sorted(earlier, key=str)


def told_and_forgotten(file: Path) -> set[str]:
    """Return the users notified that another username differs only in case, and delete the
    notifications.
    """
    told = "SELECT user_id FROM accounts_notice WHERE kind = 'username'"
    with sqlite3.connect(file) as database:
        names = database.execute(f"SELECT username FROM accounts_user WHERE id IN ({told})")
        found = {name for (name,) in names}
        database.execute(f"UPDATE accounts_user SET unread = unread - 1 WHERE id IN ({told})")
        database.execute("DELETE FROM accounts_notice WHERE kind = 'username'")
    return found


@pytest.mark.parametrize("release", RELEASES, ids=lambda file: file.name.removesuffix(".tar.xz"))
def test_data_folder_of_an_earlier_release_upgrades_without_loss(
    release: Path, tmp_path: Path
) -> None:
    data = unpacked(release, tmp_path / "data")
    file = data / "temporada.sqlite3"
    columns = columns_of(file)
    before = rows_of(file, columns)
    assert all(before[table] for table in ("leagues_result", "corridas_lidia", "leagues_fixture"))

    # Not `prepare`, because it would also post the corrida that was on air when the archive was
    # made.
    migrate(data)
    assert told_and_forgotten(file) == {"ana", "Ana"}
    after = rows_of(file, columns)
    for table, rows in before.items():
        assert after[table] == rows, table
    assert_moved(file)

    prepare(data)
    site = Site(data)
    site.start()
    try:
        for page in PAGES:
            with urlopen(site.url + page) as answer:
                assert answer.status == 200
    finally:
        site.stop()
