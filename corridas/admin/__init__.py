"""The office: rosters are kept here, corridas are sent out from here, results are read here.

It shows no more than the clock allows: lidias by `shown`, seeds when all is over.
"""

from corridas.admin.changes import ChangeAdmin
from corridas.admin.corridas import CorridaAdmin, LidiaAdmin
from corridas.admin.decks import CircuitAdmin, DeckAdmin
from corridas.admin.escalafon import EscalafonAdmin, InjuryAdmin
from corridas.admin.rosters import BullAdmin, GanaderiaAdmin, MatadorAdmin, PlazaAdmin
from corridas.admin.seasons import FeriaAdmin, RunAdmin, SeasonAdmin

__all__ = [
    "BullAdmin",
    "ChangeAdmin",
    "CircuitAdmin",
    "CorridaAdmin",
    "DeckAdmin",
    "EscalafonAdmin",
    "FeriaAdmin",
    "GanaderiaAdmin",
    "InjuryAdmin",
    "LidiaAdmin",
    "MatadorAdmin",
    "PlazaAdmin",
    "RunAdmin",
    "SeasonAdmin",
]
