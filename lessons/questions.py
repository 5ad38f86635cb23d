"""Questions whose answers a game engine calculates, in the same form for every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from django.utils.translation import gettext as _

from lessons.loading import LessonQuestion, Moment

Figure = int | str
# Minimum number of answers to a question for a number.
MIN_NUMBERS: Final = 4
MINUS: Final = "−"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOption:
    """An answer that the reader of a lesson can choose.

    `why` says why it is wrong, if the game engine gives a reason.
    """

    value: str
    label: str
    right: bool
    why: str = ""


class LessonRecord(Protocol):
    """Protocol for the recorded game of a lesson, in one language."""

    def __init__(self, record: Mapping[str, object], language: str) -> None:
        """Replay the game. Raises an error of the engine if the record is invalid."""
        ...

    def figures(self, at: Moment) -> dict[str, Figure]:
        """Return the values for all placeholders in texts about this moment."""
        ...

    def options(self, ask: LessonQuestion, at: Moment) -> list[AnswerOption]:
        """Return the answers to a question of one of the game's own kinds."""
        ...

    def pictures(self, at: Moment, ask: LessonQuestion | None) -> dict[str, object]:
        """Return the context for the game's template.

        `ask` is the question, if it has not been answered yet.
        """
        ...


def figures_as_text(figures: Mapping[str, Figure]) -> dict[str, str]:
    """Return figures as text, with a proper minus sign."""
    return {name: write_figure(figure) for name, figure in figures.items()}


def write_figure(figure: Figure) -> str:
    return str(figure).replace("-", MINUS) if isinstance(figure, int) else figure


def options_of(record: LessonRecord, ask: LessonQuestion, at: Moment) -> list[AnswerOption]:
    """Return the answers to a question of a lesson, in the order in which the form lists them."""
    if ask.kind != "number":
        return record.options(ask, at)
    figures = record.figures(ask.after or at)
    right = figures[ask.figure]
    assert isinstance(right, int)
    numbers = {right, *(number for name in ask.others if isinstance(number := figures[name], int))}
    step = 1
    while len(numbers) < MIN_NUMBERS:
        numbers.add(right + step)
        step = -step if step > 0 else 1 - step
    return [
        AnswerOption(value=str(number), label=write_figure(number), right=number == right)
        for number in sorted(numbers)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The reply to a chosen answer: whether the answer is right, which answer is right, and why."""

    right: bool
    sentence: str
    because: str
    ruling: str


def reply_to(option: AnswerOption, options: list[AnswerOption], because: str, ruling: str) -> Reply:
    right = [each.label for each in options if each.right]
    words = {"chosen": option.label, "answer": right[0], "answers": "; ".join(right)}
    if len(right) > 1 and option.right:
        sentence = _("Right. All of these answers are correct: %(answers)s.") % words
    elif len(right) > 1:
        sentence = _("Incorrect: %(chosen)s. The correct answers are: %(answers)s.") % words
    elif option.right:
        sentence = _("Right: %(answer)s.") % words
    else:
        sentence = _("Incorrect: %(chosen)s. The answer is: %(answer)s.") % words
    return Reply(
        right=option.right,
        sentence=sentence,
        because=f"{option.why} {because}".strip(),
        ruling=ruling,
    )
