"""Tables as rows of text, not yet validated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

DELIMITERS: Final = (",", ";", "\t")
MAX_QUOTED_LENGTH: Final = 80  # characters of a wrong value
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r＝＋－＠].", re.DOTALL)
_ESCAPED: Final = re.compile(r"'+[=+\-@\t\r＝＋－＠].", re.DOTALL)


_NOTHING: Final[Mapping[int, str]] = {}


class Line(NamedTuple):
    """A row of a table: its number, counted from 1, and its cells.

    `wrong` maps the index of an unusable cell to an error message. This is a named tuple, because a
    file has up to sixty thousand rows, which another process sends. A dataclass would take ten
    times as long.
    """

    number: int
    cells: Sequence[str]
    wrong: Mapping[int, str] = _NOTHING

    @property
    def empty(self) -> bool:
        return not any(self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A CSV file or a sheet of a workbook, without its empty rows."""

    name: str
    lines: Sequence[Line] = field(default_factory=list)


def escape_formula(text: str) -> str:
    """Escape a text that a spreadsheet would take for a formula.

    A dash alone is not a formula.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(cell: str) -> str:
    """Reverse `escape_formula`."""
    return cell[1:] if _ESCAPED.match(cell) else cell


def quoted(value: object) -> str:
    """Return a value for an error message, shortened and without unprintable characters."""
    text = str(value)[: MAX_QUOTED_LENGTH + 1]
    printable = "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text
    )
    return (
        printable
        if len(printable) <= MAX_QUOTED_LENGTH
        else printable[: MAX_QUOTED_LENGTH - 1] + "…"
    )


# Line at the beginning of a CSV file with which spreadsheets declare the separator.
_SEPARATOR_LINE: Final = re.compile(r'"?sep=([,;\t])"?(?:\r\n?|\n|$)', re.IGNORECASE)
_LINE_END: Final = re.compile(r"[\r\n]")


def separated(text: str) -> tuple[str, str]:
    """Return the text of a CSV file without a leading line `sep=;`, and the separator.

    Without such a line, the separator is the one that occurs most often in the first line.
    """
    match = _SEPARATOR_LINE.match(text)
    if match:
        return text[match.end() :], match[1]
    head = _LINE_END.split(text.lstrip(), maxsplit=1)[0]
    return text, max(DELIMITERS, key=head.count)
