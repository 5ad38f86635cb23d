"""The conformance table names only what there is, and forgets no ruling."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).parent
TABLE = TESTS.parents[1] / "docs" / "rules" / "eltoro.md"
TICK = "✓"
NAME = re.compile(r"`([\w.]+):([\w.]+)`")
RULINGS = [*(f"E-{number}" for number in range(1, 11)), "F-1"]


class Named(NamedTuple):
    """A module or test file, and what is named in it."""

    home: str
    name: str


def rows() -> list[list[str]]:
    """The cells of every line of a table."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "| " in line]


def named() -> list[Named]:
    """Everything that the document names, once."""
    return sorted(set(map(Named._make, NAME.findall(TABLE.read_text(encoding="utf-8")))))


TESTED = [one for one in named() if one.home.startswith("test_")]
WRITTEN = [one for one in named() if not one.home.startswith("test_")]


@pytest.mark.parametrize("one", WRITTEN, ids=[f"{one.home}:{one.name}" for one in WRITTEN])
def test_what_is_said_to_be_implemented_exists(one: Named) -> None:
    thing: object = import_module(f"eltoro.{one.home}")
    for part in one.name.split("."):
        thing = getattr(thing, part)
    assert callable(thing) or isinstance(thing, property)


@pytest.mark.parametrize("one", TESTED, ids=[f"{one.home}:{one.name}" for one in TESTED])
def test_what_is_said_to_be_tested_exists(one: Named) -> None:
    texts = [path.read_text(encoding="utf-8") for path in TESTS.rglob(f"{one.home}.py")]
    assert any(f"def {one.name}(" in text for text in texts)


def test_every_rule_has_its_code_its_test_and_its_tick() -> None:
    ticked = [row for row in rows() if row[-1] == TICK]
    assert len(ticked) > 60
    for row in ticked:
        assert NAME.search(row[-3]), row
        assert "test_" in row[-2], row
    assert all(len(row) == 6 and not any(row[2:5]) for row in rows() if row[-1] == "·")


@pytest.mark.parametrize("ruling", RULINGS)
def test_no_ruling_is_forgotten(ruling: str) -> None:
    assert any(row[0] == ruling and row[-1] == TICK for row in rows())
