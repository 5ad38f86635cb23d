"""Validation of each column of a roster table, for the bundled tables and for imports.

A check takes a row and a column name. It returns the parsed value or raises `RosterError`.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from corridas.engine import RANGES, CardEntry, Kill, Range
from corridas.world.calendar import DAY_PATTERNS, LONGEST_YEAR, check_rule
from corridas.world.roster.entries import WHOLE_DATE
from corridas.world.roster.rows import Check, TableRow

COUNTRIES: Final = ("ES", "FR", "PT", "MX", "PE", "EC", "CO", "VE")
CONTINENTS: Final = ("EU", "AM")
STYLES: Final = (
    *("classic", "stylist", "artist", "swordsman", "reckless", "cold", "dominator", "showman"),
)
MOST_SEATS: Final = 99_999
# Allowed branding numbers. Generated bulls have numbers up to 399, but real bulls may have any
# three digits.
BRANDS: Final = (1, 999)
RATINGS: Final = (1, 100)

_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_DEGREES = re.compile(r"-?[0-9]{1,3}(?:\.[0-9]{1,4})?")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def anything(row: TableRow, column: str) -> str:
    """Accept any text, including an empty one."""
    return row[column]


def whole(low: int, high: int) -> Check:
    """Return a check for whole numbers from `low` to `high`, both included."""
    return lambda row, column: row.number(column, low, high)


def degrees(limit: int) -> Check:
    """Return a check for decimal degrees from -limit to limit, written with a decimal point."""

    def check(row: TableRow, column: str) -> float:
        text = row[column]
        sentence = "%(column)s “%(value)s” is not a number of degrees from %(low)s to %(high)s"
        there = bool(_DEGREES.fullmatch(text)) and abs(float(text)) <= limit
        row.require(there, sentence, column, value=text, low=-limit, high=limit)
        return float(text) + 0.0  # never -0.0

    return check


def one_of(words: tuple[str, ...]) -> Check:
    return lambda row, column: row.word(column, words)


def known(check: Check) -> Check:
    """Return a check that turns an empty field into None and otherwise applies `check`."""
    return lambda row, column: check(row, column) if row[column] else None


def slug(row: TableRow, column: str) -> str:
    text = row.text(column)
    sentence = "%(column)s “%(value)s” may only contain a–z, 0–9 and single hyphens"
    row.require(bool(_SLUG.fullmatch(text)), sentence, column, value=text)
    return text


def day(row: TableRow, column: str) -> str:
    """Check a date (`YYYY`, `YYYY-MM` or `YYYY-MM-DD`), which must exist.

    An empty field means that the date is unknown.
    """
    text = row[column]
    if text:
        sentence = "%(column)s “%(value)s” is not a date. Enter YYYY-MM-DD."
        row.require(bool(_DATE.fullmatch(text)), sentence, column, value=text)
        full = text + "YYYY-01-01"[len(text) : WHOLE_DATE]
        there = _is_day(full)
        row.require(there, "%(column)s “%(value)s” is not a valid date", column, value=text)
    return text


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def starts(row: TableRow, column: str) -> str:
    """Check the date rule for the first day of a feria, such as `07-07` or `easter+49`."""
    row.attempt(lambda: check_rule(row[column]), column)
    return row[column]


def span(row: TableRow, column: str) -> Range:
    """Check a range of numbers from 1 to 100, such as `81-94` (Ruling I-13)."""
    return row.convert(column, Range.parse)


def reading(row: TableRow, column: str) -> CardEntry:
    return row.convert(column, CardEntry.parse)


def kill(row: TableRow, column: str) -> Kill:
    return row.convert(column, Kill.parse)


DECK: Final[dict[str, Check]] = {
    "number": whole(0, 9),
    **dict.fromkeys(("first", "second", "third", "bull"), reading),
    "kill": kill,
}
MATADORS: Final[dict[str, Check]] = {
    "slug": slug,
    "name": TableRow.text,
    "apodo": anything,
    "birthplace": anything,
    "born": day,
    "died": day,
    "deathplace": anything,
    "alternativa": day,
    "alternativa_place": anything,
    "country": one_of(COUNTRIES),
    "style": one_of(STYLES),
}
CARDS: Final[dict[str, Check]] = {"rating": whole(*RATINGS), **dict.fromkeys(RANGES, span)}
PLAZAS: Final[dict[str, Check]] = {
    "slug": slug,
    "name": TableRow.text,
    "city": TableRow.text,
    "country": one_of(COUNTRIES),
    "continent": one_of(CONTINENTS),
    "category": whole(1, 3),
    "seats": known(whole(1, MOST_SEATS)),
    "latitude": known(degrees(90)),
    "longitude": known(degrees(180)),
}
FERIAS: Final[dict[str, Check]] = {
    "feria": TableRow.text,
    "plaza": TableRow.text,
    "starts": starts,
    "corridas": whole(1, LONGEST_YEAR),
    "days": one_of(DAY_PATTERNS),
}
HERDS: Final[dict[str, Check]] = {
    "slug": slug,
    "name": TableRow.text,
    "country": one_of(COUNTRIES),
    "encaste": anything,
    "continent": one_of(CONTINENTS),
}


def check_order(row: TableRow) -> None:
    """Raise `RosterError` unless birth, alternativa and death are in chronological order."""
    dated = [text for text in (row["born"], row["alternativa"], row["died"]) if text]
    sentence = "the dates of birth, alternativa and death are not in order"
    row.require(dated == sorted(dated), sentence)
