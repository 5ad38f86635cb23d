"""Standings of a league: scores, ordered tie-breaks, shared places, and what a cut means.

Pure, and the same for every game: places of confirmed results in, rows out.
"""

from leagues.standings.breaks import TieBreak, draw_lots
from leagues.standings.cut import Cut, State
from leagues.standings.places import DRAW, LOSS, WIN, Entry, Meeting, Placing, meetings
from leagues.standings.scoring import Kind, Scoring
from leagues.standings.table import Row, standings

__all__ = [
    "DRAW",
    "LOSS",
    "WIN",
    "Cut",
    "Entry",
    "Kind",
    "Meeting",
    "Placing",
    "Row",
    "Scoring",
    "State",
    "TieBreak",
    "draw_lots",
    "meetings",
    "standings",
]
