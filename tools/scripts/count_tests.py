"""Add up the reports of several test runs: tools/scripts/count_tests.py FOLDER

Each test counts once, however often it ran; what ran again (on PostgreSQL) is printed apart. The
last line is the total. Exits with 1 where a test failed, or a report is missing or empty.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

RUNS = ("full", "postgres", "walk")


def outcome(case: ET.Element) -> str:
    parts = {part.tag for part in case}
    if parts & {"failure", "error"}:
        return "failed"
    return "skipped" if "skipped" in parts else "passed"


def line(name: str, outcomes: Counter[str]) -> str:
    counts = ", ".join(f"{outcomes[kind]} {kind}" for kind in ("passed", "failed", "skipped"))
    return f"{name}: {counts}"


def main(folder: Path) -> int:
    tests: dict[tuple[str, str], str] = {}
    again: Counter[str] = Counter()
    complete = True
    for run in RUNS:
        report = folder / f"{run}.xml"
        cases = list(ET.parse(report).iter("testcase")) if report.exists() else []  # noqa: S314
        if not cases:
            print(f"{report}: no tests ran")
            complete = False
        for case in cases:
            name = case.get("classname", ""), case.get("name", "")
            if name in tests:
                again[outcome(case)] += 1
            if tests.get(name) != "failed":
                tests[name] = (
                    outcome(case) if outcome(case) != "skipped" else tests.get(name, "skipped")
                )
    total = Counter(tests.values())
    if again:
        print(line("Again on PostgreSQL", again))
    print(line("Tests", total))
    return 0 if complete and not total["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
