"""A table as a file holds it: rows of text, each with its number, before anybody judges it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

_FORMULA: Final = re.compile(r"'*[=+\-@\t\r＝＋－＠].", re.DOTALL)
_ESCAPED: Final = re.compile(r"'+[=+\-@\t\r＝＋－＠].", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """A row: its number as a spreadsheet counts, from 1, its cells, and which are no values.

    `wrong` holds, by place of the cell, the sentence that says why.
    """

    number: int
    cells: Sequence[str]
    wrong: Mapping[int, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether nothing stands in it."""
        return not any(self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of a file: a CSV file or a sheet of a workbook, without its empty rows."""

    name: str
    lines: Sequence[Line] = field(default_factory=list)


def escape_formula(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; a dash alone is none."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(cell: str) -> str:
    """The text that was written as this cell."""
    return cell[1:] if _ESCAPED.match(cell) else cell
