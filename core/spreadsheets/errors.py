"""Errors in files with their location, and messages marked for translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """One error in a file, with its location.

    `sheet` is the file or sheet, `line` the row number as spreadsheets display it, `column` the
    column and `value` the wrong value. `line` is None and `column` empty if the error concerns the
    whole sheet. `sentence` is an untranslated message with its `params`. The parameter `kind` is an
    untranslated message too.
    """

    sheet: str
    line: int | None
    column: str
    value: str
    sentence: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """Return the error message in the active language."""
        from django.utils.translation import (
            gettext,
        )  # imported here: file readers run without Django

        said = gettext(self.sentence)
        kind = self.params.get("kind")
        params = {**self.params, "kind": gettext(kind)} if isinstance(kind, str) else self.params
        return said % params if params else said

    def __str__(self) -> str:
        place = ", ".join(str(part) for part in (self.sheet, self.line, self.column) if part)
        return f"{place}: {self.said}"


class Refused(Exception):
    """The file cannot be read at all.

    This error is reported at most once per sheet.
    """

    def __init__(
        self, sentence: str, /, sheet: str = "", line: int | None = None, **params: object
    ) -> None:
        super().__init__(sentence)
        self.fault = Fault(sheet, line, "", "", sentence, params)


class Faults:
    """The errors of a file, in the order of its lines. Beyond `most`, errors are only counted."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.listed: list[Fault] = []
        self.count = 0

    def add(self, fault: Fault) -> None:
        self.count += 1
        if len(self.listed) < self.most:
            self.listed.append(fault)

    def extend(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self.add(fault)

    @property
    def unlisted(self) -> int:
        return self.count - len(self.listed)
