"""Texts that are valid primary keys."""

from __future__ import annotations

import pytest

from core.keys import MAX_KEY, parse_key

NONE = ["", "-1", " 1", "1.0", "٣", "²", str(MAX_KEY + 1), "9" * 5000]


@pytest.mark.parametrize(("text", "key"), [("0", 0), ("007", 7), (str(MAX_KEY), MAX_KEY)])
def test_text_is_a_valid_primary_key(text: str, key: int) -> None:
    assert parse_key(text) == key


@pytest.mark.parametrize("text", NONE)
def test_text_is_no_valid_primary_key(text: str) -> None:
    assert parse_key(text) is None
