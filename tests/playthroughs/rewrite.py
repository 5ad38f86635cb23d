"""Compute every golden file again from its head: `python -m tests.playthroughs.rewrite`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.playthroughs.match_script import MATCHES, derive_match
from tests.playthroughs.playthrough import CORRIDAS, derive


def rewrite(folder: Path, recompute: Callable[[str], str]) -> list[str]:
    """Write the golden files that have changed, and return their names."""
    changed = []
    for path in sorted(folder.glob("*.txt")):
        before = path.read_text(encoding="utf-8")
        after = recompute(before)
        if after != before:
            path.write_text(after, encoding="utf-8", newline="\n")
            changed.append(path.name)
    return changed


if __name__ == "__main__":
    names = rewrite(CORRIDAS, derive) + rewrite(MATCHES, derive_match)
    print("\n".join(names) or "nothing has changed")  # noqa: T201
