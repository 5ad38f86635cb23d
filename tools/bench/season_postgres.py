"""The rows by which two databases of a PostgreSQL differ, and raw COPY of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import psycopg
from psycopg import sql

from tools.bench.figures import Figure
from tools.bench.postgres import Postgres, make, postgres
from tools.bench.scratch_site import YEAR, ScratchSite
from tools.bench.timing import Spent, timed
from tools.bench.web_server import ROOT

TABLES = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"


@dataclass(frozen=True)
class Difference:
    """What one table of the later database has and the earlier has not, as COPY writes it."""

    table: str
    count: int
    lines: bytes


def differences(earlier: str, later: str) -> list[Difference]:
    """Return the rows added, table by table, without unchanged tables."""
    with psycopg.connect(earlier) as before, psycopg.connect(later) as other:
        tables = [name for (name,) in other.execute(TABLES)]
        table_differences = [_added(before, other, table) for table in tables]
    return [difference for difference in table_differences if difference.count]


def _added(
    before: psycopg.Connection[Any], other: psycopg.Connection[Any], table: str
) -> Difference:
    places = _others(other, before, table)
    query = sql.SQL("COPY (SELECT * FROM {} WHERE ctid = ANY({}::tid[])) TO STDOUT")
    asked = query.format(sql.Identifier(table), sql.Literal(places))
    with other.cursor() as cursor, cursor.copy(asked) as copied:
        return Difference(table, len(places), b"".join(map(bytes, copied)))


def _others(here: psycopg.Connection[Any], there: psycopg.Connection[Any], table: str) -> list[str]:
    query = sql.SQL("SELECT ctid::text, one::text FROM {} AS one").format(sql.Identifier(table))
    known = {row for _, row in there.execute(query)}
    return [place for place, row in here.execute(query) if row not in known]


def clear(database: str, later: str) -> None:
    with psycopg.connect(later) as other, psycopg.connect(database) as before:
        before.execute("SET session_replication_role = replica")  # their children stay
        for (table,) in before.execute(TABLES).fetchall():
            query = sql.SQL("DELETE FROM {} WHERE ctid = ANY(%s::tid[])")
            before.execute(query.format(sql.Identifier(table)), [_others(before, other, table)])


def copy_in(database: str, added: list[Difference]) -> Spent:
    with psycopg.connect(database) as connection:
        connection.execute("SELECT 1")
        with timed() as spent:
            for difference in added:
                query = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(difference.table))
                with connection.cursor() as cursor, cursor.copy(query) as copying:
                    copying.write(difference.lines)
            connection.commit()
    return spent


BAR = 4.0
SAVES_BAR = 10.0
ROUNDS = 3


@dataclass(frozen=True)
class Measured:
    """Seconds on the wall, a figure a round; `a_save` of one event, `events` of the season."""

    whole: list[float]
    playing: list[float]
    copied: list[float]
    rows: int
    corridas: int
    a_save: float
    events: int

    def ratio(self) -> float:
        return median(full / other for full, other in zip(self.whole, self.copied, strict=True))


def measure(ground: ScratchSite) -> list[Figure]:
    """Measure in another process, because this one has another database."""
    with postgres() as server:
        measured = _in_a_worker(server)
    return [_season(measured), _saves(measured)]


def _in_a_worker(server: Postgres) -> Measured:
    variables = os.environ | {"DATABASE_URL": server.url("scratch")}
    command = [sys.executable, "-m", "tools.bench.season_postgres", str(ROUNDS)]
    completed = subprocess.run(command, cwd=ROOT, env=variables, check=True, stdout=subprocess.PIPE)
    return Measured(**json.loads(completed.stdout))


def _season(measured: Measured) -> Figure:
    note = (
        f"{measured.corridas} corridas in {median(measured.whole):.2f} s on the wall, COPY of "
        f"{measured.rows:,} rows {median(measured.copied):.2f} s, "
        f"playing {median(measured.playing):.2f} s"
    )
    return Figure(name="season_postgres", value=measured.ratio(), bar=BAR, unit="x", note=note)


def _saves(measured: Measured) -> Figure:
    saved = measured.a_save * measured.events
    note = f"{measured.events:,} events saved one by one would take {saved:.0f} s"
    value = saved / median(measured.whole)
    name = "season_postgres_saves"
    return Figure(name=name, value=value, bar=SAVES_BAR, at_least=True, unit="x", note=note)


class Worker:
    """The worker's side: Django is ready, and its database is `scratch`."""

    def __init__(self) -> None:
        from tools.bench.season import fought, setup_and_seed

        self.scratch = os.environ["DATABASE_URL"]
        self._plan()
        self._play()
        self.added = differences(self._of("planned"), self._of("played"))
        make(self._of("cleared"), like="planned")
        clear(self._of("cleared"), self._of("played"))
        self.setups = [setup_and_seed(corrida) for corrida in fought(YEAR)]

    def measure(self, rounds: int) -> Measured:
        from tools.bench import saves

        turns = [(self._whole(), self._playing(), self._copied()) for _ in range(rounds)]
        whole, playing, copied = (list(times) for times in zip(*turns, strict=True))
        self._anew(like="played")
        a_save, _ = saves.seconds_a_save(self.setups)
        rows = sum(difference.count for difference in self.added)
        corridas, events = len(self.setups), sum(map(len, self._logs()))
        return Measured(whole, playing, copied, rows, corridas, a_save.wall, events)

    def _plan(self) -> None:
        from django.core.management import call_command

        from tools.bench import seasons

        make(self.scratch)
        call_command("migrate", verbosity=0, interactive=False)
        seasons.create_circuit(YEAR)
        self._keep("planned")

    def _play(self) -> None:
        from tools.bench import seasons

        seasons.play(seasons.latest())
        self._keep("played")

    def _whole(self) -> float:
        from tools.bench import seasons

        self._anew(like="planned")
        season = seasons.latest()
        with timed() as spent:
            seasons.play(season)
        return spent.wall

    def _playing(self) -> float:
        with timed() as spent:
            self._logs()
        return spent.wall

    def _logs(self) -> list[Sequence[object]]:
        from corridas.engine import play_corrida

        records = (play_corrida(setup, seed) for setup, seed in self.setups)
        return [lidia.events for record in records for lidia in record.lidias]

    def _copied(self) -> float:

        self._anew(like="cleared")
        return copy_in(self.scratch, self.added).wall

    def _of(self, name: str) -> str:
        return f"{self.scratch.rpartition('/')[0]}/{name}"

    def _anew(self, *, like: str) -> None:
        from tools.bench.database import close_database

        close_database()
        make(self.scratch, like)

    def _keep(self, name: str) -> None:
        from tools.bench.database import close_database

        close_database()
        make(self._of(name), like="scratch")


def main() -> None:
    import django

    django.setup()
    print(json.dumps(asdict(Worker().measure(int(sys.argv[1])))))


if __name__ == "__main__":
    main()
