"""Draws the severity of a matador's injury and how long he cannot fight.

Severity has the grades of the parte facultativo (surgeon's report). The rulebook says that an
injured matador is replaced (Ruling I-7), but not when he returns.
"""

from __future__ import annotations

from datetime import date, timedelta
from enum import Enum
from typing import NamedTuple

from fairness import Chance


class Grade(Enum):
    """The severity of an injury, from light (`leve`) to very serious (`muy grave`)."""

    LEVE = "leve"
    MENOS_GRAVE = "menos_grave"
    GRAVE = "grave"
    MUY_GRAVE = "muy_grave"


class RestRange(NamedTuple):
    """Probability of a grade in per cent, and the fewest and most days of rest."""

    odds: int
    fewest: int
    most: int


# Published probabilities and days of rest for each grade. An injured matador misses at least four
# days.
RESTS = {
    Grade.LEVE: RestRange(40, 4, 10),
    Grade.MENOS_GRAVE: RestRange(32, 11, 24),
    Grade.GRAVE: RestRange(22, 25, 60),
    Grade.MUY_GRAVE: RestRange(6, 61, 150),
}


class Wound(NamedTuple):
    """A surgeon's report: the grade of the injury, and the number of days of rest (1 or more)."""

    grade: Grade
    days: int

    def last_day(self, since: date) -> date:
        """Return the last day on which a matador injured on the day `since` cannot fight."""
        return since + timedelta(days=self.days)


def examine(chance: Chance) -> Wound:
    grades = list(RESTS)
    grade = grades[chance.weighted([RESTS[grade].odds for grade in grades])]
    _, fewest, most = RESTS[grade]
    return Wound(grade, fewest + chance.below(most - fewest + 1))
