"""Loads the tables for fictional matadors: parts of names, and towns of birth by country."""

from __future__ import annotations

from pathlib import Path

from corridas.world.roster.columns import COUNTRIES
from corridas.world.roster.entries import Birthplace, Name
from corridas.world.roster.loading import DATA
from corridas.world.roster.rows import RosterError, TableRow, read_rows

NEEDED = ("given", "surname")
OF_A_COUNTRY = (*NEEDED, "apodo")
REAL = "real"


def load_names(folder: Path = DATA) -> tuple[Name, ...]:
    rows = read_rows(folder / "names.csv", ("country", "kind", "name"))
    _each_once(rows, ("country", "kind", "name"))
    return tuple(map(_name, rows))


def _name(row: TableRow) -> Name:
    kind = row.word("kind", (*OF_A_COUNTRY, REAL))
    if kind == REAL:
        row.require(not row["country"], "%(column)s is empty for a real name", "country")
    else:
        row.word("country", COUNTRIES)
    return Name(country=row["country"], kind=kind, name=row.text("name"))


def load_countries(folder: Path = DATA) -> tuple[Birthplace, ...]:
    """Load the towns of birth.

    A town must be unique in its country, and every country must have given names and surnames.
    """
    rows = read_rows(folder / "countries.csv", ("country", "place", "share"))
    _each_once(rows, ("country", "place"))
    if not rows:
        raise RosterError("countries.csv", 1, "there is no town")
    named = {(name.country, name.kind) for name in load_names(folder)}
    return tuple(_birthplace(row, named) for row in rows)


def _birthplace(row: TableRow, named: set[tuple[str, str]]) -> Birthplace:
    country = row.word("country", COUNTRIES)
    for kind in NEEDED:
        is_known = (country, kind) in named
        sentence = "names.csv has no %(kind)s name of %(country)s"
        row.require(is_known, sentence, kind=kind, country=country)
    share = row.number("share", 1, 1000)
    return Birthplace(country=country, place=row.text("place"), share=share)


def _each_once(rows: list[TableRow], columns: tuple[str, ...]) -> None:
    lines: dict[tuple[str, ...], int] = {}
    for row in rows:
        entry = tuple(row[column] for column in columns)
        text, line = ", ".join(filter(None, entry)), lines.get(entry)
        row.require(
            line is None, "“%(value)s” is already on line %(first)s", value=text, first=line
        )
        lines[entry] = row.line
