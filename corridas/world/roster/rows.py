"""Reads a CSV table line by line, so that errors name the file and the line."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

Entry = TypeVar("Entry")
# A whole number as spreadsheets write it: 12, 12.0 or 12,00. Three decimals are rejected, because
# 12.000 means twelve thousand in many countries.
_WHOLE = re.compile(r"([0-9]{1,9})(?:[.,]0{1,2})?")


class RosterError(ValueError):
    """An invalid table.

    `file` and `line` locate the error (the header is line 1), and `rule` describes it. `column` is
    set if the error is in one column. `sentence` is the untranslated message and `params` its
    parameters.
    """

    def __init__(
        self, file: str, line: int, sentence: str, column: str = "", **params: object
    ) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.sentence = sentence
        self.params = {"column": column, **params} if column else params
        self.rule = sentence % self.params if self.params else sentence
        super().__init__(f"{file}, line {line}: {self.rule}")


def whole_number(text: str) -> int | None:
    """Parse a whole number without a sign. Return None for any other text."""
    match = _WHOLE.fullmatch(text)
    return int(match[1]) if match else None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table as text. Leading and trailing blanks are removed from the fields."""

    file: str
    line: int
    fields: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.fields[column]

    def require(self, holds: bool, sentence: str, column: str = "", **params: object) -> None:
        """Raise `RosterError` with this message unless `holds` is true.

        `params` fill placeholders such as `%(name)s` in the message.
        """
        if not holds:
            raise RosterError(self.file, self.line, sentence, column, **params)

    def number(self, column: str, low: int, high: int) -> int:
        """Return the whole number in a column, which must be between `low` and `high` inclusive."""
        text = self.fields[column]
        number = whole_number(text)
        self.require(
            number is not None and low <= number <= high,
            "%(column)s “%(value)s” is not a whole number from %(low)s to %(high)s",
            column,
            value=text,
            low=low,
            high=high,
        )
        assert number is not None
        return number

    def word(self, column: str, words: tuple[str, ...]) -> str:
        """Return the value of a column, which must be one of these words."""
        text = self.fields[column]
        sentence = "%(column)s “%(value)s” is not one of these values: %(words)s"
        self.require(text in words, sentence, column, value=text, words=", ".join(words))
        return text

    def text(self, column: str) -> str:
        self.require(bool(self.fields[column]), "%(column)s is empty", column)
        return self.fields[column]

    def convert(self, column: str, parse: Callable[[str], Entry]) -> Entry:
        """Parse the value of a column. A `ValueError` of the parser becomes a `RosterError`."""
        return self.attempt(lambda: parse(self.fields[column]), column)

    def attempt(self, make: Callable[[], Entry], column: str = "") -> Entry:
        """Return the result of `make`. A `ValueError` becomes a `RosterError` for this line."""
        try:
            return make()
        except RosterError:
            raise
        except ValueError as error:
            sentence = "%(column)s: %(reason)s" if column else "%(reason)s"
            raise RosterError(self.file, self.line, sentence, column, reason=str(error)) from error

    def read(self, checks: Mapping[str, Check]) -> dict[str, Any]:
        return {column: check(self, column) for column, check in checks.items()}


# A function that parses one column of a row, or raises `RosterError`.
Check = Callable[[TableRow, str], object]


def read_rows(path: Path, columns: tuple[str, ...]) -> list[TableRow]:
    """Read all rows of a CSV file, whose header must consist of exactly these columns."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise RosterError(path.name, 1, "the file is missing") from error
    except UnicodeDecodeError as error:
        raise RosterError(path.name, 1, "the file is not UTF-8") from error
    lines = [_fields(path.name, line, entry) for line, entry in enumerate(text.splitlines(), 1)]
    header = tuple(lines[0]) if lines else ()
    if header != columns:
        columns_read = ",".join(header)
        raise RosterError(path.name, 1, f"the columns are {','.join(columns)}, not {columns_read}")
    return [_row(path.name, line, columns, fields) for line, fields in enumerate(lines[1:], 2)]


def _fields(file: str, line: int, entry: str) -> list[str]:
    """Return the fields of one line. Quoted fields cannot contain line breaks."""
    try:
        return next(csv.reader([entry], strict=True), [])
    except csv.Error as error:
        raise RosterError(file, line, f"the quotes do not match ({error})") from error


def _row(file: str, line: int, columns: tuple[str, ...], fields: list[str]) -> TableRow:
    if len(fields) != len(columns):
        raise RosterError(file, line, f"{len(columns)} fields are due, here are {len(fields)}")
    return TableRow(
        file, line, {name: text.strip() for name, text in zip(columns, fields, strict=True)}
    )


def unique_entries(
    rows: list[TableRow], column: str, make: Callable[[TableRow], Entry]
) -> tuple[Entry, ...]:
    """Convert every row with `make`. Raises `RosterError` if a value of `column` occurs twice."""
    first: dict[str, int] = {}
    entries = []
    for row in rows:
        value = row.text(column)
        sentence = "%(column)s “%(value)s” is already on line %(before)s"
        row.require(value not in first, sentence, column, value=value, before=first.get(value))
        first[value] = row.line
        entries.append(make(row))
    return tuple(entries)
