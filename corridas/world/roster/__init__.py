"""The tables shipped with the site: deck, matadors, plazas, ferias, herds, words.

`corridas/data/README.md` describes the columns. Every loader takes the folder of the tables and
raises `RosterError`, which names file, line and rule.
"""

from corridas.world.roster.entries import (
    Birthplace,
    Coat,
    Herd,
    Matador,
    Name,
    Plaza,
    Roster,
    Term,
    Weights,
)
from corridas.world.roster.loading import (
    DATA,
    LEGAL_MINIMUM,
    load,
    load_bull_names,
    load_cards,
    load_coats,
    load_deck,
    load_ferias,
    load_glossary,
    load_herds,
    load_matadors,
    load_plazas,
    load_weights,
)
from corridas.world.roster.peopling import load_countries, load_names
from corridas.world.roster.rows import RosterError

__all__ = [
    "DATA",
    "LEGAL_MINIMUM",
    "Birthplace",
    "Coat",
    "Herd",
    "Matador",
    "Name",
    "Plaza",
    "Roster",
    "RosterError",
    "Term",
    "Weights",
    "load",
    "load_bull_names",
    "load_cards",
    "load_coats",
    "load_countries",
    "load_deck",
    "load_ferias",
    "load_glossary",
    "load_herds",
    "load_matadors",
    "load_names",
    "load_plazas",
    "load_weights",
]
