"""The conformance table names only what there is, and forgets no ruling."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations

import pytest

from corridas.engine import Range
from tests.conformance import Conformance, Named

TABLE = Conformance("corridas", "indulto.md", "fairness")
RULINGS = [*(f"I-{number}" for number in range(1, 19)), "F-1", "F-2"]


@pytest.mark.parametrize("one", TABLE.written, ids=str)
def test_what_is_said_to_be_implemented_exists(one: Named) -> None:
    assert TABLE.is_written(one)


@pytest.mark.parametrize("one", TABLE.tested, ids=str)
def test_what_is_said_to_be_tested_exists(one: Named) -> None:
    assert TABLE.is_tested(one)


def test_every_rule_has_its_code_its_test_and_its_tick() -> None:
    assert len(TABLE.ticked) > 80
    assert TABLE.incomplete() == []


@pytest.mark.parametrize("ruling", RULINGS)
def test_no_ruling_is_forgotten(ruling: str) -> None:
    assert any(row[0] == ruling for row in TABLE.ticked)


def test_the_odds_written_down_are_the_odds() -> None:
    digits = [number for number in range(10) for _ in range(7)]
    drawn = [10 * tens + units or 100 for tens, units in permutations(digits, 2)]
    ranges = [row for row in TABLE.rows if len(row) == 5 and re.fullmatch(r"\d+(-\d+)?", row[0])]
    assert len(ranges) == 8
    for extent, size, doubles, odds, percent in ranges:
        inside = [number for number in range(1, 101) if number in Range.parse(extent)]
        assert len(inside) == int(size)
        assert sum(number % 100 % 11 == 0 for number in inside) == int(doubles)
        chance = Fraction(sum(number in inside for number in drawn), len(drawn))
        assert chance == Fraction(odds)
        assert f"{float(100 * chance):.3f}".startswith(percent.removesuffix(" %"))
