"""Check the packages in the lock file for known security advisories.

    python -m tools.scripts.audit

The exit status is 1 if there is an advisory. If advisories cannot be requested, for example without
Internet access, the script prints a sentence and lets the build continue.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = Path("requirements-dev.lock")  # it holds what requirements.lock does, and more
AT_MOST = 120  # seconds


def main() -> int:
    return audit(LOCK)


def audit(lock: Path) -> int:
    answers = ask(lock)
    asked = [dependency for dependency in answers if "skip_reason" not in dependency]
    faults = [dependency for dependency in asked if dependency["vulns"]]
    if not asked:
        print(f"{lock}: security advisories cannot be requested from here.")
    elif len(asked) < len(answers):
        print(f"{lock}: only {len(asked)} of {len(answers)} packages could be checked.")
    else:
        print(f"{lock}: {len(asked)} packages, {len(faults)} with an advisory.")
    for dependency in faults:
        for fault in dependency["vulns"]:
            fixed = ", ".join(fault["fix_versions"]) or "no version yet"
            print(
                f"  {dependency['name']} {dependency['version']}: {fault['id']}, fixed in {fixed}"
            )
    return 1 if faults else 0


def ask(lock: Path) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    options = ["--progress-spinner", "off", "--format", "json", "--requirement", str(lock)]
    try:
        done = subprocess.run(
            command + options, capture_output=True, text=True, timeout=AT_MOST, check=False
        )
    except subprocess.TimeoutExpired:
        return []
    if not done.stdout.strip():
        return []
    dependencies: list[dict[str, object]] = json.loads(done.stdout)["dependencies"]
    return dependencies


if __name__ == "__main__":
    raise SystemExit(main())
