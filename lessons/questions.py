"""Questions with the answers of an engine, the same for every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from django.utils.translation import gettext as _

from lessons.loading import Ask, Moment

Figure = int | str
# A number is asked for with this many others
MIN_NUMBERS: Final = 4
MINUS: Final = "−"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An answer to choose. `why` says what is wrong with it, where the engine gives a reason."""

    value: str
    label: str
    right: bool
    why: str = ""


class Record(Protocol):
    """What a game shows of the record of a lesson. A record knows its language."""

    def __init__(self, record: Mapping[str, Any], language: str) -> None:
        """Play the record. Raises an error of the engine where it is none."""
        ...

    def figures(self, at: Moment) -> dict[str, Figure]:
        """Return everything that a text about this moment can name."""
        ...

    def options(self, ask: Ask, at: Moment) -> list[Option]:
        """Return the answers to a question of the game's own kinds."""
        ...

    def pictures(self, at: Moment, ask: Ask | None) -> dict[str, Any]:
        """Return what the template of the game draws. `ask` is a question not yet answered."""
        ...


def written(figures: Mapping[str, Figure]) -> dict[str, str]:
    """Return figures as they are written in a text."""
    return {name: write_figure(figure) for name, figure in figures.items()}


def write_figure(figure: Figure) -> str:
    return str(figure).replace("-", MINUS) if isinstance(figure, int) else figure


def options_of(record: Record, ask: Ask, at: Moment) -> list[Option]:
    """Return the answers that can be chosen, in the order of the form."""
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
        Option(value=str(number), label=write_figure(number), right=number == right)
        for number in sorted(numbers)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What is said to a chosen answer: whether it is right, or what is, and why."""

    right: bool
    sentence: str
    because: str
    ruling: str


def reply_to(option: Option, options: list[Option], because: str, ruling: str) -> Reply:
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
