"""Conversion between sheets as JSON and the engine's referee.

A sheet is the match as it was recorded, hand by hand:

    {"hands": [{"leader": 2, "out": 0, "blocked": false,
                "held": [null, {"tiles": ["5|3", "2|1"]}, {"pips": 12}, {"tiles": ["4|0"]}],
                "moves": ["6|3", ">4|4", "draw", "<1|6", "pass"]}],
     "totals": [82, 58, 33, 12], "stopped": false}

Seats count from 0. Tiles and moves are in the engine's notation. `leader` (who set the first
tile), `out` (who has none left, or else `blocked`), `held` and `moves` of a hand are
optional: the referee says what it still needs. `deal` (the tiles dealt to each seat) and
`seed` are present if the hand was played on the site. `totals` are points by seat. Alone they
are the weakest evidence, and beside hands they must agree with them. `stopped`: the table
ended the match before anybody had reached the target.
"""

from __future__ import annotations

from dominoes.tabletop.sheets.parser import Sheet, read_sheet, write_hand
from dominoes.tabletop.sheets.referee import (
    line_sentence,
    objection_sentence,
    read_match,
    referee,
    side_names,
)

__all__ = [
    "Sheet",
    "line_sentence",
    "objection_sentence",
    "read_match",
    "read_sheet",
    "referee",
    "side_names",
    "write_hand",
]
