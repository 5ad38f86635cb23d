"""The referee of corridas at real tables: it recalculates a submitted scoresheet (Ruling I-18).

A sheet is JSON that contains everything the referee needs:

    {"plaza": {"name": "Las Ventas", "rating": 1}, "date": "2026-05-15",
     "cartel": [{"name": ..., "rating": 99, "alternativa": "1913-10-16" or null,
                 "ranges": {"oreja": "81-90", ...}}, ... three in the order of appearance; two of
                one name need a different "key": ... as well, such as their slugs],
     "bulls": [{"name": "Islero", "number": 21}, ... six by turn],
     "leads": [0, 1, 0],
     "lidias": [{"cards": [12, 40, ...]}, {"sheet": {...}}, {"score": {...}}, ...]}

A lidia has the cards in the order drawn, or its scoresheet, or both. If the players wrote down only
the result, it has a score, which is the weakest evidence. `corridas.api.tabletop.schema` describes
all members. The scoresheet of a lidia looks like this:

    {"tercios": [[matador, bull], [matador, bull], [matador, bull]], "kill": [0, -7, 0, -3, 0],
     "avisos": 1, "indulto": null, "number": 56, "began": 0, "injured": [], "finished": 0}

Figures that follow from others are optional, but if they are entered they must agree. A lidia that
was broken off has neither kill nor number.

The referee itself reads the untrusted JSON. It adds a line about each invalid member.
"""

from __future__ import annotations

from corridas.tabletop.sheets.course import judge
from corridas.tabletop.sheets.lines import (
    Bull,
    Evidence,
    LidiaReading,
    ScoresheetLine,
    SheetReading,
    State,
)
from corridas.tabletop.sheets.pad import Awaits, Offer, Pad, Use

__all__ = [
    "Awaits",
    "Bull",
    "Evidence",
    "LidiaReading",
    "Offer",
    "Pad",
    "ScoresheetLine",
    "SheetReading",
    "State",
    "Use",
    "judge",
]
