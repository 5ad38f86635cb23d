"""Simulates many seasons in a row, for statistics on the effect of winters on a roster.

Contracts, engine, injuries, form and winter are the real ones. Nothing played here is a result
(Ruling F-3). docs/careers.md explains the model; `winter.bounds` has the bounds of the figures.
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
