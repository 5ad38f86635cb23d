"""Numbers in forms are read completely or not at all, however long they are."""

from __future__ import annotations

import pytest

from leagues.pages.forms import MAX_TYPED_LENGTH, parse_number, parse_whole_number, typed_text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("1234567", 1_234_567),
        ("0010000", 10_000),
        ("0000104", 104),
        ("-0000104", -104),
        ("−1234567", -1_234_567),
        (" 12 ", 12),
        ("0" * (MAX_TYPED_LENGTH - 1) + "7", 7),
        ("9" * MAX_TYPED_LENGTH, int("9" * MAX_TYPED_LENGTH)),
        ("9" * (MAX_TYPED_LENGTH + 1), None),
        ("9" * 5_000, None),
        ("", None),
        ("-", None),
        ("--1", None),
        ("−-1", None),
        ("1 2", None),
        ("1…", None),
        ("²", None),
    ],
)
def test_typed_number_is_read_completely(text: str, number: int | None) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("0", 0),
        ("999999999", 999_999_999),
        ("0000000000000007", 7),
        ("1000000000", -1),
        ("-1", -1),
        ("", -1),
        ("9" * 5_000, -1),
    ],
)
def test_typed_count_may_begin_with_zeros(text: str, number: int) -> None:
    assert parse_whole_number(text) == number


def test_too_long_text_is_no_number() -> None:
    longest = "1" * MAX_TYPED_LENGTH
    assert typed_text({"total-0": f" {longest} "}, "total-0") == longest
    assert typed_text({"total-0": f"{longest}1"}, "total-0") == f"{longest}…"
    assert parse_number(typed_text({"total-0": f"{longest}1"}, "total-0")) is None
    assert typed_text({}, "total-0") == ""
