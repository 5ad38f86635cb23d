"""Which results each address shows, read once from `addresses.csv`.

The file has one line per URL name. Pages under a circuit's address share the line of the page. A
name that ends in `*` covers all names with that prefix. An address without a line shows everything.
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
    """The corridas whose results an address shows.

    NOTHING: none that the person has not watched. Totals leave these out, or stop the day before
    the first of them. CORRIDA, PRESENT, LIDIA and MOMENT refer to the one corrida with the number
    `pk`: as a whole, as far as it is on air, one of its lidias from the end, or one moment of a
    replay. CIRCUIT: all corridas of the circuit in the address. EVERYTHING: all corridas.

    SEASON: the corridas of the season `year` and of all earlier ones. RUN: the same up to the last
    day of the run with the number `run`. PLAZA, HERD and BULL: those
    of the plaza, herd or bull whose `slug` or number is in the address.
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
    """Read the file.

    Raises ValueError with file and line for an unknown scope or a repeated name.
    """
    scopes: dict[str, SpoilerScope] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            if row["tells"] not in list(SpoilerScope) or row["name"] in scopes:
                raise ValueError(f"{FILE.name}, line {number}: {row['name']} tells {row['tells']}?")
            scopes[row["name"]] = SpoilerScope(row["tells"])
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
