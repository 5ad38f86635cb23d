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
        "every test but browsers and sweeps; fails on unmarked tests above 3 CPU seconds",
    ),
    Part(
        "sweeps",
        22,
        "FULL=1 .venv/bin/pytest -n 2 --dist worksteal -q tests -m nightly",
        "the exhaustive sweeps: every page, moment and size; sheets and imports by the thousand",
    ),
    Part(
        "chaos",
        30,
        "make chaos",
        "processes of a site on two hosts killed for a minute, of the site on one for five; a full "
        "disk; 500 slow connections to three servers; the interface's limits with fifty lines",
    ),
    Part(
        "load",
        5,
        "make bench ONLY=load",
        "fifty people who browse a site of `make run`",
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
    Part("bench", 20, "make bench", "every bar, as a ratio within one run"),
    Part(
        "bench-long",
        12,
        "make bench LONG=1",
        "two workers against one; backups of fifty seasons",
    ),
    Part(
        "explore",
        10,
        "EXPLORE=1 make oracle",
        "the engines against a second reading of their rulebooks, on examples of the day",
    ),
)


class Result(NamedTuple):
    """The result of a part."""

    commit: str
    outcome: str
    seconds: int
    last: str


def commit() -> str:
    """Return the commit, with a mark if files differ from it."""
    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+changes"]
    return subprocess.check_output(command, cwd=ROOT, text=True).strip()


def known(part: Part) -> Result | None:
    file = FOLDER / f"{part.name}.json"
    return Result(**json.loads(file.read_text())) if file.exists() else None


def run(part: Part, seconds: float) -> Result:
    began = time.monotonic()
    log = FOLDER / f"{part.name}.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            ["timeout", "--kill-after=60", str(int(seconds)), "sh", "-c", part.command],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"CI": "true", "MAKEFLAGS": "--no-print-directory"},
        )
        status = process.wait()
    outcome = {0: "passed", 124: "not finished in time"}.get(status, f"failed ({status})")
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return Result(commit(), outcome, round(time.monotonic() - began), lines[-1] if lines else "")


def report(results: dict[str, Result | None]) -> str:
    rows = [
        "| part | outcome | seconds | commit | last line | covers |",
        "|---|---|---|---|---|---|",
    ]
    for part in PARTS:
        result = results.get(part.name)
        ran = result or Result("", "not run", 0, "")
        last = ran.last.replace("|", "/")[:120]
        rows.append(
            f"| {part.name} | {ran.outcome} | {ran.seconds} | {ran.commit} | {last} |"
            f" {part.covers} |"
        )
    return "\n".join(rows) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=[part.name for part in PARTS])
    parser.add_argument("--again", action="store_true", help="run what has passed too")
    given = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + MINUTES * 60
    here = commit()
    results: dict[str, Result | None] = {}
    for part in PARTS:
        before = known(part)
        done = before is not None and before.commit == here and before.outcome == "passed"
        chosen = given.only is None or part.name in given.only
        left = min(part.minutes * 60, until - time.monotonic())
        if chosen and left > 60 and (given.again or not done):
            print(f"{part.name}: {part.command}", flush=True)
            result = run(part, left)
            (FOLDER / f"{part.name}.json").write_text(json.dumps(result._asdict()))
            print(f"{part.name}: {result.outcome}, {result.seconds} s", flush=True)
            results[part.name] = result
        else:
            results[part.name] = before if before and before.commit == here else None
        (FOLDER / "report.md").write_text(report(results))
    print(report(results))
    return int(not all(result and result.outcome == "passed" for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())
