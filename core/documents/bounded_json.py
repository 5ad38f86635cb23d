"""JSON from strangers: refused where it is too deep or where two readers could read two values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn


class InvalidJSON(ValueError):
    """The text is not JSON. The message says why, in the words of the parser."""


class TooDeep(InvalidJSON):
    """Lists and objects are nested too deeply."""


class DuplicateName(InvalidJSON):
    """An object has this name twice."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__("a member comes twice")


class UnexpectedNumber(InvalidJSON):
    """NaN, an infinity, or a fraction where only whole numbers are expected."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text} is no number of JSON")


class TooManyDigits(InvalidJSON):
    """A whole number is too long."""


def parse_json(text: str, *, max_depth: int | None = None, max_digits: int | None = None) -> Any:
    """Parse JSON. Raises `InvalidJSON`.

    With `max_digits`, numbers must be whole and have at most so many characters. Without
    `max_depth`, only Python's own limit holds.
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
    """Count brackets outside strings before anything is built from them."""
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


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
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
