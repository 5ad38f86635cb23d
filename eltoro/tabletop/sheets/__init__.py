"""Conversion between sheets as JSON and the referee.

A sheet is an evening, of one of three kinds. Seats and days count from 0.

    {"kind": "points", "days": [[14, 9, 11], [8, 17, 6], [12, 12, 13]]}

The points of each day by seat: the weakest evidence, accepted if a day can bring them.

    {"kind": "arrivals", "days": [{"destinations": ["bank", "casino", "pier", "nightclub", "bank"],
                                   "arrived": [[2, 0, 1, 0, 0], [0, 0, 3, 1, 0], [1, 1, 1, 1, 1]],
                                   "gained": [2, 0, 0], "dice": [null, 4, null]}, ...]}

The destinations laid out, the number of runners of each player that arrived there, points by
action cards, and the dice rolled in the morning for effects of the day before (a face, null, or a
list of several). Points and effects on the next day are calculated. A day may contain the runners
that a card led aside, with their new spaces: `"aside": ["a1>molino"]`.

    {"kind": "log", "seed": "64 hexadecimal digits", "moves": ["start a2>4", "play churros", ...]}

An evening played on the site, which is replayed.
"""

from __future__ import annotations

from eltoro.tabletop.sheets.parser import read_sheet, write_day
from eltoro.tabletop.sheets.reading import (
    OF_THE_DECK,
    Day,
    DayReading,
    Ending,
    Objection,
    Reading,
    SheetKind,
)
from eltoro.tabletop.sheets.referee import (
    against_gains,
    impossible_points,
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
    "Day",
    "DayReading",
    "DestinationKind",
    "Ending",
    "Morning",
    "Objection",
    "Reading",
    "SheetKind",
    "SheetRules",
    "against_gains",
    "aside_lines",
    "day_summary",
    "ending_sentence",
    "impossible_points",
    "judge_day",
    "objection_sentence",
    "read_evening",
    "read_sheet",
    "reading_lines",
    "referee",
    "tomorrow_lines",
    "write_day",
]
