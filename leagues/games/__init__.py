"""Registry of the games that can be played in a league or at a table.

This application is independent of any game. A game provides rule profiles, a referee for results of
real tables, and a table to play at. Rules, moves and sheets pass through as the game's own JSON and
text.
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
