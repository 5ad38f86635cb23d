"""Volume tests of the referees: many scoresheets of each form are checked and counted.

`SHEETS_SCALE` multiplies every number: 0.1 for a quick run, 10 for a long run.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping

import pytest

from tests.properties import FULL

SCALE = float(os.environ.get("SHEETS_SCALE", "1"))
# Number of scoresheets of each form in a run by day, and in `make full`.
SHEETS = 500 if FULL else 200
# Number of scoresheets of each form in `make nightly`.
NIGHTLY = 100_000
# Number of tests among which a night's scoresheets of a form are divided.
PARTS = 10
# Maximum number of changed scoresheets tried for each one that is wanted. Then the form counts as
# one that no change makes wrong.
MAX_TRIES = 40


def volumes(shares: Mapping[str, tuple[float, float]]) -> pytest.MarkDecorator:
    """Run tests for each `form` and `part` with the number of scoresheets `wanted`.

    `shares` contains the factors of a form for a full run and for a night. All forms of a game
    together take about five seconds of CPU on a quick machine, or four minutes at night.
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
    """Counts the scoresheets of a form that the referee judged wrongly, by reason."""

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
        """Return whether more scoresheets are needed. Every call counts as an attempt."""
        self.tried += 1
        return self.total < self.wanted and self.tried <= self.wanted * MAX_TRIES

    def add(self, reason: str, show: Callable[[], object], *, right: bool) -> None:
        """Count a scoresheet, and store it if the referee judged it wrongly.

        `show` returns the text for the failure message.
        """
        self.judged[reason] += 1
        if not right:
            self.wrong[reason] += 1
            text = json.dumps(show(), ensure_ascii=False, default=str)
            if len(text) < len(self.smallest.get(reason, text + " ")):
                self.smallest[reason] = text

    def check(self, *, at_least: int = 1, beyond: Collection[str] = ()) -> None:
        """Fail if the referee was wrong or if there were too few scoresheets, and print the rate.

        `beyond` contains reasons that the referee does not promise to detect. They are only counted
        and printed.
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
