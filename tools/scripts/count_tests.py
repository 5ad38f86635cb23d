"""Add up the reports of several test runs: tools/scripts/count_tests.py FOLDER RUN…

FOLDER contains one report `RUN.xml` for each run.

Each test counts once, even if it ran several times. Tests that failed at first and then passed are
listed, and tests that also ran on PostgreSQL are counted separately. The last line is the total.
The exit code is 1 if a test failed or a report is missing or empty.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

# Key of a test: its class (or module) and name.
Name = tuple[str, str]


def outcome(case: ET.Element) -> str:
    parts = {part.tag for part in case}
    if parts & {"failure", "error"}:
        return "failed"
    return "skipped" if "skipped" in parts else "passed"


def line(name: str, outcomes: Counter[str]) -> str:
    counts = ", ".join(f"{outcomes[kind]} {kind}" for kind in ("passed", "failed", "skipped"))
    return f"{name}: {counts}"


def outcomes(report: Path, tried_twice: list[str]) -> dict[Name, str]:
    """Return how each test of a report ended, and note those that ran again after a failure.

    pytest-rerunfailures reports such a test twice, the last time as it ended.
    """
    found: dict[Name, str] = {}
    for case in ET.parse(report).iter("testcase"):  # noqa: S314
        name = case.get("classname", ""), case.get("name", "")
        if name in found:
            tried_twice.append("::".join(name))
        found[name] = outcome(case)
    return found


def main(folder: Path, runs: list[str]) -> int:
    tests: dict[Name, str] = {}
    again: Counter[str] = Counter()
    tried_twice: list[str] = []
    complete = True
    for run in runs:
        report = folder / f"{run}.xml"
        ended = outcomes(report, tried_twice) if report.exists() else {}
        if not ended:
            print(f"{report}: no tests ran")
            complete = False
        for name, how in ended.items():
            if name in tests:
                again[how] += 1
            if tests.get(name) != "failed":
                tests[name] = how if how != "skipped" else tests.get(name, "skipped")
    total = Counter(tests.values())
    for test in tried_twice:
        print(f"Failed at first and ran again: {test}")
    if again:
        print(line("Again on PostgreSQL", again))
    print(line("Tests", total))
    return 0 if complete and not total["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
