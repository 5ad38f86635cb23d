"""Errors in files with their location, and messages marked for translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """One error: the file or sheet, the row as spreadsheets number it, the column and the value.

    `line` is None and `column` empty for errors of the whole. `sentence` is an untranslated
    message with its `params`; the parameter `kind` is an untranslated message too.
    """

    sheet: str
    line: int | None
    column: str
    value: str
    sentence: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def said(self) -> str:
        """Return the message in the active language."""
        from django.utils.translation import gettext  # readers of files do without it

        said = gettext(self.sentence)
        kind = self.params.get("kind")
        params = {**self.params, "kind": gettext(kind)} if isinstance(kind, str) else self.params
        return said % params if params else said

    def __str__(self) -> str:
        place = ", ".join(str(part) for part in (self.sheet, self.line, self.column) if part)
        return f"{place}: {self.said}"


class Refused(Exception):
    """A file cannot be read at all. Reported at most once per sheet."""

    def __init__(
        self, sentence: str, /, sheet: str = "", line: int | None = None, **params: object
    ) -> None:
        super().__init__(sentence)
        self.fault = Fault(sheet, line, "", "", sentence, params)


class Faults:
    """The errors of a file in order. Beyond `most` they are only counted."""

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
