"""The conformance table names only what there is, and forgets no ruling."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from dominoes.engine import CHOICES, Rules
from tests.conformance import Conformance, Named

TABLE = Conformance("dominoes", "dominoes.md", "fairness")
RULINGS = [*(f"D-{number}" for number in range(1, 11)), "F-1", "F-3"]


@pytest.mark.parametrize("one", TABLE.written, ids=str)
def test_what_is_said_to_be_implemented_exists(one: Named) -> None:
    assert TABLE.is_written(one)


@pytest.mark.parametrize("one", TABLE.tested, ids=str)
def test_what_is_said_to_be_tested_exists(one: Named) -> None:
    assert TABLE.is_tested(one)


def test_every_rule_has_its_code_its_test_and_its_tick() -> None:
    assert len(TABLE.ticked) > 50
    assert TABLE.incomplete() == []


@pytest.mark.parametrize("ruling", RULINGS)
def test_no_ruling_is_forgotten(ruling: str) -> None:
    assert any(row[0] == ruling for row in TABLE.ticked)


@pytest.mark.parametrize("field", [field.name for field in fields(Rules)])
def test_no_option_is_forgotten(field: str) -> None:
    assert re.search(rf"^\| `{field}` \(D-\d\) \|", TABLE.text, re.MULTILINE)
    assert all(f"| `{value}` |" in TABLE.text for value in CHOICES.get(field, ()))
