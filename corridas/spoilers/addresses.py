"""Which results each address shows: `addresses.csv`, read once.

A line a name: pages under a circuit's address have the name of the page. A name that ends in `*`
stands for all that begin so. What has no line tells everything.
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
    """Of which corridas an address tells how they ended.

    NOTHING: of none that the person has not watched: what adds corridas up leaves these out by
    itself, or stops the day before the first of them. CORRIDA, PRESENT, LIDIA, MOMENT: of the one
    whose number is `pk`, as a whole; as far as it is on air; one of its lidias from the end; one
    of its moments, which replays ask for. CIRCUIT: of those of the circuit in the address.
    EVERYTHING: of all.

    Of some of the circuit, SEASON: of those of the season of the `year` and of all before it;
    PLAZA, HERD, BULL: of those of the one whose `slug` or number is in the address.
    """

    NOTHING = "nothing"
    CORRIDA = "corrida"
    PRESENT = "present"
    LIDIA = "lidia"
    MOMENT = "moment"
    CIRCUIT = "circuit"
    SEASON = "season"
    PLAZA = "plaza"
    HERD = "herd"
    BULL = "bull"
    EVERYTHING = "everything"


@cache
def read_addresses() -> dict[str, SpoilerScope]:
    """The table. Raises ValueError, naming file and line, for what is none of `Tells`."""
    found: dict[str, SpoilerScope] = {}
    with FILE.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            if row["tells"] not in list(SpoilerScope) or row["name"] in found:
                raise ValueError(f"{FILE.name}, line {number}: {row['name']} tells {row['tells']}?")
            found[row["name"]] = SpoilerScope(row["tells"])
    return found


@cache
def line_of(name: str) -> str | None:
    """The name of the line that an address is told by; None where there is none."""
    plain = name.removeprefix(CIRCUITS)
    if plain in read_addresses():
        return plain
    whole = (one for one in read_addresses() if one.endswith("*") and plain.startswith(one[:-1]))
    return max(whole, key=len, default=None)


def scope_of(name: str) -> SpoilerScope:
    """What the address of this name (`circuit:plaza`) tells of."""
    line = line_of(name)
    return SpoilerScope.EVERYTHING if line is None else read_addresses()[line]
