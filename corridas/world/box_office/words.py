"""A house and a mood in words."""

from __future__ import annotations

from enum import Enum


class HouseWord(Enum):
    """How full a plaza is; the value is the least house in thousandths of the seats."""

    FULL = 970
    NEARLY_FULL = 850
    THREE_QUARTERS = 650
    HALF = 450
    THIRD = 280
    QUARTER = 0


class MoodWord(Enum):
    """The mood of a town; the value is the least mood in hundredths of a point."""

    DEVOTED = 7_500
    WARM = 5_500
    WAITS_AND_SEES = 4_500
    COOL = 3_000
    SOUR = 0


def house_word(share: int) -> HouseWord:
    """Return the word for a house in thousandths of the seats."""
    return next(word for word in HouseWord if share >= word.value)


def mood_word(mood: int) -> MoodWord:
    """Return the word for a mood in hundredths of a point."""
    return next(word for word in MoodWord if mood >= word.value)
