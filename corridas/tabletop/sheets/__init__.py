"""The referee of a corrida at a real table, which recalculates a submitted sheet (Ruling I-18).

A sheet is self-contained JSON:

    {"plaza": {"name": "Las Ventas", "rating": 1}, "date": "2026-05-15",
     "cartel": [{"name": ..., "rating": 99, "alternativa": "1913-10-16" or null,
                 "ranges": {"oreja": "81-90", ...}}, ... three in the order of appearance],
     "bulls": [{"name": "Islero", "number": 21}, ... six by turn],
     "leads": [0, 1, 0],
     "lidias": [{"cards": [12, 40, ...]}, {"sheet": {...}}, {"score": {...}}, ...]}

`leads` gives the seat that leads each matador, in the order of appearance. Of a lidia there are
the cards in the order drawn (0-69, as they are numbered in the deck), or the sheet, or both:

    {"tercios": [[matador, bull], [matador, bull], [matador, bull]], "kill": [0, -7, 0, -3, 0],
     "avisos": 1, "indulto": null, "number": 56, "began": 0, "injured": [], "finished": 0}

Points are a sum, the entries in a list, or both: `{"entries": [3, -2], "sum": 1}`. `indulto` and
`number` are as drawn. Derived figures are optional and must agree with the others:
`marks` (hash marks by tercio), `totals` ([matador, bull]), `final` (the score before the plaza's
rating), `score` (after it), `modified` (the number read on the card), `trophy` (0-3), `vuelta`,
`crowd` (1-6), `ending`. A bull on which the corrida was broken off has neither kill nor number.

A table that recorded only results enters the score, the weakest evidence: `ending`, `modified`,
`avisos`, `began`, `injured`, `finished`, and, if known, `totals` and `kill` (its sum).
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
