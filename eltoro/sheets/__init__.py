"""What a table hands in, between the league's JSON and the referee.

A sheet is an evening in one of three kinds; seats count from 0, days too:

    {"kind": "points", "days": [[14, 9, 11], [8, 17, 6], [12, 12, 13]]}

the points of each day by seat: the weakest evidence, taken on trust where a day can bring them.

    {"kind": "arrivals", "days": [{"destinations": ["bank", "casino", "pier", "nightclub", "bank"],
                                   "arrived": [[2, 0, 1, 0, 0], [0, 0, 3, 1, 0], [1, 1, 1, 1, 1]],
                                   "gained": [2, 0, 0], "dice": [null, 4, null]}, ...]}

which destinations lay out, how many runners of each player arrived at them, points by action
cards, and what was rolled in the morning for an effect of the day before (a face, nothing, or a
list where several dice are due). Points and the effects of the day after follow. A day may tell
which runners a card led aside, and where to: `"aside": ["a1>molino"]`.

    {"kind": "log", "seed": "64 hexadecimal digits", "moves": ["start a2>4", "play churros", ...]}

an evening played on the site, replayed whole.
"""

from eltoro.sheets.arrivals import judge_day
from eltoro.sheets.law import Kind, Law, Morning
from eltoro.sheets.places import Ending
from eltoro.sheets.points import absurd
from eltoro.sheets.reading import read_sheet, write_day
from eltoro.sheets.referee import SheetReferee, read_evening, referee
from eltoro.sheets.runners import against_gains
from eltoro.sheets.sentences import (
    asides,
    day_words,
    ended,
    lines,
    say,
    seat_names,
    tomorrow,
)
from eltoro.sheets.written import OF_THE_DECK, Day, DayReading, Objection, Reading, Way

__all__ = [
    "OF_THE_DECK",
    "Day",
    "DayReading",
    "Ending",
    "Kind",
    "Law",
    "Morning",
    "Objection",
    "Reading",
    "SheetReferee",
    "Way",
    "absurd",
    "against_gains",
    "asides",
    "day_words",
    "ended",
    "judge_day",
    "lines",
    "read_evening",
    "read_sheet",
    "referee",
    "say",
    "seat_names",
    "tomorrow",
    "write_day",
]
