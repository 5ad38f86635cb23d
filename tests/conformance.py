"""The conformance table of a game: what it names, and whether all of that is there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

TESTS: Final = Path(__file__).parent
TICKS: Final = ("✓", "◐")
NAME: Final = re.compile(r"`([\w.]+):([\w.]+)(?:\[([^\]`]+)\])?`")
CELLS: Final = re.compile(r"(?<!\\)\|")


class Named(NamedTuple):
    """A module or test file, what is named in it, and the case in brackets."""

    home: str
    name: str
    case: str

    def __str__(self) -> str:
        return f"{self.home}:{self.name}{self.case}"


class Conformance:
    """The table of one application, whose tests lie in its folder and in those `beside`."""

    def __init__(self, application: str, document: str, *beside: str) -> None:
        self.application = application
        self.folders = [TESTS / folder for folder in (application, *beside)]
        self.text = (TESTS.parent / "docs" / "rules" / document).read_text(encoding="utf-8")

    @cached_property
    def rows(self) -> list[list[str]]:
        """The cells of every line of a table."""
        lines = [line for line in self.text.splitlines() if "| " in line]
        return [[cell.strip() for cell in CELLS.split(line.strip("|"))] for line in lines]

    @cached_property
    def ticked(self) -> list[list[str]]:
        """The lines of rules that are kept."""
        return [row for row in self.rows if row[-1] in TICKS]

    @cached_property
    def named(self) -> list[Named]:
        """Everything that the document names, once."""
        return sorted(set(map(Named._make, NAME.findall(self.text))))

    @property
    def tested(self) -> list[Named]:
        """The tests it names."""
        return [one for one in self.named if one.home.startswith("test_")]

    @property
    def written(self) -> list[Named]:
        """The code it names."""
        return [one for one in self.named if not one.home.startswith("test_")]

    def is_written(self, one: Named) -> bool:
        """Whether there is such code."""
        package = one.home if one.home.startswith("fairness.") else f"{self.application}.{one.home}"
        thing: object = import_module(package)
        for part in one.name.split("."):
            thing = getattr(thing, part)
        return callable(thing) or isinstance(thing, property)

    def is_tested(self, one: Named) -> bool:
        """Whether there is such a test, and such a case of it."""
        texts = [path.read_text(encoding="utf-8") for path in self._files(f"{one.home}.py")]
        return any(f"def {one.name}(" in text and one.case in text for text in texts)

    def _files(self, name: str) -> Iterable[Path]:
        return (path for folder in self.folders for path in folder.rglob(name))

    def incomplete(self) -> list[list[str]]:
        """Kept rules without their code or their test, and others that name some all the same."""
        kept = [row for row in self.ticked if not NAME.search(row[-3]) or "test_" not in row[-2]]
        others = [row for row in self.rows if row[-1] == "·"]
        return [*kept, *(row for row in others if len(row) != 6 or any(row[2:5]))]
