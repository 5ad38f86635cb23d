"""Run the checks that take too long for every day, and write a report: `make nightly`.

    python -m tools.scripts.nightly [--only NAME ...] [--again]

Every check has a time limit of its own, and the whole run ends after 90 minutes. Checks that were
not reached are reported as not run. Checks that have passed on this commit are not run again unless
--again is given, so an interrupted run can be continued. The report is var/nightly/report.md, and
the output of each check is beside it. The exit status is 1 unless every check has passed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import NamedTuple

from tests.site import ROOT

FOLDER = ROOT / "var" / "nightly"
MINUTES = 90


class Part(NamedTuple):
    """One command: what it covers, and its time limit in minutes."""

    name: str
    minutes: int
    command: str
    covers: str


PARTS = (
    Part(
        "full",
        15,
        "make full ARGS=--cpu-fail=3",
        "all tests except browser tests and exhaustive tests; fails if an unmarked test needs "
        "more than 3 CPU seconds",
    ),
    Part(
        "sweeps",
        22,
        "FULL=1 .venv/bin/pytest -n 2 --dist worksteal -q tests -m nightly",
        "exhaustive tests: every page, moment and size; thousands of scoresheets and imports",
    ),
    Part(
        "postgres",
        10,
        'make postgres PART="databases and nightly"',
        "tests that run on PostgreSQL only at night",
    ),
    Part(
        "chaos",
        30,
        "make chaos",
        "killed processes, for a minute on two hosts and for five on one; a full disk; "
        "500 slow connections to three servers; rate limits of the API with fifty connections",
    ),
    Part(
        "load",
        5,
        "make bench ONLY=load",
        "fifty people who browse a site started like `make run`",
    ),
    Part(
        "fuzz",
        15,
        "make fuzz",
        "the API against its schema; damaged season files",
    ),
    Part(
        "scan",
        15,
        "SECONDS=60 A_MODULE=12 make scan",
        "a vulnerability scanner against a site behind TLS",
    ),
    Part("bench", 20, "make bench", "the benchmarks with their limits"),
    Part(
        "bench-long",
        12,
        "make bench LONG=1",
        "long benchmarks: search, two workers against one, backups of fifty seasons",
    ),
    Part(
        "explore",
        10,
        "EXPLORE=1 make oracle",
        "the engines against a second implementation of the rulebooks, on random examples",
    ),
)


def commit() -> str:
    """Return the commit, with a mark if files differ from it."""
    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+changes"]
    return subprocess.check_output(command, cwd=ROOT, text=True).strip()


def run(part: Part, seconds: float) -> dict[str, str]:
    """Run a part and return its row of the report."""
    began = time.monotonic()
    log = FOLDER / f"{part.name}.log"
    with log.open("w") as output:
        status = subprocess.call(
            ["timeout", "--kill-after=60", str(int(seconds)), "sh", "-c", part.command],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"CI": "true", "MAKEFLAGS": "--no-print-directory"},
        )
    outcome = {0: "passed", 124: "not finished in time"}.get(status, f"failed ({status})")
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    last = lines[-1].replace("|", "/")[:120] if lines else ""
    return {"outcome": outcome, "seconds": f"{time.monotonic() - began:.0f}", "last line": last}


def report(commit: str, results: dict[str, dict[str, str]]) -> str:
    columns = ("outcome", "seconds", "last line")
    rows = [f"Commit {commit}", "", f"| part | {' | '.join(columns)} | covers |", "|---" * 5 + "|"]
    for part in PARTS:
        result = results.get(part.name, {"outcome": "not run"})
        cells = " | ".join(result.get(column, "") for column in columns)
        rows.append(f"| {part.name} | {cells} | {part.covers} |")
    return "\n".join(rows) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=[part.name for part in PARTS])
    parser.add_argument("--again", action="store_true", help="also run checks that have passed")
    given = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    until, here = time.monotonic() + MINUTES * 60, commit()
    known = FOLDER / f"{here}.json"
    results: dict[str, dict[str, str]] = json.loads(known.read_text()) if known.exists() else {}
    for part in PARTS:
        passed = results.get(part.name, {}).get("outcome") == "passed"
        chosen = given.only is None or part.name in given.only
        left = min(part.minutes * 60, until - time.monotonic())
        if chosen and left > 60 and (given.again or not passed):
            print(f"{part.name}: {part.command}", flush=True)
            results[part.name] = run(part, left)
            print(f"{part.name}: {results[part.name]['outcome']}", flush=True)
            known.write_text(json.dumps(results))
        (FOLDER / "report.md").write_text(report(here, results))
    print(report(here, results))
    return int(any(results.get(part.name, {}).get("outcome") != "passed" for part in PARTS))


if __name__ == "__main__":
    sys.exit(main())
