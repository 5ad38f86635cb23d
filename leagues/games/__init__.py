"""The games that can be played in a league or at a table: each registers itself here.

Nothing in this application knows a game by name. A game brings its rule profiles, a referee for
what a real table hands in, and a table at which it can be played; rules, moves and sheets pass
through as the game's own JSON and text.
"""

from leagues.games.content import JSON
from leagues.games.judging import Book, Judgement, Objection, Referee
from leagues.games.measuring import Calibration, Figure
from leagues.games.options import Option, Profile, RulesRefused, refusal
from leagues.games.records import RoundActa
from leagues.games.registry import Game, Games, games, register
from leagues.games.tables import (
    REAL_TABLE,
    Folded,
    MoveRefused,
    Position,
    RealTable,
    RoundLog,
    TableGame,
)

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
    "refusal",
    "register",
]
