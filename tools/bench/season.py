"""Benchmark of playing a season, compared with inserting its rows and with one row per event."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tools.bench import seasons
from tools.bench.figures import Figure
from tools.bench.saves import events_of, play_all, save_cost, setups_of
from tools.bench.scratch_site import YEAR, ScratchSite, use_database
from tools.bench.timing import Spent, in_turns, least, ratio, spent, timed, wall_ratio

BATCH_SIZE = 100  # rows per statement


@dataclass(frozen=True)
class Difference:
    """The rows of one table that `later` has and `earlier` has not, and those that have changed.

    A changed row begins with its rowid. `columns` are all; `keys` those of the primary key, which
    stays: SQLite searches all children of a row whose key is set.
    """

    table: str
    columns: list[str]
    keys: set[str]
    rows: list[tuple[object, ...]]
    changed: list[tuple[object, ...]]

    def __len__(self) -> int:
        return len(self.rows) + len(self.changed)

    def write(self, connection: sqlite3.Connection) -> None:
        """Insert rows, many with a statement: triggers cost ten times as much for each."""
        for start in range(0, len(self.rows), BATCH_SIZE):
            batch = self.rows[start : start + BATCH_SIZE]
            places = f"({', '.join('?' * len(batch[0]))})"
            connection.execute(
                f'INSERT INTO "{self.table}" VALUES {", ".join([places] * len(batch))}',
                [value for row in batch for value in row],
            )
        columns = ", ".join(
            f'"{name}" = ?{n}'
            for n, name in enumerate(self.columns, start=2)
            if name not in self.keys
        )
        connection.executemany(
            f'UPDATE "{self.table}" SET {columns} WHERE rowid = ?1', self.changed
        )


def differences(earlier: Path, later: Path) -> list[Difference]:
    """Return the rows added, table by table, without unchanged tables.

    Parents come before their children: SQLite searches all children for each parent that is
    inserted after one of them.
    """
    with closing(sqlite3.connect(later)) as connection:
        connection.execute("ATTACH ? AS earlier", [str(earlier)])
        # Triggers fill the full-text index of the search.
        query = (
            "SELECT name FROM main.sqlite_master WHERE type = 'table'"
            " AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_words%'"
        )
        tables = _parents_first(connection, [name for (name,) in connection.execute(query)])
        table_differences = [_difference(connection, table) for table in tables]
    return [difference for difference in table_differences if len(difference)]


def _parents_first(connection: sqlite3.Connection, tables: list[str]) -> list[str]:
    """Return the tables with parents before their children, except in circular references."""
    ordered: dict[str, None] = {}
    seen: set[str] = set()

    def visit(table: str) -> None:
        if table not in seen:
            seen.add(table)
            for _, _, parent, *_ in connection.execute(f'PRAGMA foreign_key_list("{table}")'):
                visit(parent)
            ordered[table] = None

    for table in tables:
        visit(table)
    return list(ordered)


def _difference(connection: sqlite3.Connection, table: str) -> Difference:
    described = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
    columns = [name for _, name, *_ in described]
    keys = {name for _, name, *_, place in described if place}
    found = connection.execute(
        f'SELECT rowid, * FROM main."{table}" EXCEPT SELECT rowid, * FROM earlier."{table}"'
    ).fetchall()
    known = {key for (key,) in connection.execute(f'SELECT rowid FROM earlier."{table}"')}
    rows = [row[1:] for row in found if row[0] not in known]
    return Difference(table, columns, keys, rows, [row for row in found if row[0] in known])


def clear(database: Path, later: Path) -> None:
    """Delete the rows that the later database no longer has: new rows may have their keys."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("ATTACH ? AS later", [str(later)])
        for table in [difference.table for difference in differences(database, later)]:
            connection.execute(
                f'DELETE FROM main."{table}" WHERE rowid NOT IN (SELECT rowid FROM later."{table}")'
            )
        connection.commit()


def insert(database: Path, added: list[Difference]) -> Spent:
    """Insert the rows in one transaction with the site's pragmas and return the time."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=1"):
            connection.execute(f"PRAGMA {pragma}")
        with timed() as spent:
            connection.execute("BEGIN IMMEDIATE")
            for difference in added:
                difference.write(connection)
            connection.execute("COMMIT")
    return spent


def vacuumed_size(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.stat().st_size


ROUNDS = 5


def measure(site: ScratchSite) -> Iterator[Figure]:
    season = MeasuredSeason(site, site.planned, site.one_season)
    pairs = in_turns(ROUNDS, season.end_to_end, season.bare)
    whole, floor = least(pairs)
    note = (
        f"{len(season.setups)} corridas in {whole:.2f} s of processor, playing and raw "
        f"insertion {floor:.2f} s; on the wall {wall_ratio(pairs):.2f} x"
    )
    yield Figure("season", ratio(pairs), bar=3.5, unit="x", note=note)
    use_database(season.played)
    events = len(events_of(season.setups))
    saves = save_cost(season.setups).cpu * events
    value = saves / whole
    note = f"{events:,} events saved one by one would take {saves:.1f} s"
    yield Figure("season_saves", value, bar=10.0, at_least=True, unit="x", note=note)
    before, after = (
        vacuumed_size(site.copy(path, "scratch")) for path in (site.planned, site.one_season)
    )
    note = f"{sum(map(len, season.added)):,} rows added or changed"
    yield Figure("season_disk", (after - before) / 1e6, bar=1.2, unit="MB", note=note)


class MeasuredSeason:
    """A planned season, what it is played from, and the rows it leaves behind."""

    def __init__(self, site: ScratchSite, planned: Path, played: Path, year: int = YEAR) -> None:
        self._site, self.planned, self.played = site, planned, played
        self.added = differences(planned, played)
        self._cleared = site.copy(planned, "cleared")
        clear(self._cleared, played)
        use_database(played)
        self.setups = setups_of(year)

    def end_to_end(self) -> Spent:
        use_database(self._site.copy(self.planned, "scratch"))
        season = seasons.latest()
        return spent(lambda: seasons.play(season))

    def bare(self) -> Spent:
        target = self._site.copy(self._cleared, "scratch")
        return spent(lambda: play_all(self.setups)) + insert(target, self.added)
