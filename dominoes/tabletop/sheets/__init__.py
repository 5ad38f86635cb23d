"""Conversion between scoresheets in JSON and the input of the engine's referee.

The module `format` defines the format of a scoresheet, for example:

    {"hands": [{"leader": 2, "out": 0, "blocked": false,
                "held": [null, {"tiles": ["5|3", "2|1"]}, {"pips": 12}, {"tiles": ["4|0"]}],
                "moves": ["6|3", ">4|4", "draw", "<1|6", "pass"]}],
     "totals": [82, 58, 33, 12], "stopped": false}

A scoresheet may contain totals without hands, which is the weakest evidence. If it contains both,
the totals must agree with the hands.
"""

from __future__ import annotations

from dominoes.tabletop.sheets.parser import Sheet, read_sheet, sheet_schema, write_hand
from dominoes.tabletop.sheets.referee import (
    below_target,
    line_sentence,
    objection_sentence,
    read_match,
    referee,
    side_names,
)

__all__ = [
    "Sheet",
    "below_target",
    "line_sentence",
    "objection_sentence",
    "read_match",
    "read_sheet",
    "referee",
    "sheet_schema",
    "side_names",
    "write_hand",
]
