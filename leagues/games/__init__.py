"""Registry of the games that can be played in a league or at a live table.

The app `leagues` does not depend on any game. Each game registers its rule profiles, its referee
(which checks results of real tables) and the code to play at a live table. Rules, moves and
scoresheets are passed through as JSON and text in the game's own format.
"""

from leagues.games.parts import (
    REAL_TABLE,
    Game,
    Games,
    RealTable,
    ReplayedTable,
    SheetReferee,
    each_for_themselves,
    games,
    name_of_seat,
    named_profiles,
    read_move,
    refusal_reason,
    register,
    seat_names,
)
from leagues.games.protocols import (
    Calibration,
    Judgement,
    MatchRecords,
    MeasuredFigure,
    MoveRefused,
    Objection,
    Position,
    Profile,
    Referee,
    RoundActa,
    RoundLog,
    RuleOption,
    RulesRefused,
    TableGame,
)

__all__ = [
    "REAL_TABLE",
    "Calibration",
    "Game",
    "Games",
    "Judgement",
    "MatchRecords",
    "MeasuredFigure",
    "MoveRefused",
    "Objection",
    "Position",
    "Profile",
    "RealTable",
    "Referee",
    "ReplayedTable",
    "RoundActa",
    "RoundLog",
    "RuleOption",
    "RulesRefused",
    "SheetReferee",
    "TableGame",
    "each_for_themselves",
    "games",
    "name_of_seat",
    "named_profiles",
    "read_move",
    "refusal_reason",
    "register",
    "seat_names",
]
