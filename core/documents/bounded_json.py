"""Parsing of untrusted JSON. Deep nesting and duplicate names are rejected.

Two programs may read different values from an object with duplicate names.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn


class InvalidJSON(ValueError):
    """The text is not JSON. The message is that of the parser."""


class TooDeep(InvalidJSON):
    """The JSON document has more levels of nested lists and objects than allowed."""


class DuplicateName(InvalidJSON):
    """A JSON object has two members with the same name."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__("a member comes twice")


class UnexpectedNumber(InvalidJSON):
    """The JSON contains NaN, an infinity, or a fraction where only whole numbers are allowed."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text} is no number of JSON")


class TooManyDigits(InvalidJSON):
    """A whole number in the JSON has too many digits."""


def parse_json(text: str, *, max_depth: int | None = None, max_digits: int | None = None) -> Any:
    """Parse JSON. Raises `InvalidJSON`.

    With `max_digits`, numbers must be whole and have at most this many characters. Without
    `max_depth`, only Python's recursion limit applies.
    """
    if max_depth is not None:
        _check_depth(text, max_depth)
    try:
        return json.loads(
            text,
            object_pairs_hook=_reject_duplicates,
            parse_constant=_reject_number,
            parse_float=_reject_number if max_digits is not None else None,
            parse_int=_whole_number(max_digits) if max_digits is not None else None,
        )
    except InvalidJSON:
        raise
    except RecursionError as error:
        raise TooDeep(str(error)) from error
    except ValueError as error:
        raise InvalidJSON(str(error)) from error


def _check_depth(text: str, most: int) -> None:
    """Check the nesting depth by counting brackets outside strings, before parsing."""
    depth, quoted, escaped = 0, False, False
    for sign in text:
        if quoted:
            quoted = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "[{":
            depth += 1
            if depth > most:
                raise TooDeep(f"more than {most} levels")
        elif sign in "]}":
            depth -= 1


def _reject_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        times = Counter(name for name, _value in pairs)
        raise DuplicateName(times.most_common(1)[0][0])
    return members


def _reject_number(text: str) -> NoReturn:
    raise UnexpectedNumber(text)


def _whole_number(max_digits: int) -> Callable[[str], int]:
    def parse(digits: str) -> int:
        if len(digits) > max_digits:
            raise TooManyDigits(digits[:max_digits])
        return int(digits)

    return parse
