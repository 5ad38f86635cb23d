"""From the files to checked entries. Every loader raises `RosterError`; nothing loads in part."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from corridas.engine import RANGES, Card, Deck, DeckError, Kill, MatadorCard, Range, Reading
from corridas.world.calendar import DAY_PATTERNS, Entry, first_day
from corridas.world.roster.entries import (
    WHOLE_DATE,
    Coat,
    Herd,
    Matador,
    Plaza,
    Roster,
    Term,
    Weights,
)
from corridas.world.roster.rows import RosterError, Row, read_rows, unique_entries

DATA = Path(__file__).resolve().parents[2] / "data"
COUNTRIES = ("ES", "FR", "PT", "MX", "PE", "EC", "CO", "VE")
CONTINENTS = ("EU", "AM")
STYLES = ("classic", "stylist", "artist", "swordsman", "reckless", "cold", "dominator", "showman")
KINDS = ("acto", "gente", "lance", "lugar", "muerte", "premio", "suerte", "toro", "juego")
LEGAL_MINIMUM = {1: 460, 2: 435, 3: 410}
"""Least weight of a bull in kilograms by category of plaza (RD 145/1996, art. 46)."""

_READINGS = ("first", "second", "third", "bull")
_ANY_COMMON_YEAR = 2001
_CARD_NAMED = re.compile(r"Card (\d+)")
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_COLOUR = re.compile(r"#[0-9a-f]{6}")


def load(folder: Path = DATA) -> Roster:
    """Everything in the folder."""
    return Roster(
        deck=load_deck(folder),
        matadors=load_matadors(folder),
        cards=load_cards(folder),
        plazas=load_plazas(folder),
        ferias=load_ferias(folder),
        herds=load_herds(folder),
        bull_names=load_bull_names(folder),
        coats=load_coats(folder),
        weights=load_weights(folder),
        glossary=load_glossary(folder),
    )


def load_deck(folder: Path = DATA) -> Deck:
    """The seventy action cards in their order (Ruling I-1)."""
    rows = read_rows(folder / "deck.csv", ("card", "number", *_READINGS, "kill"))
    cards = [_card(row, place) for place, row in enumerate(rows)]
    try:
        return Deck(cards)
    except DeckError as error:
        # The engine names a single card by its place; any other fault shows where the deck ends.
        named = _CARD_NAMED.match(str(error))
        place = int(named[1]) if named else len(rows) - 1
        raise RosterError("deck.csv", place + 2, str(error)) from error


def _card(row: Row, place: int) -> Card:
    row.require(row["card"] == str(place), f"card {place} is due here, not “{row['card']}”")
    first, second, third, bull = (row.convert(column, Reading.parse) for column in _READINGS)
    kill = row.convert("kill", Kill.parse)
    return Card(place, row.number("number", 0, 9), first, second, third, bull, kill)


def load_matadors(folder: Path = DATA) -> tuple[Matador, ...]:
    """The matadors, each slug once."""
    columns = (
        *("slug", "name", "apodo", "birthplace", "born", "died", "deathplace", "alternativa"),
        *("alternativa_place", "country", "style"),
    )
    return unique_entries(read_rows(folder / "matadors.csv", columns), "slug", _matador)


def _matador(row: Row) -> Matador:
    _check_slug(row)
    row.text("name")
    row.word("country", COUNTRIES)
    row.word("style", STYLES)
    days = [_check_date(row, column) for column in ("born", "alternativa", "died")]
    known = [day for day in days if day]
    row.require(known == sorted(known), "born, alternativa and died do not follow each other")
    return Matador(**row.fields)


def _check_date(row: Row, column: str) -> str:
    """The date as written, after making sure that there is such a day."""
    text = row[column]
    if text:
        row.require(bool(_DATE.fullmatch(text)), f"{column} “{text}” is no date; write YYYY-MM-DD")
        whole = text + "YYYY-01-01"[len(text) : WHOLE_DATE]
        row.attempt(lambda: date.fromisoformat(whole), f"{column} “{text}”: ")
    return text


def load_cards(folder: Path = DATA) -> dict[str, MatadorCard]:
    """A card for every matador, by slug (Ruling I-13)."""
    matadors = {matador.slug: matador for matador in load_matadors(folder)}
    rows = read_rows(folder / "cards.csv", ("matador", "rating", *RANGES))
    cards = unique_entries(rows, "matador", lambda row: (row["matador"], _face(row, matadors)))
    missing = [slug for slug in matadors if slug not in dict(cards)]
    if missing:
        raise RosterError("cards.csv", len(rows) + 1, f"no card for {', '.join(missing)}")
    return dict(cards)


def _face(row: Row, matadors: dict[str, Matador]) -> MatadorCard:
    matador = matadors.get(row["matador"])
    if matador is None:
        raise RosterError(row.file, row.line, f"matadors.csv has no “{row['matador']}”")
    ranges = {name: row.convert(name, Range.parse) for name in RANGES}
    return row.attempt(
        lambda: MatadorCard(
            name=matador.known_as,
            rating=row.number("rating", 1, 100),
            alternativa=matador.alternativa_date,
            **ranges,
        )
    )


def load_plazas(folder: Path = DATA) -> tuple[Plaza, ...]:
    """The plazas, each slug once."""
    columns = ("slug", "name", "city", "country", "continent", "category", "seats")
    return unique_entries(read_rows(folder / "plazas.csv", columns), "slug", _plaza)


def _plaza(row: Row) -> Plaza:
    _check_slug(row)
    return Plaza(
        slug=row["slug"],
        name=row.text("name"),
        city=row.text("city"),
        country=row.word("country", COUNTRIES),
        continent=row.word("continent", CONTINENTS),
        category=row.number("category", 1, 3),
        seats=row.number("seats", 1, 99_999) if row["seats"] else None,
    )


def load_ferias(folder: Path = DATA) -> tuple[Entry, ...]:
    """The ferias of a year, in the order in which they are dated."""
    plazas = {plaza.slug for plaza in load_plazas(folder)}
    rows = read_rows(folder / "ferias.csv", ("feria", "plaza", "starts", "corridas", "days"))
    lines: dict[tuple[str, str], int] = {}
    for row in rows:
        row.require(row["plaza"] in plazas, f"plazas.csv has no “{row['plaza']}”")
        key = (row["plaza"], row.text("feria"))
        row.require(key not in lines, f"{key[1]} of {key[0]} stands on line {lines.get(key)}")
        lines[key] = row.line
    return tuple(map(_feria, rows))


def _feria(row: Row) -> Entry:
    row.attempt(lambda: first_day(row["starts"], _ANY_COMMON_YEAR))
    return Entry(
        feria=row["feria"],
        plaza=row["plaza"],
        starts=row["starts"],
        corridas=row.number("corridas", 1, 40),
        days=row.word("days", DAY_PATTERNS),
    )


def load_herds(folder: Path = DATA) -> tuple[Herd, ...]:
    """The ganaderías, each slug once."""
    columns = ("slug", "name", "country", "encaste", "continent")
    return unique_entries(read_rows(folder / "herds.csv", columns), "slug", _herd)


def _herd(row: Row) -> Herd:
    _check_slug(row)
    row.text("name")
    row.word("country", COUNTRIES)
    row.word("continent", CONTINENTS)
    return Herd(**row.fields)


def load_bull_names(folder: Path = DATA) -> tuple[str, ...]:
    """Names for bulls, each once."""
    rows = read_rows(folder / "bull_names.csv", ("name",))
    return unique_entries(rows, "name", lambda row: row["name"])


def load_coats(folder: Path = DATA) -> tuple[Coat, ...]:
    """The coats, each once."""
    columns = ("coat", "weight", "english", "spanish", "colour")
    return unique_entries(read_rows(folder / "coats.csv", columns), "coat", _coat)


def _coat(row: Row) -> Coat:
    colour = row["colour"]
    row.require(bool(_COLOUR.fullmatch(colour)), f"colour “{colour}” is not written #rrggbb")
    weight = row.number("weight", 1, 10_000)
    english, spanish = row.text("english"), row.text("spanish")
    return Coat(name=row["coat"], weight=weight, english=english, spanish=spanish, colour=colour)


def load_weights(folder: Path = DATA) -> dict[int, Weights]:
    """The weights of bulls for the three categories of plaza."""
    rows = read_rows(folder / "weights.csv", ("category", "minimum", "low", "high"))
    entries = unique_entries(rows, "category", _weights)
    if len(entries) != len(LEGAL_MINIMUM):
        raise RosterError("weights.csv", len(rows) + 1, "the categories are 1, 2 and 3")
    return {entry.category: entry for entry in entries}


def _weights(row: Row) -> Weights:
    category = row.number("category", 1, 3)
    minimum = row.number("minimum", LEGAL_MINIMUM[category], 999)
    low = row.number("low", minimum, 999)
    high = row.number("high", low, 999)
    return Weights(category=category, minimum=minimum, low=low, high=high)


def load_glossary(folder: Path = DATA) -> tuple[Term, ...]:
    """The glossary, each term once."""
    rows = read_rows(folder / "glossary.csv", ("term", "kind", "en", "es"))
    return unique_entries(rows, "term", _term)


def _term(row: Row) -> Term:
    kind = row.word("kind", KINDS)
    return Term(term=row["term"], kind=kind, en=row.text("en"), es=row.text("es"))


def _check_slug(row: Row) -> None:
    slug = row.text("slug")
    row.require(bool(_SLUG.fullmatch(slug)), f"slug “{slug}” is not a-z, 0-9 and single hyphens")
