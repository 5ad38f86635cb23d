"""The rows by which two databases differ, and their raw insertion with the database's driver."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.timing import Spent, timed


@dataclass(frozen=True)
class Difference:
    """The rows of one table that `later` has and `earlier` has not, or has otherwise."""

    table: str
    rows: list[tuple[Any, ...]]

    @property
    def insertion(self) -> str:
        """The statement for one row."""
        places = ", ".join("?" * len(self.rows[0]))
        return f'INSERT INTO "{self.table}" VALUES ({places})'  # noqa: S608


def differences(earlier: Path, later: Path) -> list[Difference]:
    """Table by table, those without any left out."""
    with closing(sqlite3.connect(later)) as connection:
        connection.execute("ATTACH ? AS earlier", [str(earlier)])
        query = (
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        tables = [name for (name,) in connection.execute(query)]
        found = [Difference(table, _added(connection, table)) for table in tables]
    return [difference for difference in found if difference.rows]


def _added(connection: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    return connection.execute(
        f'SELECT * FROM main."{table}" EXCEPT SELECT * FROM earlier."{table}"'  # noqa: S608
    ).fetchall()


def clear(database: Path, later: Path) -> None:
    """Take out of `database` the rows that `later` has otherwise, so that theirs can go in."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("ATTACH ? AS later", [str(later)])
        for table in [difference.table for difference in differences(database, later)]:
            others = (
                f'SELECT rowid, * FROM later."{table}" EXCEPT SELECT rowid, * FROM main."{table}"'  # noqa: S608
            )
            connection.execute(
                f'DELETE FROM main."{table}" WHERE rowid IN (SELECT rowid FROM ({others}))'  # noqa: S608
            )
        connection.commit()


def insert(database: Path, added: list[Difference], *, keys: bool = True) -> Spent:
    """Insert the rows in one transaction, with the pragmas of the site; what it took.

    Without `keys` no foreign key is looked up: where parents were cleared away under children
    that stay, SQLite would go through all of those for each parent that comes back.
    """
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"foreign_keys={int(keys)}"):
            connection.execute(f"PRAGMA {pragma}")
        with timed() as spent:
            connection.execute("BEGIN IMMEDIATE")
            for difference in added:
                connection.executemany(difference.insertion, difference.rows)
            connection.execute("COMMIT")
    return spent


def vacuumed_size(database: Path) -> int:
    """Bytes of the database without gaps."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.stat().st_size
