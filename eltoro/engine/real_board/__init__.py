"""Tracks the board of a game that is played with real cards.

Players record what happens at the table entry by entry. They may also use real dice.
"""

from __future__ import annotations

from eltoro.engine.real_board.board import RealBoard
from eltoro.engine.real_board.entries import (
    BoardEntry,
    EntryError,
    EntryNote,
    EntryTarget,
    RolledDie,
    ScoredDay,
    Verb,
)
from eltoro.engine.real_board.state import DueEntryKind

__all__ = [
    "BoardEntry",
    "DueEntryKind",
    "EntryError",
    "EntryNote",
    "EntryTarget",
    "RealBoard",
    "RolledDie",
    "ScoredDay",
    "Verb",
]
