"""Loads and validates the roster tables.

Every loader raises `RosterError` for the first invalid row. A table is loaded completely or not at
all.
"""

from __future__ import annotations

import re
from pathlib import Path

from corridas.engine import Card, Deck, DeckError, MatadorCard
from corridas.world.calendar import CalendarEntry
from corridas.world.roster import columns
from corridas.world.roster.columns import CONTINENTS, COUNTRIES, STYLES
from corridas.world.roster.entries import Coat, GlossaryEntry, Herd, Matador, Plaza, Roster, Weights
from corridas.world.roster.rows import RosterError, TableRow, read_rows, unique_entries

__all__ = ["CONTINENTS", "COUNTRIES", "STYLES"]  # re-exported for forms

DATA = Path(__file__).resolve().parents[2] / "data"
# The matador cards, and those of versions 1 and 2 of the winter's rules: new matadors of these
# versions are derived from them for ever, so that old winters can be replayed.
CARDS, OLD_CARDS = "cards.csv", "cards_2.csv"
# The version of the winter's rules since which the cards are those of `CARDS`.
CARDS_VERSION = 3
KINDS = ("acto", "gente", "lance", "lugar", "muerte", "premio", "suerte", "toro", "juego")
# Legal minimum weight of a bull in kilograms, by plaza category (RD 145/1996, art. 46).
LEGAL_MINIMUM = {1: 460, 2: 435, 3: 410}

# Start of the engine's error messages about a single card of a deck.
CARD_NAMED = re.compile(r"Card (\d+)")
_COLOUR = re.compile(r"#[0-9a-f]{6}")


def load(folder: Path = DATA, *, cards_version: int = CARDS_VERSION) -> Roster:
    """Load all tables.

    `cards_version` is the version of the winter's rules to which the matador cards belong.
    """
    return Roster(
        deck=load_deck(folder),
        matadors=load_matadors(folder),
        cards=load_cards(folder, version=cards_version),
        plazas=load_plazas(folder),
        ferias=load_ferias(folder),
        herds=load_herds(folder),
        bull_names=load_bull_names(folder),
        coats=load_coats(folder),
        weights=load_weights(folder),
        glossary=load_glossary(folder),
    )


def load_deck(folder: Path = DATA) -> Deck:
    """Load the seventy action cards in the order of the file (Ruling I-1)."""
    rows = read_rows(folder / "deck.csv", ("card", *columns.DECK))
    cards = [read_card(row, place) for place, row in enumerate(rows)]
    try:
        return Deck(cards)
    except DeckError as error:
        # The engine's message names the card if a single card is invalid. Other errors are reported
        # for the last line of the file.
        named = CARD_NAMED.match(str(error))
        place = int(named[1]) if named else len(rows) - 1
        raise RosterError("deck.csv", place + 2, str(error)) from error


def read_card(row: TableRow, place: int) -> Card:
    """Return the action card in a row.

    Its number must be `place` (0-69), because cards are numbered in order.
    """
    due = row["card"] == str(place)
    row.require(
        due, "card %(due)s is due here, not “%(value)s”", "card", value=row["card"], due=place
    )
    return Card(place, **row.read(columns.DECK))


def load_matadors(folder: Path = DATA) -> tuple[Matador, ...]:
    rows = read_rows(folder / "matadors.csv", tuple(columns.MATADORS))
    return unique_entries(rows, "slug", _matador)


def _matador(row: TableRow) -> Matador:
    fields = row.read(columns.MATADORS)
    columns.check_order(row)
    return Matador(**fields)


def load_cards(folder: Path = DATA, *, version: int = CARDS_VERSION) -> dict[str, MatadorCard]:
    """Load the cards of all matadors, by slug (Ruling I-13). Every matador must have one.

    `version` is that of the winter's rules. The cards of versions 1 and 2 are in a file of their
    own, which a folder need not have.
    """
    matadors = {matador.slug: matador for matador in load_matadors(folder)}
    old = folder / OLD_CARDS
    path = old if version < CARDS_VERSION and old.exists() else folder / CARDS
    rows = read_rows(path, ("matador", *columns.CARDS))
    cards = unique_entries(rows, "matador", lambda row: (row["matador"], _face(row, matadors)))
    missing = [slug for slug in matadors if slug not in dict(cards)]
    if missing:
        raise RosterError(path.name, len(rows) + 1, f"no card for {', '.join(missing)}")
    return dict(cards)


def _face(row: TableRow, matadors: dict[str, Matador]) -> MatadorCard:
    matador = matadors.get(row["matador"])
    if matador is None:
        raise RosterError(row.file, row.line, f"matadors.csv has no “{row['matador']}”")
    fields = row.read(columns.CARDS)
    return row.attempt(
        lambda: MatadorCard(name=matador.known_as, alternativa=matador.alternativa_date, **fields)
    )


def load_plazas(folder: Path = DATA) -> tuple[Plaza, ...]:
    rows = read_rows(folder / "plazas.csv", tuple(columns.PLAZAS))
    return unique_entries(rows, "slug", lambda row: Plaza(**row.read(columns.PLAZAS)))


def load_ferias(folder: Path = DATA) -> tuple[CalendarEntry, ...]:
    """Load the ferias (festivals) in the order in which the calendar is planned."""
    plazas = {plaza.slug for plaza in load_plazas(folder)}
    rows = read_rows(folder / "ferias.csv", tuple(columns.FERIAS))
    lines: dict[tuple[str, str], int] = {}
    for row in rows:
        row.require(row["plaza"] in plazas, f"plazas.csv has no “{row['plaza']}”")
        key = (row["plaza"], row.text("feria"))
        row.require(key not in lines, f"{key[1]} of {key[0]} is already on line {lines.get(key)}")
        lines[key] = row.line
    return tuple(CalendarEntry(**row.read(columns.FERIAS)) for row in rows)


def load_herds(folder: Path = DATA) -> tuple[Herd, ...]:
    rows = read_rows(folder / "herds.csv", tuple(columns.HERDS))
    return unique_entries(rows, "slug", lambda row: Herd(**row.read(columns.HERDS)))


def load_bull_names(folder: Path = DATA) -> tuple[str, ...]:
    rows = read_rows(folder / "bull_names.csv", ("name",))
    return unique_entries(rows, "name", lambda row: row["name"])


def load_coats(folder: Path = DATA) -> tuple[Coat, ...]:
    header = ("coat", "weight", "english", "spanish", "colour")
    return unique_entries(read_rows(folder / "coats.csv", header), "coat", _coat)


def _coat(row: TableRow) -> Coat:
    colour = row["colour"]
    row.require(bool(_COLOUR.fullmatch(colour)), f"colour “{colour}” is not written #rrggbb")
    weight = row.number("weight", 1, 10_000)
    english, spanish = row.text("english"), row.text("spanish")
    return Coat(name=row["coat"], weight=weight, english=english, spanish=spanish, colour=colour)


def load_weights(folder: Path = DATA) -> dict[int, Weights]:
    rows = read_rows(folder / "weights.csv", ("category", "minimum", "low", "high"))
    entries = unique_entries(rows, "category", _weights)
    if len(entries) != len(LEGAL_MINIMUM):
        raise RosterError("weights.csv", len(rows) + 1, "the categories are 1, 2 and 3")
    return {entry.category: entry for entry in entries}


def _weights(row: TableRow) -> Weights:
    category = row.number("category", 1, 3)
    minimum = row.number("minimum", LEGAL_MINIMUM[category], 999)
    low = row.number("low", minimum, 999)
    high = row.number("high", low, 999)
    return Weights(category=category, minimum=minimum, low=low, high=high)


def load_glossary(folder: Path = DATA) -> tuple[GlossaryEntry, ...]:
    rows = read_rows(folder / "glossary.csv", ("term", "kind", "en", "es"))
    return unique_entries(rows, "term", _term)


def load_bloodless_glossary(folder: Path = DATA) -> tuple[tuple[str, GlossaryEntry], ...]:
    """Return the usual term (empty if there is none) and the entry of each bloodless term."""
    rows = read_rows(folder / "glossary_bloodless.csv", ("of", "term", "kind", "en", "es"))
    return tuple((row["of"], _term(row)) for row in rows)


def _term(row: TableRow) -> GlossaryEntry:
    kind = row.word("kind", KINDS)
    return GlossaryEntry(term=row["term"], kind=kind, en=row.text("en"), es=row.text("es"))
