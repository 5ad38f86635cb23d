"""The referee: judges what a real table wrote down of a hand or a match."""

from dominoes.engine.referee.course import Course, Event, walk
from dominoes.engine.referee.hand import judge_hand
from dominoes.engine.referee.match import MatchReading, judge_match
from dominoes.engine.referee.written import (
    MISSING,
    RULINGS,
    Held,
    Line,
    Objection,
    Reading,
    Written,
)

__all__ = [
    "MISSING",
    "RULINGS",
    "Course",
    "Event",
    "Held",
    "Line",
    "MatchReading",
    "Objection",
    "Reading",
    "Written",
    "judge_hand",
    "judge_match",
    "walk",
]
