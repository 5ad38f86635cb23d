"""Loads the bundled tables: deck, matadors, plazas, ferias, herds, names and glossary.

`corridas/data/README.md` describes the columns. Every loader takes the folder with the tables and
raises `RosterError`, which names the file, the line and the rule that was broken.
"""

from corridas.world.roster.entries import Birthplace, Herd, Matador, Name, Plaza, Roster
from corridas.world.roster.loading import (
    CARDS_VERSION,
    DATA,
    LEGAL_MINIMUM,
    load,
    load_cards,
    load_deck,
    load_glossary,
    load_matadors,
)
from corridas.world.roster.peopling import load_countries, load_names
from corridas.world.roster.rows import RosterError

__all__ = [
    "CARDS_VERSION",
    "DATA",
    "LEGAL_MINIMUM",
    "Birthplace",
    "Herd",
    "Matador",
    "Name",
    "Plaza",
    "Roster",
    "RosterError",
    "load",
    "load_cards",
    "load_countries",
    "load_deck",
    "load_glossary",
    "load_matadors",
    "load_names",
]
