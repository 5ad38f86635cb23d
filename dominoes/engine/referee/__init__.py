"""Referee of dominoes: checks the notes of a hand or match that was played with real tiles."""

from dominoes.engine.referee.course import Course, Event, follow_moves
from dominoes.engine.referee.matches import MatchReading, judge_match
from dominoes.engine.referee.reading import (
    MISSING,
    RULINGS,
    FinalTiles,
    HandReading,
    HandSheet,
    Objection,
    RefereeConclusion,
)
from dominoes.engine.referee.sheets import MAX_MOVES, judge_hand

__all__ = [
    "MAX_MOVES",
    "MISSING",
    "RULINGS",
    "Course",
    "Event",
    "FinalTiles",
    "HandReading",
    "HandSheet",
    "MatchReading",
    "Objection",
    "RefereeConclusion",
    "follow_moves",
    "judge_hand",
    "judge_match",
]
