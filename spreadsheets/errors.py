"""Errors in files with their location, and messages marked for translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MAX_QUOTED_LENGTH = 80
"""Letters of a wrong value that are quoted."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: file or sheet, row as a spreadsheet numbers it, column, value.

    `line` None and `column` empty where it is a matter of the whole; `sentence` is the rule, a
    message to be translated, with its `params`.
    """

    sheet: str
    line: int | None
    column: str
    value: str
    sentence: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """The rule in a sentence, in the reader's language."""
        from django.utils.translation import gettext  # readers of files do without it

        said = gettext(self.sentence)
        return said % self.params if self.params else said

    def __str__(self) -> str:
        place = ", ".join(str(part) for part in (self.sheet, self.line, self.column) if part)
        return f"{place}: {self.said}"


class Refused(Exception):  # noqa: N818 - it becomes faults and goes no further
    """A file that cannot be read at all; told at most once a sheet."""

    def __init__(
        self, sentence: str, /, sheet: str = "", line: int | None = None, **params: object
    ) -> None:
        super().__init__(sentence)
        self.fault = Fault(sheet, line, "", "", sentence, params)


class Faults:
    """The faults of a file, in its order; past `most` they are only counted."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.told: list[Fault] = []
        self.count = 0

    def add(self, fault: Fault) -> None:
        """One more."""
        self.count += 1
        if len(self.told) < self.most:
            self.told.append(fault)

    def extend(self, faults: Iterable[Fault]) -> None:
        """Several more."""
        for fault in faults:
            self.add(fault)

    @property
    def untold(self) -> int:
        """How many there are beyond those told."""
        return self.count - len(self.told)


def quoted(value: object) -> str:
    """A value as it may be shown: short, and without signs that no page can hold."""
    text = str(value)[: MAX_QUOTED_LENGTH + 1]
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return shown if len(shown) <= MAX_QUOTED_LENGTH else shown[: MAX_QUOTED_LENGTH - 1] + "…"


def gettext_noop(message: str) -> str:
    """The message itself, marked for the catalogue."""
    return message
