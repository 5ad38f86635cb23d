"""Questions that an organiser answers before an import. One question concerns all similar lines.

A result with an unanswered question is left out. An exception is the question about matches that
ended early: these are added by default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues.exceptions import OperationError

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Answer that leaves out the lines concerned. It is possible for every question.
LEAVE: Final = "leave"
BEFORE_DRAW: Final = "before_draw"
CONTRADICTION: Final = "contradiction"
EARLY: Final = "early"
# Prefix of the keys of questions about people. A name follows.
PERSON: Final = "person:"

ADD, ONE, SEVERAL, KEEP, NO_POINTS = "add", "one", "several", "keep", "places"
# Default answers of questions that need not be answered.
DEFAULTS: Final = {EARLY: KEEP}

_LABELS: Final[dict[str, dict[str, _StrPromise]]] = {
    BEFORE_DRAW: {ADD: gettext_lazy("Add them"), LEAVE: gettext_lazy("Leave these matches out")},
    CONTRADICTION: {
        "places": gettext_lazy("The places are right"),
        "winners": gettext_lazy("The marked winners are right"),
        "points": gettext_lazy("The points are right"),
        LEAVE: gettext_lazy("Leave these matches out"),
    },
    EARLY: {
        KEEP: gettext_lazy("Add these matches with their points"),
        NO_POINTS: gettext_lazy("Add these matches with their places only"),
        LEAVE: gettext_lazy("Leave these matches out"),
    },
    PERSON: {
        ONE: gettext_lazy("One person"),
        SEVERAL: gettext_lazy("Several people; a number is added to their names"),
        LEAVE: gettext_lazy("Leave out the matches with this name"),
    },
}


def kind_of(key: str) -> str:
    return PERSON if key.startswith(PERSON) else key


@dataclass(frozen=True, kw_only=True)
class ImportQuestion:
    """A question about `count` lines of the file, identified by `key`.

    `name` is the name of the person concerned. `answer` is the present answer, empty if there is
    none. `answers` are the possible answers. For a contradiction, these are the sources (such as
    points) that at least one of the lines has.
    """

    key: str
    count: int
    answers: tuple[str, ...]
    answer: str = ""
    name: str = ""

    @property
    def sentence(self) -> str:
        texts = {
            BEFORE_DRAW: ngettext(
                "%(count)s match was played before its round was drawn.",
                "%(count)s matches were played before their round was drawn.",
                self.count,
            ),
            CONTRADICTION: ngettext(
                "%(count)s result contradicts itself: its places, winners and points do not agree.",
                "%(count)s results contradict themselves: their places, winners and points do "
                "not agree.",
                self.count,
            ),
            EARLY: ngettext(
                "%(count)s match ended early.", "%(count)s matches ended early.", self.count
            ),
            PERSON: _(
                "%(name)s appears in this file with several identifiers. Are they all the same "
                "person?"
            ),
        }
        return texts[kind_of(self.key)] % {"count": self.count, "name": self.name}

    @property
    def options(self) -> list[tuple[str, _StrPromise]]:
        """Return the possible answers to the question with their labels."""
        labels = _LABELS[kind_of(self.key)]
        return [(answer, labels[answer]) for answer in self.answers]


class Decisions:
    """The organiser's answers by key of the question.

    Raises `OperationError` for an invalid answer.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = {key: answer for key, answer in given.items() if answer}
        for key, answer in self.given.items():
            labels = _LABELS.get(kind_of(key))
            if labels is not None and answer not in labels:
                raise OperationError(
                    _("“%(answer)s” is not an answer to the question “%(question)s”.")
                    % {"answer": answer[:40], "question": key[:80]},
                    "decisions",
                )

    def answer_to(self, key: str) -> str:
        return self.given.get(key) or DEFAULTS.get(key, "")

    def leave_out(self, keys: Iterable[str]) -> bool:
        """Return whether the answer to one of these questions is to leave the line out."""
        return LEAVE in map(self.answer_to, keys)

    def await_answer(self, keys: Iterable[str]) -> bool:
        return "" in map(self.answer_to, keys)

    def questions(
        self,
        asked: Sequence[str],
        names: Mapping[str, str],
        sources: Sequence[str],
    ) -> tuple[ImportQuestion, ...]:
        """Return the questions of all lines, each once.

        `asked` are the keys of questions, with repetitions. `names` are the names of people in
        questions about people. `sources` are the sources that contradict each other.
        """
        counts = Counter(asked)
        return tuple(
            ImportQuestion(
                key=key,
                count=count,
                answers=tuple(
                    answer
                    for answer in _LABELS[kind_of(key)]
                    if key != CONTRADICTION or answer == LEAVE or answer in sources
                ),
                answer=self.answer_to(key),
                name=names.get(key, ""),
            )
            for key, count in sorted(counts.items(), key=lambda pair: (pair[0], pair[1]))
        )
