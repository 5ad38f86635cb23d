"""Conversion between scoresheets in JSON and the input of the referee.

A scoresheet describes a game in one of three formats, which the module `format` defines:

    {"kind": "points", "days": [[14, 9, 11], [8, 17, 6], [12, 12, 13]]}

    {"kind": "arrivals", "days": [{"destinations": ["bank", "casino", "pier", "nightclub", "bank"],
                                   "arrived": [[2, 0, 1, 0, 0], [0, 0, 3, 1, 0], [1, 1, 1, 1, 1]],
                                   "gained": [2, 0, 0], "dice": [null, 4, null]}, ...]}

    {"kind": "log", "seed": "64 hexadecimal digits", "moves": ["start a2>4", "play churros", ...]}

Points are accepted if a day can bring them. Arrivals determine the points and the effects on the
next day. A log contains a game played on the site, which the referee replays.
"""

from __future__ import annotations

from eltoro.tabletop.sheets.parser import read_sheet, sheet_schema, write_day
from eltoro.tabletop.sheets.reading import (
    OF_THE_DECK,
    DayReading,
    Ending,
    Objection,
    RecordedDay,
    ScoresheetReading,
    SheetKind,
)
from eltoro.tabletop.sheets.referee import (
    against_arrivals,
    impossible_points,
    judge_arrivals,
    judge_day,
    read_evening,
    referee,
)
from eltoro.tabletop.sheets.sentences import (
    aside_lines,
    day_summary,
    ending_sentence,
    objection_sentence,
    reading_lines,
    tomorrow_lines,
)
from eltoro.tabletop.sheets.sheet_rules import DestinationKind, Morning, SheetRules

__all__ = [
    "OF_THE_DECK",
    "DayReading",
    "DestinationKind",
    "Ending",
    "Morning",
    "Objection",
    "RecordedDay",
    "ScoresheetReading",
    "SheetKind",
    "SheetRules",
    "against_arrivals",
    "aside_lines",
    "day_summary",
    "ending_sentence",
    "impossible_points",
    "judge_arrivals",
    "judge_day",
    "objection_sentence",
    "read_evening",
    "read_sheet",
    "reading_lines",
    "referee",
    "sheet_schema",
    "tomorrow_lines",
    "write_day",
]
