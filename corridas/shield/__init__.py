"""The spoiler shield: which address tells how many corridas ended, and whether it may.

Pages ask in `views.shield`, the interface in `api.shield`, the feed in `programme`.
"""

from corridas.shield.table import Tells, tells
from corridas.shield.veil import ALL, Told, Veil, among_of, lift, lifted, told_to, veil_of

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
