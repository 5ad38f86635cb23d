"""The rest of an injured matador, by the grades of the parte facultativo (surgeon's report).

The rulebook says that he must be replaced (Ruling I-7), not when he returns.
"""

from datetime import date, timedelta
from enum import Enum
from typing import NamedTuple

from fairness import Chance


class Grade(Enum):
    """The severity of an injury, from light to very grave."""

    LEVE = "leve"
    MENOS_GRAVE = "menos_grave"
    GRAVE = "grave"
    MUY_GRAVE = "muy_grave"


class Rest(NamedTuple):
    """A grade's odds out of 100, and its fewest and most days of rest."""

    odds: int
    fewest: int
    most: int


# The published odds: an injured matador is seldom out for less than a few days.
RESTS = {
    Grade.LEVE: Rest(40, 4, 10),
    Grade.MENOS_GRAVE: Rest(32, 11, 24),
    Grade.GRAVE: Rest(22, 25, 60),
    Grade.MUY_GRAVE: Rest(6, 61, 150),
}


class Wound(NamedTuple):
    """A surgeon's report: the grade, and the days of rest, from 1."""

    grade: Grade
    days: int

    def until(self, since: date) -> date:
        """Return the last day of rest of a matador injured on the day `since`."""
        return since + timedelta(days=self.days)


def examine(chance: Chance) -> Wound:
    grades = list(RESTS)
    grade = grades[chance.weighted([RESTS[grade].odds for grade in grades])]
    _, fewest, most = RESTS[grade]
    return Wound(grade, fewest + chance.below(most - fewest + 1))
