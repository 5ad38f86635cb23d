"""Sheets that cannot be, each with one change that counting shows to be impossible.

A kind is a function whose docstring says why no play can have led to such a sheet. It changes a
true sheet and says whether it could: not every sheet has room for every change. The true sheet has
to be accepted, or a refusal of the changed one would say nothing. `SHEETS_SCALE` multiplies the
number of sheets; 10 makes more than 1,000 a game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

import pytest

from tests.volume import SCALE

SHEETS = 105
"""Sheets of a game, all kinds together."""
TRIES = 2_000
"""True sheets tried for each sheet that is wanted, until a kind is given up."""

Sheet = dict[str, Any]


def kinds(functions: Sequence[Callable[..., Any]], sheets: int = SHEETS) -> pytest.MarkDecorator:
    """Run a test for each kind, with the number of sheets wanted of it; `sheets` are for all."""
    wanted = max(1, ceil(SCALE * sheets / len(functions)))
    return pytest.mark.parametrize(
        ("kind", "wanted"),
        [pytest.param(one, wanted, id=one.__name__) for one in functions],
    )


class Count:
    """How many sheets of a kind were made, and which of them were accepted."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.made = 0
        self.tried = 0
        self.accepted: list[str] = []

    @property
    def more(self) -> bool:
        """Whether sheets are wanted still; counts the question as a try."""
        self.tried += 1
        assert self.tried <= self.wanted * TRIES, f"{self.made} of {self.wanted} could be made"
        return self.made < self.wanted

    def add(self, accepted: bool, shown: object) -> None:
        """One more sheet that cannot be."""
        self.made += 1
        if accepted:
            self.accepted.append(json.dumps(shown, ensure_ascii=False))

    def check(self) -> None:
        """Fail if a sheet was accepted, and show the shortest."""
        shortest = min(self.accepted, key=len, default="")
        assert not self.accepted, f"{len(self.accepted)} of {self.made} accepted, as {shortest}"
