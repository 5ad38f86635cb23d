"""Reading a table line by line, so that whatever is wrong can be named by file and line."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

Entry = TypeVar("Entry")
LONGEST_NUMBER = 9
"""Digits; no table holds a number with more."""


class RosterError(ValueError):
    """A table that cannot be used. `file` and `line` (header is 1) say where, `rule` says why.

    `column` is where in the line, if it is one column's matter. `sentence` and `params` are the
    rule before they were put together, for who says it in another language.
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


@dataclass(frozen=True, slots=True)
class Row:
    """One entry as it is written; fields are without blanks around them."""

    file: str
    line: int
    fields: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.fields[column]

    def require(self, holds: bool, sentence: str, column: str = "", **params: object) -> None:
        """`RosterError` with this rule unless it holds; `%(name)s` in it are the `params`."""
        if not holds:
            raise RosterError(self.file, self.line, sentence, column, **params)

    def number(self, column: str, low: int, high: int) -> int:
        """The whole number in a column, both ends allowed."""
        text = self.fields[column]
        whole = text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER
        self.require(
            whole and low <= int(text) <= high,
            "%(column)s “%(value)s” is not a whole number from %(low)s to %(high)s",
            column,
            value=text,
            low=low,
            high=high,
        )
        return int(text)

    def word(self, column: str, words: tuple[str, ...]) -> str:
        """The field of a column that takes only these words."""
        text = self.fields[column]
        sentence = "%(column)s “%(value)s” is not one of %(words)s"
        self.require(text in words, sentence, column, value=text, words=", ".join(words))
        return text

    def text(self, column: str) -> str:
        """The field of a column that is never empty."""
        self.require(bool(self.fields[column]), "%(column)s is empty", column)
        return self.fields[column]

    def convert(self, column: str, parse: Callable[[str], Entry]) -> Entry:
        """The field of a column through a parser whose `ValueError` tells the rule."""
        return self.attempt(lambda: parse(self.fields[column]), column)

    def attempt(self, make: Callable[[], Entry], column: str = "") -> Entry:
        """What `make` gives; its `ValueError` becomes a `RosterError` on this line."""
        try:
            return make()
        except RosterError:
            raise
        except ValueError as error:
            sentence = "%(column)s: %(reason)s" if column else "%(reason)s"
            raise RosterError(self.file, self.line, sentence, column, reason=str(error)) from error

    def read(self, checks: Mapping[str, Check]) -> dict[str, Any]:
        """What each of these columns holds."""
        return {column: check(self, column) for column, check in checks.items()}


Check = Callable[[Row, str], Any]
"""Reads one column of a line, or raises `RosterError`."""


def read_rows(path: Path, columns: tuple[str, ...]) -> list[Row]:
    """Every line of the table below its header, which must name exactly these columns."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise RosterError(path.name, 1, "the file is missing") from error
    except UnicodeDecodeError as error:
        raise RosterError(path.name, 1, "the file is not UTF-8") from error
    lines = [_fields(path.name, line, entry) for line, entry in enumerate(text.splitlines(), 1)]
    header = tuple(lines[0]) if lines else ()
    if header != columns:
        found = ",".join(header)
        raise RosterError(path.name, 1, f"the columns are {','.join(columns)}, not {found}")
    return [_row(path.name, line, columns, fields) for line, fields in enumerate(lines[1:], 2)]


def _fields(file: str, line: int, entry: str) -> list[str]:
    """The fields of one line: an entry never runs over two."""
    try:
        return next(csv.reader([entry], strict=True), [])
    except csv.Error as error:
        raise RosterError(file, line, f"the quotes do not match ({error})") from error


def _row(file: str, line: int, columns: tuple[str, ...], fields: list[str]) -> Row:
    if len(fields) != len(columns):
        raise RosterError(file, line, f"{len(columns)} fields are due, here are {len(fields)}")
    return Row(file, line, {name: text.strip() for name, text in zip(columns, fields, strict=True)})


def unique_entries(rows: list[Row], column: str, make: Callable[[Row], Entry]) -> tuple[Entry, ...]:
    """An entry for every row, in which no value of the column stands twice."""
    first: dict[str, int] = {}
    entries = []
    for row in rows:
        value = row.text(column)
        sentence = "%(column)s “%(value)s” is already on line %(before)s"
        row.require(value not in first, sentence, column, value=value, before=first.get(value))
        first[value] = row.line
        entries.append(make(row))
    return tuple(entries)
