"""The conformance table names only what there is, and forgets no ruling."""

from __future__ import annotations

import pytest

from tests.conformance import Conformance, Named

TABLE = Conformance("eltoro", "eltoro.md")
RULINGS = [*(f"E-{number}" for number in range(1, 11)), "F-1"]


@pytest.mark.parametrize("one", TABLE.written, ids=str)
def test_what_is_said_to_be_implemented_exists(one: Named) -> None:
    assert TABLE.is_written(one)


@pytest.mark.parametrize("one", TABLE.tested, ids=str)
def test_what_is_said_to_be_tested_exists(one: Named) -> None:
    assert TABLE.is_tested(one)


def test_every_rule_has_its_code_its_test_and_its_tick() -> None:
    assert len(TABLE.ticked) > 60
    assert TABLE.incomplete() == []


@pytest.mark.parametrize("ruling", RULINGS)
def test_no_ruling_is_forgotten(ruling: str) -> None:
    assert any(row[0] == ruling for row in TABLE.ticked)
