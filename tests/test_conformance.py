"""Checks that conformance tables name existing code and tests, and list every ruling.

The table of each game is in docs/rules.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from corridas.engine import Range
from dominoes.engine import CHOICES, Rules

TESTS: Final = Path(__file__).parent
TICKS: Final = ("✓", "◐")
NAME: Final = re.compile(r"`([\w.]+):([\w.]+)(?:\[([^\]`]+)\])?`")
CELLS: Final = re.compile(r"(?<!\\)\|")


class NamedCase(NamedTuple):
    """A name in a conformance table: module or test file, name in it, and the test case in
    brackets.
    """

    home: str
    name: str
    case: str

    def __str__(self) -> str:
        return f"{self.home}:{self.name}{self.case}"


class Conformance:
    """The conformance table of an application.

    Its tests are in the application's test folder and in the folders `beside`. The application
    implements at least `at_least` rules, including `rulings`.
    """

    def __init__(
        self,
        application: str,
        document: str,
        *beside: str,
        at_least: int,
        rulings: Iterable[str],
    ) -> None:
        self.application = application
        self.at_least = at_least
        self.rulings = tuple(rulings)
        self.folders = [TESTS / folder for folder in (application, *beside)]
        self.text = (TESTS.parent / "docs" / "rules" / document).read_text(encoding="utf-8")

    @cached_property
    def rows(self) -> list[list[str]]:
        """The cells of every row of every table."""
        lines = [line for line in self.text.splitlines() if "| " in line]
        return [[cell.strip() for cell in CELLS.split(line.strip("|"))] for line in lines]

    @cached_property
    def ticked(self) -> list[list[str]]:
        """The rows of the rules that are implemented."""
        return [row for row in self.rows if row[-1] in TICKS]

    @cached_property
    def named(self) -> list[NamedCase]:
        """Every name in the document, without repetitions."""
        return sorted(set(map(NamedCase._make, NAME.findall(self.text))))

    @property
    def tested(self) -> list[NamedCase]:
        """The tests that the document names."""
        return [one for one in self.named if one.home.startswith("test_")]

    @property
    def written(self) -> list[NamedCase]:
        """The code that the document names."""
        return [one for one in self.named if not one.home.startswith("test_")]

    def is_written(self, one: NamedCase) -> bool:
        """Return whether this code exists.

        Raises an error if the module or attribute is missing.
        """
        package = one.home if one.home.startswith("fairness.") else f"{self.application}.{one.home}"
        thing: object = import_module(package)
        for part in one.name.split("."):
            thing = getattr(thing, part)
        return callable(thing) or isinstance(thing, property)

    def is_tested(self, one: NamedCase) -> bool:
        """Return whether this test and its case exist."""
        texts = self._texts.get(one.home, [])
        return any(f"def {one.name}(" in text and one.case in text for text in texts)

    @cached_property
    def _texts(self) -> dict[str, list[str]]:
        """The texts of the application's test files, by file name."""
        found = defaultdict(list)
        for folder in self.folders:
            for path in folder.rglob("test_*.py"):
                found[path.stem].append(path.read_text(encoding="utf-8"))
        return found

    def incomplete(self) -> list[list[str]]:
        """Return the implemented rules without code or test, and the other rules that name code or
        tests.
        """
        kept = [row for row in self.ticked if not NAME.search(row[-3]) or "test_" not in row[-2]]
        others = [row for row in self.rows if row[-1] == "·"]
        return [*kept, *(row for row in others if len(row) != 6 or any(row[2:5]))]


def numbered(letter: str, last: int) -> list[str]:
    return [f"{letter}-{number}" for number in range(1, last + 1)]


CORRIDAS = Conformance(
    "corridas", "indulto.md", "fairness", at_least=82, rulings=[*numbered("I", 18), "F-1", "F-2"]
)
DOMINOES = Conformance(
    "dominoes",
    "dominoes.md",
    "fairness",
    at_least=55,
    rulings=[*numbered("D", 10), "F-1", "F-2", "F-3", "I-18"],
)
ELTORO = Conformance(
    "eltoro", "eltoro.md", "fairness", at_least=66, rulings=[*numbered("E", 10), "F-1", "F-2"]
)
TABLES = (CORRIDAS, DOMINOES, ELTORO)

every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.application)


@every_table
def test_code_named_by_conformance_tables_exists(table: Conformance) -> None:
    assert [str(one) for one in table.written if not table.is_written(one)] == []


@every_table
def test_tests_named_by_conformance_tables_exist(table: Conformance) -> None:
    assert [str(one) for one in table.tested if not table.is_tested(one)] == []


@every_table
def test_every_implemented_rule_names_its_code_and_its_test(table: Conformance) -> None:
    assert len(table.ticked) >= table.at_least
    assert table.incomplete() == []


@every_table
def test_conformance_tables_contain_every_ruling(table: Conformance) -> None:
    assert set(table.rulings) <= {row[0] for row in table.ticked}


def test_odds_in_the_rules_of_indulto_are_exact() -> None:
    """The table lists the odds of each range of numbers on a matador's card."""
    digits = [number for number in range(10) for _ in range(7)]
    drawn = [10 * tens + units or 100 for tens, units in permutations(digits, 2)]
    ranges = [row for row in CORRIDAS.rows if len(row) == 5 and re.fullmatch(r"\d+(-\d+)?", row[0])]
    assert len(ranges) == 8
    for extent, size, doubles, odds, percent in ranges:
        inside = {number for number in range(1, 101) if number in Range.parse(extent)}
        assert len(inside) == int(size)
        assert sum(number % 100 % 11 == 0 for number in inside) == int(doubles)
        chance = Fraction(sum(number in inside for number in drawn), len(drawn))
        assert chance == Fraction(odds)
        assert f"{float(100 * chance):.3f}".startswith(percent.removesuffix(" %"))


@pytest.mark.parametrize("field", [field.name for field in fields(Rules)])
def test_rules_of_dominoes_describe_every_option_and_value(field: str) -> None:
    assert re.search(rf"^\| `{field}` \(D-\d\) \|", DOMINOES.text, re.MULTILINE)
    assert all(f"| `{value}` |" in DOMINOES.text for value in CHOICES.get(field, ()))
