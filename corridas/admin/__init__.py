"""The Django admin of rosters, corridas and results.

It reveals no result before its broadcast: lidias are filtered with `shown`, and the seed of a
corrida appears once it is over.
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
