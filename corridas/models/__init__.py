"""The rows of Indulto, one module an aggregate."""

from corridas.models.circuits import Circuit, Deck
from corridas.models.corridas import Cartel, Corrida, Lidia, Puesto
from corridas.models.escalafon import Escalafon
from corridas.models.matadors import Injury, Matador, MatadorCard
from corridas.models.places import Bull, Ganaderia, Plaza
from corridas.models.seasons import Feria, Run, Season

__all__ = [
    "Bull",
    "Cartel",
    "Circuit",
    "Corrida",
    "Deck",
    "Escalafon",
    "Feria",
    "Ganaderia",
    "Injury",
    "Lidia",
    "Matador",
    "MatadorCard",
    "Plaza",
    "Puesto",
    "Run",
    "Season",
]
