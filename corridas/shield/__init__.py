"""The spoiler shield: which address tells how many corridas ended, and whether it may.

Pages ask in `views.shield`, the interface in `api.shield`, the feed in `programme`.
"""

from corridas.shield.lifting import lift, lifted
from corridas.shield.table import Tells, tells
from corridas.shield.told import Told, told_to
from corridas.shield.veil import ALL, Veil, among_of, veil_of

__all__ = [
    "ALL",
    "Tells",
    "Told",
    "Veil",
    "among_of",
    "lift",
    "lifted",
    "tells",
    "told_to",
    "veil_of",
]
