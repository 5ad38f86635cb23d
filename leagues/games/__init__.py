"""Registry of the games that can be played in a league or at a table.

This application is independent of any game. A game provides rule profiles, a referee for results of
real tables, and a table to play at. Rules, moves and sheets pass through as the game's own JSON and
text.
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
    Book,
    Calibration,
    Figure,
    Judgement,
    MoveRefused,
    Objection,
    Option,
    Position,
    Profile,
    Referee,
    RoundActa,
    RoundLog,
    RulesRefused,
    TableGame,
)

__all__ = [
    "REAL_TABLE",
    "Book",
    "Calibration",
    "Figure",
    "Game",
    "Games",
    "Judgement",
    "MoveRefused",
    "Objection",
    "Option",
    "Position",
    "Profile",
    "RealTable",
    "Referee",
    "ReplayedTable",
    "RoundActa",
    "RoundLog",
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
