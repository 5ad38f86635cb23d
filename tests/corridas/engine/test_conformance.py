"""The conformance table names only what there is, and forgets no ruling."""

from __future__ import annotations

import re
from fractions import Fraction
from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import pytest

from corridas.engine import Range

TESTS = Path(__file__).parents[2]
TABLE = TESTS.parent / "docs" / "rules" / "indulto.md"
TICKS = ("✓", "◐")
NAME = re.compile(r"`([\w.]+):([\w.]+)(?:\[([^\]`]+)\])?`")
RULINGS = [*(f"I-{number}" for number in range(1, 19)), "F-1", "F-2"]


class Named(NamedTuple):
    """A module or test file, what is named in it, and the case in brackets."""

    home: str
    name: str
    case: str


def rows() -> list[list[str]]:
    """The cells of every line of a table."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]


def named() -> list[Named]:
    """Everything that the document names, once."""
    return sorted(set(map(Named._make, NAME.findall(TABLE.read_text(encoding="utf-8")))))


TESTED = [one for one in named() if one.home.startswith("test_")]
WRITTEN = [one for one in named() if not one.home.startswith("test_")]


@pytest.mark.parametrize("one", WRITTEN, ids=[f"{one.home}:{one.name}" for one in WRITTEN])
def test_what_is_said_to_be_implemented_exists(one: Named) -> None:
    package = one.home if one.home.startswith("fairness.") else f"corridas.{one.home}"
    thing: object = import_module(package)
    for part in one.name.split("."):
        thing = getattr(thing, part)
    assert callable(thing) or isinstance(thing, property)


@pytest.mark.parametrize("one", TESTED, ids=[f"{one.home}:{one.name}{one.case}" for one in TESTED])
def test_what_is_said_to_be_tested_exists(one: Named) -> None:
    texts = [path.read_text(encoding="utf-8") for path in TESTS.rglob(f"{one.home}.py")]
    assert any(f"def {one.name}(" in text and one.case in text for text in texts)


def test_every_rule_has_its_code_its_test_and_its_tick() -> None:
    ticked = [row for row in rows() if row[-1] in TICKS]
    assert len(ticked) > 80
    for row in ticked:
        assert NAME.search(row[-3]), row
        assert "test_" in row[-2], row
    assert all(len(row) == 6 and not any(row[2:5]) for row in rows() if row[-1] == "·")


@pytest.mark.parametrize("ruling", RULINGS)
def test_no_ruling_is_forgotten(ruling: str) -> None:
    assert any(row[0] == ruling and row[-1] in TICKS for row in rows())


def test_the_odds_written_down_are_the_odds() -> None:
    digits = [number for number in range(10) for _ in range(7)]
    drawn = [10 * tens + units or 100 for tens, units in permutations(digits, 2)]
    ranges = [row for row in rows() if len(row) == 5 and re.fullmatch(r"\d+(-\d+)?", row[0])]
    assert len(ranges) == 8
    for extent, size, doubles, odds, percent in ranges:
        inside = [number for number in range(1, 101) if number in Range.parse(extent)]
        assert len(inside) == int(size)
        assert sum(number % 100 % 11 == 0 for number in inside) == int(doubles)
        chance = Fraction(sum(number in inside for number in drawn), len(drawn))
        assert chance == Fraction(odds)
        assert f"{float(100 * chance):.3f}".startswith(percent.removesuffix(" %"))
