"""Many seasons in a row, played for their figures: what winters make of a roster.

Contracts, engine, wounds, form and winter are the real ones; nothing played here is a result
(Ruling F-3). docs/careers.md explains the model, `winter.bounds` says where figures must lie.
"""

from corridas.world.careers.circuit import play_careers
from corridas.world.careers.figures import Found, Run, careers, figures, quantile
from corridas.world.careers.played import Farewell, Played

__all__ = [
    "Farewell",
    "Found",
    "Played",
    "Run",
    "careers",
    "figures",
    "play_careers",
    "quantile",
]
