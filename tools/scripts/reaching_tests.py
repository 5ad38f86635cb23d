"""Run the tests that reach the changed lines of this working tree, the fastest first.

    python -m tools.scripts.reaching_tests

The files .coverage and profile.json say which test reaches which line and how long it takes:

    pytest --cov --cov-context=test --cov-report= --profile profile.json ...

The exit status is 0 if all these tests pass, or if no test reaches a changed line. After two
minutes of processor time, the tests are stopped and count as passed.
"""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from coverage import CoverageData

# Seconds of processor time.
CPU_SECONDS = 120
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? ")


def changed_lines() -> dict[str, set[int]]:
    """Return the changed lines of each file, by their numbers in the last commit."""
    command = ["git", "diff", "--unified=0", "HEAD", "--", "*.py"]
    lines: dict[str, set[int]] = defaultdict(set)
    name = ""
    for line in subprocess.check_output(command, text=True).splitlines():
        if line.startswith("--- a/"):
            name = line.removeprefix("--- a/")
        elif hunk := HUNK.match(line):
            first = int(hunk[1])
            lines[name] |= set(range(first, first + int(hunk[2] or 1)))
    return lines


def reaching_tests(lines: dict[str, set[int]]) -> set[str]:
    """Return the tests that run these lines, or any line of a file if none of its lines is run.

    Lines outside functions run when a module is imported, before any test.
    """
    data = CoverageData()
    data.read()
    contexts: set[str] = set()
    for name, numbers in lines.items():
        tests_by_line = data.contexts_by_lineno(str(Path(name).resolve()))
        reached = {test for number in numbers for test in tests_by_line.get(number, [])} - {""}
        contexts |= reached or {test for tests in tests_by_line.values() for test in tests}
    return {context.rpartition("|")[0] for context in contexts} - {""}


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))


def main() -> int:
    workers = json.loads(Path("profile.json").read_text()).values()
    seconds = {name: cost["wall"] for worker in workers for name, cost in worker["tests"].items()}
    tests = sorted(reaching_tests(changed_lines()), key=lambda test: seconds.get(test, 0.0))
    print(f"{len(tests)} tests reach the changed lines.", flush=True)
    if not tests:
        return 0
    chosen = Path("reaching-tests.txt")
    chosen.write_text("\n".join(tests))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=line"]
    status = subprocess.call([*command, f"@{chosen}"], preexec_fn=limit)
    return 0 if status == -signal.SIGXCPU else status


if __name__ == "__main__":
    sys.exit(main())
