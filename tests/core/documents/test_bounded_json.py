"""JSON from untrusted sources: rejected input, and the error for each case."""

from __future__ import annotations

from typing import Any

import pytest

from core.documents.bounded_json import (
    DuplicateName,
    InvalidJSON,
    TooDeep,
    TooManyDigits,
    UnexpectedNumber,
    parse_json,
)


@pytest.mark.parametrize(
    ("text", "bounds", "value"),
    [
        ('{"a": [1, 1.5, null]}', {}, {"a": [1, 1.5, None]}),
        ("[[[]]]", {"max_depth": 3}, [[[]]]),
        ('["[[[[", "\\"["]', {"max_depth": 1}, ["[[[[", '"[']),
        ("-1234", {"max_digits": 5}, -1234),
    ],
)
def test_json_within_limits_is_parsed(text: str, bounds: dict[str, int], value: Any) -> None:
    assert parse_json(text, **bounds) == value


@pytest.mark.parametrize(
    ("text", "bounds", "error"),
    [
        ("{", {}, InvalidJSON),
        ("[" * 4, {"max_depth": 3}, TooDeep),
        ('[{"a": [[]]}]', {"max_depth": 3}, TooDeep),
        ("[" * 100_000, {}, TooDeep),
        ('{"a": 1, "b": 2, "a": 1}', {}, DuplicateName),
        ("NaN", {}, UnexpectedNumber),
        ("-Infinity", {"max_digits": 9}, UnexpectedNumber),
        ("1.0", {"max_digits": 9}, UnexpectedNumber),
        ("12345", {"max_digits": 4}, TooManyDigits),
        ("9" * 5000, {}, InvalidJSON),
    ],
)
def test_json_beyond_limits_is_rejected(
    text: str, bounds: dict[str, int], error: type[InvalidJSON]
) -> None:
    with pytest.raises(InvalidJSON) as caught:
        parse_json(text, **bounds)
    assert type(caught.value) is error


def test_error_names_a_repeated_member_of_a_json_object() -> None:
    with pytest.raises(DuplicateName) as caught:
        parse_json('[{"a": 1, "b": {"c": 1, "d": 2, "c": 3}}]')
    assert caught.value.name == "c"
