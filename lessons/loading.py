"""Lessons as they are stored in `lessons/data/`: texts, moments of a record, and what is asked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

DATA: Final = Path(__file__).resolve().parent / "data"
# In the order in which they are listed
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
# A moment of a record: a turn and its cards, or moves
Moment = dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text in both languages. `{names}` are figures and names that the engine fills in."""

    en: str
    es: str

    def fill(self, language: str, figures: dict[str, str]) -> str:
        return (self.es if language.startswith("es") else self.en).format_map(figures)


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A question. The engine knows its answers, so the file has none.

    `kind` is a kind of question of the game. `after` is the moment of the answer, the step's own
    without it; `figure` is what is asked for, and `others` are figures that are offered beside it.
    `because` explains the answer by `ruling`.
    """

    kind: str
    question: Text
    because: Text
    ruling: str
    after: Moment | None = None
    figure: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """A moment with its text. `show` names the pictures."""

    at: Moment
    show: tuple[str, ...]
    text: Text
    ask: Ask | None = None


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A lesson about a game, from one record.

    `cites` are rows of `docs/rules` by their first cell, and `rows` is a digest of these rows:
    whoever changes one reads the lesson again.
    """

    slug: str
    game: GameName
    title: Text
    summary: Text
    record: dict[str, Any]
    cites: tuple[str, ...]
    rows: str
    steps: tuple[Step, ...]


@cache
def all_lessons() -> tuple[Lesson, ...]:
    """Return the lessons in their order."""
    return tuple(
        _lesson(**json.loads((DATA / f"{slug}.json").read_text(encoding="utf-8"))) for slug in SLUGS
    )


def _lesson(**parts: Any) -> Lesson:
    """Return a lesson from its file. Raise `TypeError` for a field too many or too few."""
    return Lesson(
        **parts
        | {
            "title": Text(**parts["title"]),
            "summary": Text(**parts["summary"]),
            "cites": tuple(parts["cites"]),
            "steps": tuple(_step(**step) for step in parts["steps"]),
        }
    )


def _step(**parts: Any) -> Step:
    ask = _ask(**parts["ask"]) if parts.get("ask") else None
    return Step(**parts | {"show": tuple(parts["show"]), "text": Text(**parts["text"]), "ask": ask})


def _ask(**parts: Any) -> Ask:
    return Ask(
        **parts
        | {
            "question": Text(**parts["question"]),
            "because": Text(**parts["because"]),
            "others": tuple(parts.get("others", ())),
        }
    )


def find_lesson(slug: str) -> Lesson | None:
    return next((lesson for lesson in all_lessons() if lesson.slug == slug), None)
