"""The rows by which two databases of a PostgreSQL differ, and raw COPY of them."""

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from bench.timing import Spent, timed

TABLES = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"


@dataclass(frozen=True)
class Difference:
    """What one table of the later database has and the earlier has not, as COPY writes it."""

    table: str
    count: int
    lines: bytes


def differences(earlier: str, later: str) -> list[Difference]:
    """Table by table, by the addresses of both; those without any left out."""
    with psycopg.connect(earlier) as one, psycopg.connect(later) as other:
        tables = [name for (name,) in other.execute(TABLES)]
        found = [_added(one, other, table) for table in tables]
    return [difference for difference in found if difference.count]


def _added(one: psycopg.Connection[Any], other: psycopg.Connection[Any], table: str) -> Difference:
    places = _others(other, one, table)
    query = sql.SQL("COPY (SELECT * FROM {} WHERE ctid = ANY({}::tid[])) TO STDOUT")
    asked = query.format(sql.Identifier(table), sql.Literal(places))
    with other.cursor() as cursor, cursor.copy(asked) as copied:
        return Difference(table, len(places), b"".join(map(bytes, copied)))


def _others(here: psycopg.Connection[Any], there: psycopg.Connection[Any], table: str) -> list[str]:
    """Where in `here` the rows stand that are not in `there`, or otherwise."""
    query = sql.SQL("SELECT ctid::text, one::text FROM {} AS one").format(sql.Identifier(table))
    known = {row for _, row in there.execute(query)}
    return [place for place, row in here.execute(query) if row not in known]


def clear(database: str, later: str) -> None:
    """Take out of a database the rows that `later` has otherwise, so that theirs can go in."""
    with psycopg.connect(later) as other, psycopg.connect(database) as one:
        one.execute("SET session_replication_role = replica")  # their children stay
        for (table,) in one.execute(TABLES).fetchall():
            query = sql.SQL("DELETE FROM {} WHERE ctid = ANY(%s::tid[])")
            one.execute(query.format(sql.Identifier(table)), [_others(one, other, table)])


def copy_in(database: str, added: list[Difference]) -> Spent:
    """COPY the rows in one transaction, constraints and foreign keys held; what it took."""
    with psycopg.connect(database) as connection:
        connection.execute("SELECT 1")
        with timed() as spent:
            for difference in added:
                query = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(difference.table))
                with connection.cursor() as cursor, cursor.copy(query) as copying:
                    copying.write(difference.lines)
            connection.commit()
    return spent
