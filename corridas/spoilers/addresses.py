"""Which results each page shows, read from `addresses.csv`.

The file has one line for each URL name. A page of another circuit uses the line of the bundled
circuit's page. A name that ends in `*` covers all names with that prefix. A page without a line is
treated as if it showed all results (EVERYTHING).
"""

from __future__ import annotations

import csv
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).resolve().parent / "addresses.csv"
CIRCUITS: Final = "circuit:"


class SpoilerScope(StrEnum):
    """The corridas whose results a page shows.

    NOTHING: no corrida that the user has not watched. Totals leave such corridas out, or end on the
    day before the first of them. CORRIDA, PRESENT, LIDIA and MOMENT refer to the corrida with the
    primary key `pk`: the whole corrida, the part that has been broadcast, one fight from its end,
    or one moment of a replay. CIRCUIT: all corridas of the circuit in the URL. EVERYTHING: all
    corridas.

    SEASON: the corridas of the season `year` and of all earlier ones. RUN: the same, but only up to
    the last day of the run with the primary key `run`. PLAZA, HERD and BULL: corridas of the plaza,
    herd or bull in the URL.
    """

    NOTHING = "nothing"
    CORRIDA = "corrida"
    PRESENT = "present"
    LIDIA = "lidia"
    MOMENT = "moment"
    CIRCUIT = "circuit"
    SEASON = "season"
    RUN = "run"
    PLAZA = "plaza"
    HERD = "herd"
    BULL = "bull"
    EVERYTHING = "everything"


@cache
def read_addresses() -> dict[str, SpoilerScope]:
    """Read `addresses.csv`.

    Raises `ValueError` with file and line for an unknown scope or a repeated name.
    """
    scopes: dict[str, SpoilerScope] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            if row["scope"] not in list(SpoilerScope) or row["name"] in scopes:
                raise ValueError(f"{FILE.name}, line {number}: {row['name']}, {row['scope']}")
            scopes[row["name"]] = SpoilerScope(row["scope"])
    return scopes


@cache
def line_of(name: str) -> str | None:
    plain = name.removeprefix(CIRCUITS)
    if plain in read_addresses():
        return plain
    whole = (
        address
        for address in read_addresses()
        if address.endswith("*") and plain.startswith(address[:-1])
    )
    return max(whole, key=len, default=None)


def scope_of(name: str) -> SpoilerScope:
    line = line_of(name)
    return SpoilerScope.EVERYTHING if line is None else read_addresses()[line]
