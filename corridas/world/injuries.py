"""How long a hurt matador rests: the grades of the parte facultativo (the surgeon's report).

The rulebook says that he must be replaced (Ruling I-7), not when he is back.
"""

from datetime import date, timedelta
from enum import Enum
from typing import NamedTuple

from fairness import Chance


class Grade(Enum):
    """How bad a wound is, from light to very grave."""

    LEVE = "leve"
    MENOS_GRAVE = "menos_grave"
    GRAVE = "grave"
    MUY_GRAVE = "muy_grave"


class Rest(NamedTuple):
    """What a grade means: its odds out of 100, and the fewest and most days of rest."""

    odds: int
    fewest: int
    most: int


RESTS = {
    Grade.LEVE: Rest(40, 4, 10),
    Grade.MENOS_GRAVE: Rest(32, 11, 24),
    Grade.GRAVE: Rest(22, 25, 60),
    Grade.MUY_GRAVE: Rest(6, 61, 150),
}
"""The published odds of the house: who cannot go on is seldom out for less than a few days."""


class Wound(NamedTuple):
    """A surgeon's report: the grade, and for how many days the matador rests, from 1."""

    grade: Grade
    days: int

    def until(self, since: date) -> date:
        """The last day of rest of a matador hurt on the day `since`."""
        return since + timedelta(days=self.days)


def examine(chance: Chance) -> Wound:
    """The report on a matador who could not go on."""
    grades = list(RESTS)
    grade = grades[chance.weighted([RESTS[grade].odds for grade in grades])]
    _, fewest, most = RESTS[grade]
    return Wound(grade, fewest + chance.below(most - fewest + 1))
