"""The games that can be played in a league or at a table: each registers itself here.

Nothing in this application knows a game by name. A game brings its rule profiles, a referee for
what a real table hands in, and a table at which it can be played; rules, moves and sheets pass
through as the game's own JSON and text.
"""

from leagues.games.protocols import (
    JSON,
    REAL_TABLE,
    Book,
    Calibration,
    Figure,
    Folded,
    Judgement,
    MoveRefused,
    Objection,
    Option,
    Position,
    Profile,
    RealTable,
    Referee,
    RoundActa,
    RoundLog,
    RulesRefused,
    TableGame,
    refusal_reason,
)
from leagues.games.registry import Game, Games, games, register

__all__ = [
    "JSON",
    "REAL_TABLE",
    "Book",
    "Calibration",
    "Figure",
    "Folded",
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
    "RoundActa",
    "RoundLog",
    "RulesRefused",
    "TableGame",
    "games",
    "refusal_reason",
    "register",
]
