"""Which circuit and which season a page speaks of."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db import connection
from django.db.models.expressions import RawSQL

from corridas.models import Season

SHIPPED: Final = "leyendas"
"""The circuit that comes with the site and that anyone can watch."""


class Mark(NamedTuple):
    """A season and how much of it is posted: enough to know whether a kept page still holds."""

    season: int
    year: int
    posted_version: int


# From the latest season back to the first whose winter is over: nothing older is still to come.
_CURRENT: Final = """
    WITH RECURSIVE back AS (
        SELECT season.id, season.year, season.posted_version, season.circuit_id
        FROM corridas_season season WHERE season.id = (
            SELECT one.id FROM corridas_season one
            JOIN corridas_circuit circuit ON circuit.id = one.circuit_id
            WHERE circuit.slug = %s ORDER BY one.year DESC LIMIT 1
        )
        UNION ALL
        SELECT season.id, season.year, season.posted_version, season.circuit_id
        FROM back JOIN corridas_season season ON season.circuit_id = back.circuit_id
        AND season.year = (
            SELECT MAX(one.year) FROM corridas_season one
            WHERE one.circuit_id = back.circuit_id AND one.year < back.year
        )
        LEFT JOIN corridas_winter winter ON winter.season_id = season.id
        WHERE winter.done_at IS NULL
    )
    SELECT id, year, posted_version FROM (
        SELECT back.*, EXISTS (
            SELECT 1 FROM corridas_corrida corrida WHERE corrida.season_id = back.id
            AND corrida.state IN ('announced', 'queued', 'on_air')
        ) AS going_on FROM back
    ) AS seasons
    ORDER BY going_on DESC, CASE WHEN going_on THEN year ELSE -year END LIMIT 1
"""
_RANKED: Final = f"""
    SELECT now.id, now.year, now.posted_version, last.id, last.year, last.posted_version
    FROM ({_CURRENT}) AS now JOIN corridas_season season ON season.id = now.id
    LEFT JOIN corridas_season last
    ON last.circuit_id = season.circuit_id AND last.year = now.year - 1
"""  # noqa: S608  no value in it
_OF_YEAR: Final = """
    SELECT season.id, season.year, season.posted_version
    FROM corridas_season season JOIN corridas_circuit circuit ON circuit.id = season.circuit_id
    WHERE circuit.slug = %s AND season.year = %s
"""
LAST_YEAR: Final = 9999
"""No calendar goes further, and no column could hold much more."""


def find_mark(year: int | None = None, circuit: str = SHIPPED) -> Mark | None:
    """The mark of that year's season, or of the current one; None where there is none; one query.

    Written out, for the page that is asked for most asks nothing else once it is kept: making
    this query anew every time took longer than all the rest of the answer.
    """
    if year is not None and year > LAST_YEAR:
        return None
    with connection.cursor() as cursor:
        if year is None:
            cursor.execute(_CURRENT, [circuit])
        else:
            cursor.execute(_OF_YEAR, [circuit, year])
        row = cursor.fetchone()
    return Mark(*row) if row else None


def find_ranked(circuit: str = SHIPPED) -> Mark | None:
    """The mark of the current season, or of the one before while it has nothing to rank.

    None where there is no season; one query.
    """
    with connection.cursor() as cursor:
        cursor.execute(_RANKED, [circuit])
        row = cursor.fetchone()
    if not row:
        return None
    current, last = row[:3], row[3:]
    return Mark(*(current if current[2] or last[0] is None else last))


def find_season(year: int | None = None, circuit: str = SHIPPED) -> Season | None:
    """The season of that year, or the current one; None where there is none.

    Current is the first that still has a corrida to come, also where the next is planned already;
    where all are over, the latest. One query.
    """
    seasons = Season.objects.select_related("circuit")
    if year is None:
        current = RawSQL(f"SELECT id FROM ({_CURRENT}) AS found", [circuit])  # noqa: S608, S611  no value in it
        return seasons.filter(pk=current).first()
    return seasons.filter(circuit__slug=circuit, year=year).first() if year <= LAST_YEAR else None


def years(circuit: str = SHIPPED) -> list[int]:
    """Years of all seasons, the latest first; one query."""
    seasons = Season.objects.filter(circuit__slug=circuit).order_by("-year")
    return list(seasons.values_list("year", flat=True))
