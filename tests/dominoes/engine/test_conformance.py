"""The conformance table names only what there is, and forgets no ruling."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from dominoes.engine import CHOICES, Rules

TESTS = Path(__file__).parents[2]
TABLE = TESTS.parent / "docs" / "rules" / "dominoes.md"
TICK = "✓"
NAME = re.compile(r"`([\w.]+):([\w.]+)(?:\[([^\]`]+)\])?`")
CELLS = re.compile(r"(?<!\\)\|")
RULINGS = [*(f"D-{number}" for number in range(1, 11)), "F-1", "F-3"]


class Named(NamedTuple):
    """A module or test file, what is named in it, and the case in brackets."""

    home: str
    name: str
    case: str


def rows() -> list[list[str]]:
    """The cells of every line of a table."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [
        [cell.strip() for cell in CELLS.split(line.strip("|"))] for line in lines if "| " in line
    ]


def named() -> list[Named]:
    """Everything that the document names, once."""
    return sorted(set(map(Named._make, NAME.findall(TABLE.read_text(encoding="utf-8")))))


TESTED = [one for one in named() if one.home.startswith("test_")]
WRITTEN = [one for one in named() if not one.home.startswith("test_")]


@pytest.mark.parametrize("one", WRITTEN, ids=[f"{one.home}:{one.name}" for one in WRITTEN])
def test_what_is_said_to_be_implemented_exists(one: Named) -> None:
    package = one.home if one.home.startswith("fairness.") else f"dominoes.{one.home}"
    thing: object = import_module(package)
    for part in one.name.split("."):
        thing = getattr(thing, part)
    assert callable(thing) or isinstance(thing, property)


@pytest.mark.parametrize("one", TESTED, ids=[f"{one.home}:{one.name}{one.case}" for one in TESTED])
def test_what_is_said_to_be_tested_exists(one: Named) -> None:
    folders = [path for path in TESTS.rglob(f"{one.home}.py") if "corridas" not in path.parts]
    texts = [path.read_text(encoding="utf-8") for path in folders]
    assert any(f"def {one.name}(" in text and one.case in text for text in texts)


def test_every_rule_has_its_code_its_test_and_its_tick() -> None:
    ticked = [row for row in rows() if row[-1] == TICK]
    assert len(ticked) > 50
    for row in ticked:
        assert NAME.search(row[-3]), row
        assert "test_" in row[-2], row
    assert all(len(row) == 6 and not any(row[2:5]) for row in rows() if row[-1] == "·")


@pytest.mark.parametrize("ruling", RULINGS)
def test_no_ruling_is_forgotten(ruling: str) -> None:
    assert any(row[0] == ruling and row[-1] == TICK for row in rows())


@pytest.mark.parametrize("field", [field.name for field in fields(Rules)])
def test_no_option_is_forgotten(field: str) -> None:
    text = TABLE.read_text(encoding="utf-8")
    assert re.search(rf"^\| `{field}` \(D-\d\) \|", text, re.MULTILINE)
    assert all(f"| `{value}` |" in text for value in CHOICES.get(field, ()))
