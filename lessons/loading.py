"""Loading of lessons from `lessons/data/`: texts, moments of a recorded game, and questions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

DATA: Final = Path(__file__).resolve().parent / "data"
# Slugs of the lessons, in the order in which they are listed.
SLUGS: Final = (
    "one-bull-on-paper",
    "the-number",
    "the-indulto",
    "the-pad",
    "matador-in-five-moves",
    "matadors-and-blanks",
    "a-day-in-el-toro",
    "tokens-and-cards",
)
MAX_STEPS: Final = 20
MAX_WORDS: Final = 450

GameName = Literal["indulto", "dominoes", "eltoro"]
# A moment of a recorded game: for example a bull and the number of its cards, or a number of moves.
Moment = dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text in English and Spanish.

    `{names}` are placeholders for figures and names that the game engine provides.
    """

    en: str
    es: str

    def fill(self, language: str, figures: dict[str, str]) -> str:
        return (self.es if language.startswith("es") else self.en).format_map(figures)


@dataclass(frozen=True, kw_only=True)
class LessonQuestion:
    """A question in a lesson. The game engine calculates its answers, so the file contains none.

    `kind` is one of the game's kinds of questions. `after` is the moment at which the answer is
    shown, by default that of the step. `figure` names the figure that the question asks for, and
    `others` name figures that are offered as wrong answers. `because` explains the answer by
    `ruling`.
    """

    kind: str
    question: Text
    because: Text
    ruling: str
    after: Moment | None = None
    figure: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """A step of a lesson: a moment of the game with a text. `show` names the pictures to show."""

    at: Moment
    show: tuple[str, ...]
    text: Text
    ask: LessonQuestion | None = None


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A lesson about a game, which follows one recorded game.

    `cites` are rows of tables in `docs/rules`, each named by its first cell. `rows` is a digest of
    these rows, so that a test can detect that a cited rule has changed and the lesson must be read
    again.
    """

    slug: str
    game: GameName
    title: Text
    summary: Text
    record: dict[str, Any]
    cites: tuple[str, ...]
    rows: str
    steps: tuple[LessonStep, ...]


@cache
def all_lessons() -> tuple[Lesson, ...]:
    """Return all lessons in the order in which they are listed."""
    return tuple(
        _lesson(**json.loads((DATA / f"{slug}.json").read_text(encoding="utf-8"))) for slug in SLUGS
    )


def _lesson(**parts: Any) -> Lesson:
    """Return a lesson from the content of its file.

    Raises `TypeError` if a field is missing or unknown.
    """
    return Lesson(
        **parts
        | {
            "title": Text(**parts["title"]),
            "summary": Text(**parts["summary"]),
            "cites": tuple(parts["cites"]),
            "steps": tuple(_step(**step) for step in parts["steps"]),
        }
    )


def _step(**parts: Any) -> LessonStep:
    ask = _read_question(**parts["ask"]) if parts.get("ask") else None
    return LessonStep(
        **parts | {"show": tuple(parts["show"]), "text": Text(**parts["text"]), "ask": ask}
    )


def _read_question(**parts: Any) -> LessonQuestion:
    return LessonQuestion(
        **parts
        | {
            "question": Text(**parts["question"]),
            "because": Text(**parts["because"]),
            "others": tuple(parts.get("others", ())),
        }
    )


def find_lesson(slug: str) -> Lesson | None:
    return next((lesson for lesson in all_lessons() if lesson.slug == slug), None)
