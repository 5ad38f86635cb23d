"""Benchmark of playing a season, compared with inserting its rows and with one row per event."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from corridas.engine import CorridaSetup, play_corrida
from corridas.models import Corrida
from corridas.simulation.rows import setup_of
from fairness import Seed
from tools.bench import saves, seasons
from tools.bench.database import use_database
from tools.bench.figures import Figure
from tools.bench.scratch_site import YEAR, ScratchSite
from tools.bench.timing import Spent, in_turns, ratio, timed, wall_ratio

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
    rows: list[tuple[Any, ...]]
    changed: list[tuple[Any, ...]]

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
    """Return the tables in an order in which parents come first, as far as there are no circles."""
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
    """Delete the rows that are gone later: others may have taken their places."""
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


BAR = 3.5
SAVES_BAR = 10.0
DISK_BAR = 1.2  # megabytes of a million bytes
ROUNDS = 5


def measure(ground: ScratchSite) -> list[Figure]:
    season = MeasuredSeason(ground, ground.planned, ground.one_season)
    pairs = in_turns(ROUNDS, season.end_to_end, season.bare)
    return [_season(season, pairs), _saves(season, pairs), _disk(season)]


class MeasuredSeason:
    """A planned season, what it is played from, and the rows it leaves behind."""

    def __init__(
        self, ground: ScratchSite, planned: Path, played: Path, *, year: int = YEAR
    ) -> None:
        self._ground = ground
        self.planned, self.played = planned, played
        self.added = differences(self.planned, self.played)
        self._cleared = ground.copy(self.planned, "cleared")
        clear(self._cleared, self.played)
        use_database(self.played)
        self.setups = [setup_and_seed(corrida) for corrida in fought(year)]

    def end_to_end(self) -> Spent:
        use_database(self._ground.copy(self.planned, "scratch"))
        season = seasons.latest()
        with timed() as spent:
            seasons.play(season)
        return spent

    def bare(self) -> Spent:
        target = self._ground.copy(self._cleared, "scratch")
        with timed() as playing:
            for setup, seed in self.setups:
                play_corrida(setup, seed)
        return playing + insert(target, self.added)

    def events(self) -> int:
        records = (play_corrida(setup, seed) for setup, seed in self.setups)
        return sum(len(lidia.events) for record in records for lidia in record.lidias)

    def bytes_added(self) -> int:
        """Return the growth of the database file without gaps."""
        before, after = (
            vacuumed_size(self._ground.copy(path, "scratch"))
            for path in (self.planned, self.played)
        )
        return after - before


def fought(year: int) -> list[Corrida]:
    over = Corrida.objects.over().filter(season__year=year)
    rows_of = over.select_related("season", "plaza", "cartel__deck")
    return list(rows_of.order_by("date", "pk"))


def setup_and_seed(corrida: Corrida) -> tuple[CorridaSetup, Seed]:
    return setup_of(corrida), Seed(bytes(corrida.cartel.seed))


def _season(season: MeasuredSeason, pairs: list[tuple[Spent, Spent]]) -> Figure:
    whole, floor = (median(side.cpu for side in sides) for sides in zip(*pairs, strict=True))
    note = (
        f"{len(season.setups)} corridas in {whole:.2f} s of processor, playing and raw "
        f"insertion {floor:.2f} s; on the wall {wall_ratio(pairs):.2f} x"
    )
    return Figure(name="season", value=ratio(pairs), bar=BAR, unit="x", note=note)


def _saves(season: MeasuredSeason, pairs: list[tuple[Spent, Spent]]) -> Figure:
    use_database(season.played)
    an_event, measured = saves.seconds_a_save(season.setups)
    events = season.events()
    ratios = median(an_event.cpu * events / whole.cpu for whole, _ in pairs)
    note = (
        f"{events:,} events would take {an_event.cpu * events:.1f} s "
        f"(from {measured:,} saved, a transaction a corrida)"
    )
    return Figure(
        name="season_saves", value=ratios, bar=SAVES_BAR, at_least=True, unit="x", note=note
    )


def _disk(season: MeasuredSeason) -> Figure:
    count = sum(map(len, season.added))
    return Figure(
        name="season_disk",
        value=season.bytes_added() / 1e6,
        bar=DISK_BAR,
        unit="MB",
        note=f"{count:,} rows added or changed",
    )
