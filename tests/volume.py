"""Volume tests of the referees: how many sheets of a form they judge, and what came of it.

`SHEETS_SCALE` multiplies every number: 0.1 for a quick look, 10 for a weekend.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping

import pytest

SCALE = float(os.environ.get("SHEETS_SCALE", "1"))
SHEETS = 2_000
"""Sheets of each form in a full run."""
NIGHTLY = 100_000
"""Sheets of each form in `make nightly`."""
PARTS = 10
"""Tests a night's sheets of a form are split into."""
MAX_TRIES = 40
"""Mishaps tried for each sheet wanted, until a form is given up as one that cannot be wrong."""


def volumes(shares: Mapping[str, tuple[float, float]]) -> pytest.MarkDecorator:
    """Run a test for each `form` with its `part`, and the `wanted` number of sheets in it.

    The shares say which part of the usual numbers a form can afford, in a full run and in a night:
    all forms of a game together take about twenty seconds of CPU, and four minutes by night.
    """
    return pytest.mark.parametrize(
        ("form", "part", "wanted"),
        [
            pytest.param(
                form,
                part,
                max(1, round(SCALE * (NIGHTLY * night / PARTS if part else SHEETS * day))),
                marks=pytest.mark.nightly if part else pytest.mark.slow,
                id=f"{form}, part {part}" if part else form,
            )
            for form, (day, night) in shares.items()
            for part in range(PARTS + 1)
        ],
    )


class Tally:
    """How many sheets of a form were judged wrongly, by the reason why that is wrong."""

    def __init__(self, form: str, record: Callable[[str, object], None], wanted: int = 0) -> None:
        self.form, self.record, self.wanted = form, record, wanted
        self.began = time.process_time()
        self.judged: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.smallest: dict[str, str] = {}
        self.tried = 0

    @property
    def total(self) -> int:
        return self.judged.total()

    @property
    def more(self) -> bool:
        """Whether sheets are wanting still; counts the question as a try."""
        self.tried += 1
        return self.total < self.wanted and self.tried <= self.wanted * MAX_TRIES

    def add(self, reason: str, show: Callable[[], object], *, right: bool) -> None:
        """One more sheet, and whether the referee judged it rightly; `show` gives what is told."""
        self.judged[reason] += 1
        if not right:
            self.wrong[reason] += 1
            text = json.dumps(show(), ensure_ascii=False, default=str)
            if len(text) < len(self.smallest.get(reason, text + " ")):
                self.smallest[reason] = text

    def check(self, *, at_least: int = 1, beyond: Collection[str] = ()) -> None:
        """Fail unless all were judged rightly and there were enough; report the rate.

        `beyond`: reasons that the referee does not promise to know, counted and shown only.
        """
        seconds = max(time.process_time() - self.began, 1e-9)
        lines = [f"{self.form}: {self.total} sheets, {self.total / seconds:.0f} a second"]
        self.record("sheets a second", round(self.total / seconds))
        for reason, many in self.judged.most_common():
            lines.append(f"  {reason}: {self.wrong[reason]} of {many} judged wrongly")
            if reason in self.smallest:
                lines.append(f"    such as {self.smallest[reason]}")
        print("\n".join(lines))  # noqa: T201 - the rate is asked for with -rP
        assert not self.wrong.keys() - set(beyond), "\n".join(lines)
        assert self.total >= at_least, "\n".join(lines)
