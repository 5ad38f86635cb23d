"""Numbers offered as answers beside the correct one: other figures of the record, then the
nearest numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from lessons.loading import LessonQuestion, Moment, Text
from lessons.questions import AnswerOption, Figure, options_of

BEFORE, AFTER = {"turn": 1}, {"turn": 2}
WORDS = Text(en="How many?", es="¿Cuántos?")


class Figures:
    """A record that has these figures at one moment and none at other moments."""

    def __init__(self, record: Mapping[str, Any], language: str) -> None:
        self._figures, self._at = record["figures"], record["at"]

    def figures(self, at: Moment) -> dict[str, Figure]:
        return dict(self._figures) if at == self._at else {}

    def options(self, ask: LessonQuestion, at: Moment) -> list[AnswerOption]:
        raise AssertionError("A number is no question of a game's own.")

    def pictures(self, at: Moment, ask: LessonQuestion | None) -> dict[str, Any]:
        return {}


def offered_options(
    right: int, others: list[Figure], after: Moment | None = None
) -> list[AnswerOption]:
    figures = {"asked": right} | {f"other{number}": one for number, one in enumerate(others)}
    record = Figures({"figures": figures, "at": after or BEFORE}, "en")
    ask = LessonQuestion(
        kind="number",
        question=WORDS,
        because=WORDS,
        ruling="I-1",
        after=after,
        figure="asked",
        others=tuple(figures)[1:],
    )
    return options_of(record, ask, BEFORE)


@pytest.mark.parametrize(
    ("right", "others", "numbers"),
    [
        # Alternately above and below, the nearest number first.
        (8, [], [7, 8, 9, 10]),
        (8, [20], [7, 8, 9, 20]),
        (8, [1], [1, 7, 8, 9]),
        (8, [1, 20], [1, 8, 9, 20]),
        # A number that occurs twice is offered once.
        (8, [9], [7, 8, 9, 10]),
        (8, [7], [7, 8, 9, 10]),
        (8, [7, 9], [7, 8, 9, 10]),
        (8, [9, 10], [7, 8, 9, 10]),
        (8, [7, 9, 10], [7, 8, 9, 10]),
        (8, [8, 8], [7, 8, 9, 10]),
        (8, [20, 20], [7, 8, 9, 20]),
        (8, ["4", "Ana"], [7, 8, 9, 10]),
        # With three other figures no number is invented, and more than three are all offered.
        (8, [1, 2, 3], [1, 2, 3, 8]),
        (8, [1, 2, 3, 4], [1, 2, 3, 4, 8]),
        (0, [], [-1, 0, 1, 2]),
        (-1, [1], [-2, -1, 0, 1]),
    ],
)
def test_missing_answers_are_filled_up_with_the_nearest_numbers(
    right: int, others: list[Figure], numbers: list[int]
) -> None:
    options = offered_options(right, others)
    assert [int(option.value) for option in options] == numbers
    assert [int(option.value) for option in options if option.right] == [right]
    assert [option.label for option in options] == [str(one).replace("-", "−") for one in numbers]


def test_correct_answer_is_the_figure_of_the_next_moment() -> None:
    assert [option.value for option in offered_options(3, [9], AFTER)] == ["2", "3", "4", "9"]
