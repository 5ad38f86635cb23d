"""Database models of the app, in one module for each group of related models."""

from corridas.models.awards import Award, Palmares, Record, RecordBook
from corridas.models.bundles import Bundle, BundlePart
from corridas.models.changes import Change
from corridas.models.circuits import Circuit, Deck
from corridas.models.commitments import Commitment, Reservation
from corridas.models.copies import CircuitCopy
from corridas.models.corridas import Cartel, Corrida, Lidia, Puesto
from corridas.models.earlier import EarlierPalmares, EarlierRecord
from corridas.models.escalafon import Escalafon
from corridas.models.follows import Follow
from corridas.models.matadors import Injury, Matador, MatadorCard
from corridas.models.places import Bull, Ganaderia, Plaza
from corridas.models.scores import DeckScores
from corridas.models.seasons import Feria, Run, Season
from corridas.models.tables import TableCorrida
from corridas.models.watched import Watched
from corridas.models.winters import Winter

__all__ = [
    "Award",
    "Bull",
    "Bundle",
    "BundlePart",
    "Cartel",
    "Change",
    "Circuit",
    "CircuitCopy",
    "Commitment",
    "Corrida",
    "Deck",
    "DeckScores",
    "EarlierPalmares",
    "EarlierRecord",
    "Escalafon",
    "Feria",
    "Follow",
    "Ganaderia",
    "Injury",
    "Lidia",
    "Matador",
    "MatadorCard",
    "Palmares",
    "Plaza",
    "Puesto",
    "Record",
    "RecordBook",
    "Reservation",
    "Run",
    "Season",
    "TableCorrida",
    "Watched",
    "Winter",
]
