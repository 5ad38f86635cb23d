"""The board of a real table, recorded entry by entry beside real cards and, often, real dice."""

from __future__ import annotations

from eltoro.engine.real_board.board import RealBoard
from eltoro.engine.real_board.entries import (
    Entry,
    EntryError,
    EntryNote,
    RolledDie,
    ScoredDay,
    Target,
    Verb,
)
from eltoro.engine.real_board.state import Due

__all__ = [
    "Due",
    "Entry",
    "EntryError",
    "EntryNote",
    "RealBoard",
    "RolledDie",
    "ScoredDay",
    "Target",
    "Verb",
]
