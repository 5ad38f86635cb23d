"""Which circuit and which season a page speaks of."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db import connection

from corridas.models import Season

SHIPPED: Final = "leyendas"
"""The circuit that comes with the site and that anyone can watch."""


class Mark(NamedTuple):
    """A season and how much of it is posted: enough to know whether a kept page still holds."""

    season: int
    year: int
    posted_version: int


_LATEST: Final = """
    SELECT season.id, season.year, season.posted_version
    FROM corridas_season season JOIN corridas_circuit circuit ON circuit.id = season.circuit_id
    WHERE circuit.slug = %s ORDER BY season.year DESC LIMIT 1
"""
_OF_YEAR: Final = """
    SELECT season.id, season.year, season.posted_version
    FROM corridas_season season JOIN corridas_circuit circuit ON circuit.id = season.circuit_id
    WHERE circuit.slug = %s AND season.year = %s
"""
LAST_YEAR: Final = 9999
"""No calendar goes further, and no column could hold much more."""


def find_mark(year: int | None = None, circuit: str = SHIPPED) -> Mark | None:
    """The mark of that year's season, or of the latest; None where there is none; one query.

    Written out, for the page that is asked for most asks nothing else once it is kept: making
    this query anew every time took longer than all the rest of the answer.
    """
    if year is not None and year > LAST_YEAR:
        return None
    with connection.cursor() as cursor:
        if year is None:
            cursor.execute(_LATEST, [circuit])
        else:
            cursor.execute(_OF_YEAR, [circuit, year])
        row = cursor.fetchone()
    return Mark(*row) if row else None


def find_season(year: int | None = None, circuit: str = SHIPPED) -> Season | None:
    """The season of that year, or the latest; None where there is none; one query."""
    seasons = Season.objects.select_related("circuit").filter(circuit__slug=circuit)
    if year is not None:
        seasons = seasons.filter(year=year)
    return seasons.order_by("-year").first()


def years(circuit: str = SHIPPED) -> list[int]:
    """Years of all seasons, the latest first; one query."""
    seasons = Season.objects.filter(circuit__slug=circuit).order_by("-year")
    return list(seasons.values_list("year", flat=True))
