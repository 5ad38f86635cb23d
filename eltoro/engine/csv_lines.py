"""Lines of a CSV file with their line numbers, which error messages contain (Ruling E-2)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from eltoro.engine.errors import DataError

# Pattern of a key that may be used in notation. Longer keys would not fit into the database column
# of moves.
KEY: Final = re.compile(r"(?=.{1,30}\Z)[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
NUMBER: Final = re.compile(r"[+-]?[0-9]{1,4}", re.ASCII)


@dataclass(frozen=True, slots=True)
class CsvLine:
    """One line of a CSV file: the file name, the line number, and the cells by column."""

    file: str
    number: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def data_error(self, code: str, **params: str | int) -> DataError:
        """Return an error about this line of the CSV file.

        The error contains the file name and the line number.
        """
        return DataError(code, self.file, self.number, **params)

    def key(self, column: str) -> str:
        """Return the cell of a column as a key. Raises `DataError` if it is not a valid key."""
        if not KEY.fullmatch(self[column]):
            raise self.data_error("key", key=self[column])
        return self[column]

    def whole_number(self, column: str) -> int:
        """Return the cell of a column as a whole number.

        Raises `DataError` if it is not a number.
        """
        if not NUMBER.fullmatch(self[column]):
            raise self.data_error("number", column=column, value=self[column])
        return int(self[column])


def read_lines(
    text: str, file: str, columns: Sequence[str], optional: Sequence[str] = ()
) -> list[CsvLine]:
    """Return the lines of a CSV file without the heading and without empty lines.

    Raises `DataError` for missing or unknown columns, duplicate keys, and a file without lines.
    """
    rows = csv.reader(text.removeprefix("\ufeff").splitlines())
    heading = [name.strip() for name in next(rows, [])]
    missing = set(columns) - set(heading)
    if missing or set(heading) - {*columns, *optional} or len(set(heading)) < len(heading):
        raise DataError("columns", file, 1, wanted=", ".join(columns))
    lines = list(_lines(rows, file, heading))
    if not lines:
        raise DataError("empty_file", file, 0)
    _check_unique(lines, heading[0] if heading[0] in columns else columns[0])
    return lines


def _lines(rows: Iterator[list[str]], file: str, heading: Sequence[str]) -> Iterator[CsvLine]:
    for number, row in enumerate(rows, start=2):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if len(cells) > len(heading):
            raise DataError("cells", file, number)
        yield CsvLine(file, number, dict(zip(heading, cells, strict=False)))


def _check_unique(lines: Sequence[CsvLine], column: str) -> None:
    """Raise `DataError` if two lines have the same key in this column."""
    seen: set[str] = set()
    for line in lines:
        if line[column] in seen:
            raise line.data_error("key_twice", key=line[column])
        seen.add(line[column])
