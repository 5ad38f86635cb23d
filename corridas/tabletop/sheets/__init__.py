"""The referee of a corrida at a real table, which recalculates a submitted sheet (Ruling I-18).

A sheet is self-contained JSON:

    {"plaza": {"name": "Las Ventas", "rating": 1}, "date": "2026-05-15",
     "cartel": [{"name": ..., "rating": 99, "alternativa": "1913-10-16" or null,
                 "ranges": {"oreja": "81-90", ...}}, ... three in the order of appearance; two of
                one name need a different "key": ... as well, such as their slugs],
     "bulls": [{"name": "Islero", "number": 21}, ... six by turn],
     "leads": [0, 1, 0],
     "lidias": [{"cards": [12, 40, ...]}, {"sheet": {...}}, {"score": {...}}, ...]}

Of a lidia there are the cards in the order drawn, or the sheet, or both; a table that recorded only
results enters the score, the weakest evidence. A sheet of a lidia, each member of which
`corridas.api.tabletop.schema` describes:

    {"tercios": [[matador, bull], [matador, bull], [matador, bull]], "kill": [0, -7, 0, -3, 0],
     "avisos": 1, "indulto": null, "number": 56, "began": 0, "injured": [], "finished": 0}

Figures that follow from others are optional and must agree with them. A bull on which the corrida
was broken off has neither kill nor number.

There is no parser beside the referee: whatever a member holds, it gets a line of its own.
"""

from __future__ import annotations

from corridas.tabletop.sheets.course import judge
from corridas.tabletop.sheets.lines import Bull, Evidence, LidiaReading, Line, Reading, State
from corridas.tabletop.sheets.pad import Awaits, Offer, Pad, Use

__all__ = [
    "Awaits",
    "Bull",
    "Evidence",
    "LidiaReading",
    "Line",
    "Offer",
    "Pad",
    "Reading",
    "State",
    "Use",
    "judge",
]
