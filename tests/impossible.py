"""Tests with impossible scoresheets: each has one change that counting proves impossible.

A kind of change is a function whose docstring says why no game can have such a scoresheet. It
changes a valid scoresheet and returns whether it could, because some changes do not fit every
scoresheet. The referee must accept the valid scoresheet; otherwise rejecting the changed one would
prove nothing. `SHEETS_SCALE` multiplies the number of scoresheets; 10 makes more than 1,000 for
each game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

import pytest

from tests.volume import SCALE

# Number of scoresheets of a game, of all kinds together.
SHEETS = 105
# Maximum number of valid scoresheets tried for each changed one that is wanted.
TRIES = 2_000

Sheet = dict[str, Any]


def kinds(functions: Sequence[Callable[..., Any]], sheets: int = SHEETS) -> pytest.MarkDecorator:
    """Run a test for each kind of change, which gets an equal share of `sheets` as `wanted`."""
    wanted = max(1, ceil(SCALE * sheets / len(functions)))
    return pytest.mark.parametrize(
        ("kind", "wanted"),
        [pytest.param(one, wanted, id=one.__name__) for one in functions],
    )


class Count:
    """Counts the scoresheets of a kind, and collects those that the referee accepted."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.made = 0
        self.tried = 0
        self.accepted: list[str] = []

    @property
    def more(self) -> bool:
        """Return whether more scoresheets are needed. Every call counts as an attempt."""
        self.tried += 1
        assert self.tried <= self.wanted * TRIES, f"{self.made} of {self.wanted} could be made"
        return self.made < self.wanted

    def add(self, accepted: bool, shown: object) -> None:
        """Count an impossible scoresheet, and store it if the referee accepted it."""
        self.made += 1
        if accepted:
            self.accepted.append(json.dumps(shown, ensure_ascii=False))

    def check(self) -> None:
        """Fail if the referee accepted an impossible scoresheet, and show the shortest."""
        shortest = min(self.accepted, key=len, default="")
        assert not self.accepted, f"{len(self.accepted)} of {self.made} accepted, as {shortest}"
