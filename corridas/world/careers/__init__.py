"""Simulates many seasons in a row, to measure how winters change a roster.

Contracts, card game, injuries, form and winters follow the real rules. The simulated results do not
count (Ruling F-3). docs/careers.md explains the model, and `winter.bounds` contains the bounds of
the measured figures.
"""

from corridas.world.careers.circuit import play_careers
from corridas.world.careers.figures import CareerFigure, Run, careers, figures, quantile
from corridas.world.careers.played import Farewell, Played

__all__ = [
    "CareerFigure",
    "Farewell",
    "Played",
    "Run",
    "careers",
    "figures",
    "play_careers",
    "quantile",
]
