"""What the board, the deck and the destinations come to when equal bots play (Ruling E-10).

All figures are estimates from games of bots and no results (Ruling F-3); from the same words they
are always the same.
"""

from eltoro.calibration.lineups import Lineup
from eltoro.calibration.plan import Calibration, Portion, Tally

__all__ = ["Calibration", "Lineup", "Portion", "Tally"]
