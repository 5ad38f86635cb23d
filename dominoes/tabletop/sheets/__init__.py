"""What a table hands in, between the league's JSON and the referee of the engine.

A sheet is the match as it was written down, hand by hand:

    {"hands": [{"leader": 2, "out": 0, "blocked": false,
                "held": [null, {"tiles": ["5|3", "2|1"]}, {"pips": 12}, {"tiles": ["4|0"]}],
                "moves": ["6|3", ">4|4", "draw", "<1|6", "pass"]}],
     "totals": [82, 58, 33, 12], "stopped": false}

Seats count from 0, tiles and moves are in the engine's notation. Of a hand, `leader` (who set the
first tile), `out` (who has none left; else `blocked`), `held` and `moves` may each be missing: the
referee says what it still needs. `deal` (the tiles dealt to each seat) and `seed` stand there where
the hand was played on the site. `totals` are points by seat: alone they are all there is (the
weakest evidence), beside hands they must agree with them. `stopped`: the table ended the match
before anybody had reached the target.
"""

from __future__ import annotations

from dominoes.tabletop.sheets.parser import Sheet, read_sheet, write_hand
from dominoes.tabletop.sheets.referee import SheetReferee, read_match, referee
from dominoes.tabletop.sheets.sentences import (
    line_sentence,
    objection_sentence,
    seat_names,
    side_names,
)

__all__ = [
    "Sheet",
    "SheetReferee",
    "line_sentence",
    "objection_sentence",
    "read_match",
    "read_sheet",
    "referee",
    "seat_names",
    "side_names",
    "write_hand",
]
