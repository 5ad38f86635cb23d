"""Benchmark of playing a season on PostgreSQL, compared with COPY of its rows."""

import os
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

import psycopg
from django.core.management import call_command
from psycopg import sql

from tools.bench import seasons
from tools.bench.elsewhere import call
from tools.bench.figures import Figure
from tools.bench.postgres import make, postgres
from tools.bench.saves import events_of, play_all, save_cost, setups_of
from tools.bench.scratch_site import YEAR, ScratchSite, close_database
from tools.bench.timing import Spent, in_turns, spent, timed, wall_ratio

TABLES = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
ROUNDS = 3


def measure(_: ScratchSite) -> Iterator[Figure]:
    """Measure in another process, because this one has another database."""
    with postgres() as server:
        figures = call("season_postgres.figures", DATABASE_URL=server.url("scratch"))
    yield from (Figure(**figure) for figure in figures)


def figures() -> list[dict[str, object]]:
    """Measure by the wall clock, because the database server does most of the work."""
    scratch = os.environ["DATABASE_URL"]
    planned, played, cleared = (f"{scratch}-{name}" for name in ("planned", "played", "cleared"))

    def restore(like: str, url: str = scratch) -> None:
        close_database()
        make(url, like.rpartition("/")[2])

    def end_to_end() -> Spent:
        restore(planned)
        season = seasons.latest()
        return spent(lambda: seasons.play(season))

    def copied() -> Spent:
        restore(cleared)
        return copy_in(scratch, added)

    make(scratch)
    call_command("migrate", verbosity=0, interactive=False)
    season = seasons.create_circuit(YEAR)
    restore(scratch, planned)
    seasons.play(season)
    restore(scratch, played)
    setups = setups_of(YEAR)
    added = differences(planned, played)
    restore(planned, cleared)
    clear(cleared, played)
    turns = in_turns(ROUNDS, end_to_end, copied)
    restore(played)
    events = len(events_of(setups))
    saves = save_cost(setups).wall * events
    whole, floor = (median(turn[side].wall for turn in turns) for side in (0, 1))
    rows, playing = sum(each.rows for each in added), spent(lambda: play_all(setups)).wall
    note = (
        f"{len(setups)} corridas in {whole:.2f} s (wall clock), of which playing takes "
        f"{playing:.2f} s; COPY of {rows:,} rows {floor:.2f} s"
    )
    said = f"{events:,} events saved one by one would take {saves:.0f} s"
    season_figure = {"value": wall_ratio(turns), "bar": 4.0, "note": note}
    saves_figure = {"value": saves / whole, "bar": 10.0, "at_least": True, "note": said}
    return [
        {"name": "season_postgres", "unit": "x"} | season_figure,
        {"name": "season_postgres_saves", "unit": "x"} | saves_figure,
    ]


class Difference(NamedTuple):
    """The rows of a table that only the later database has, in the format of COPY."""

    table: str
    rows: int
    lines: bytes


def differences(earlier: str, later: str) -> list[Difference]:
    """Return the rows added, table by table, without unchanged tables."""
    with psycopg.connect(earlier) as before, psycopg.connect(later) as other:
        tables = [name for (name,) in other.execute(TABLES)]
        table_differences = [_added(before, other, table) for table in tables]
    return [difference for difference in table_differences if difference.rows]


def _added(before: psycopg.Connection, other: psycopg.Connection, table: str) -> Difference:
    places = _others(other, before, table)
    query = sql.SQL("COPY (SELECT * FROM {} WHERE ctid = ANY({}::tid[])) TO STDOUT")
    asked = query.format(sql.Identifier(table), sql.Literal(places))
    with other.cursor() as cursor, cursor.copy(asked) as copied:
        return Difference(table, len(places), b"".join(map(bytes, copied)))


def _others(here: psycopg.Connection, there: psycopg.Connection, table: str) -> list[str]:
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
