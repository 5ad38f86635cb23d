"""Search results for rules and lessons. Their texts are in files, not in the search index."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.wording import active_language
from core.names.text import words_of
from lessons.loading import all_lessons
from search.kinds import SearchHit, SearchKind, register_kind
from search.text import matches

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

RULES: Final = "rules"
LESSON: Final = "lesson"
# Words that find all rules or all lessons, whatever language the visitor uses.
RULES_WORDS: Final = ("rule", "rules", "regla", "reglas")
LESSON_WORDS: Final = ("lesson", "lessons", "lección", "lecciones")


class Section(NamedTuple):
    """A section of a rules page: URL name, anchor, heading and content."""

    page: str
    anchor: str
    title: _StrPromise
    content: _StrPromise


SECTIONS: Final = (
    Section("rules", "", _("How a corrida works"), _("Indulto: cards, tercios, scoresheet, ears")),
    Section(
        "rules", "card-h", _("How to read a card"), _("Indulto: the parts of a card and its number")
    ),
    Section(
        "rules",
        "tercios-h",
        _("Three tercios and a sword"),
        _("Indulto: hash marks, pairs and the last five cards"),
    ),
    Section(
        "rules",
        "ring-and-sheet-h",
        _("Watch the ring, read the scoresheet"),
        _("Indulto: points of matador and bull"),
    ),
    Section(
        "rules",
        "ears-h",
        _("From points to ears"),
        _("Indulto: score, final number, crowd and trophies"),
    ),
    Section(
        "rules",
        "else-h",
        _("What else can happen"),
        _("Indulto: herida, aviso, indulto, vuelta, tail and seal"),
    ),
    Section(
        "dominoes_rules",
        "idea-h",
        _("The basic idea"),
        _("Matador dominoes: halves that make seven, blanks and the four matadors"),
    ),
    Section(
        "dominoes_rules",
        "hand-h",
        _("Playing a hand"),
        _("Matador dominoes: drawing from the boneyard, passing, scoring pips"),
    ),
    Section(
        "dominoes_rules",
        "tips-h",
        _("Tips for playing well"),
        _("Matador dominoes: suits, blanks and locks"),
    ),
    Section(
        "dominoes_rules",
        "variants-h",
        _("Named variants"),
        _("Matador dominoes: larger sets and other targets"),
    ),
    Section(
        "eltoro_rules",
        "idea-h",
        _("The basic idea"),
        _("Running with the Bulls: dice as runners, streets and bulls"),
    ),
    Section(
        "eltoro_rules",
        "morning-h",
        _("The morning"),
        _("Running with the Bulls: destinations, cards and the start"),
    ),
    Section(
        "eltoro_rules",
        "step-h",
        _("One step"),
        _("Running with the Bulls: runners move, bulls charge"),
    ),
    Section(
        "eltoro_rules",
        "evening-h",
        _("The evening"),
        _("Running with the Bulls: points of a day and the winner"),
    ),
    Section(
        "eltoro_rules",
        "rulings-h",
        _("How we interpret the rules"),
        _("Running with the Bulls: rulings E-1 to E-10"),
    ),
    Section(
        "eltoro_rules",
        "tips-h",
        _("Tips for playing well"),
        _("Running with the Bulls: runners, bulls and cards"),
    ),
    Section(
        "eltoro_rules",
        "variants-h",
        _("Named variants"),
        _("Running with the Bulls: boards and numbers of days"),
    ),
)


def register_kinds() -> None:
    register_kind(SearchKind(key=RULES, title=_("Rules"), icon="score", lookup=_rules))
    register_kind(SearchKind(key=LESSON, title=_("Lessons"), icon="book", lookup=_lessons))


class FoundLesson(NamedTuple):
    """A search result with the words by which it is found. Words of the title are separate."""

    title_words: Sequence[str]
    words: Sequence[str]
    hit: SearchHit


def _rules(request: HttpRequest, words: Sequence[str]) -> Sequence[SearchHit]:
    return _matching_lessons(_read_rules(active_language()), words)


def _lessons(request: HttpRequest, words: Sequence[str]) -> Sequence[SearchHit]:
    return _matching_lessons(_read_lessons(active_language()), words)


def _matching_lessons(rows: Sequence[FoundLesson], words: Sequence[str]) -> list[SearchHit]:
    """Return the matching results in page order, with matches in the title first."""
    found = [
        (not matches(row.title_words, words), order, row.hit)
        for order, row in enumerate(rows)
        if matches((*row.title_words, *row.words), words)
    ]
    return [hit for _by_content, _order, hit in sorted(found, key=lambda row: row[:2])]


@cache
def _read_rules(language: str) -> tuple[FoundLesson, ...]:
    """Return the sections of all rules pages. `language` must be the active language."""
    rows = []
    for section in SECTIONS:
        anchor = f"#{section.anchor}" if section.anchor else ""
        title, content = str(section.title), str(section.content)
        hit = SearchHit(title=title, url=reverse(section.page) + anchor, detail=content)
        rows.append(FoundLesson(words_of(title), words_of(content, *RULES_WORDS), hit))
    return tuple(rows)


@cache
def _read_lessons(language: str) -> tuple[FoundLesson, ...]:
    rows = []
    for lesson in all_lessons():
        title, summary = (text.fill(language, {}) for text in (lesson.title, lesson.summary))
        hit = SearchHit(title=title, url=reverse("lesson", args=[lesson.slug]), detail=summary)
        rows.append(FoundLesson(words_of(title), words_of(summary, *LESSON_WORDS), hit))
    return tuple(rows)
