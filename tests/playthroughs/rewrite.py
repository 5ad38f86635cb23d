"""Derive every golden playthrough anew from its head: `python -m tests.playthroughs.rewrite`."""

from __future__ import annotations

from tests.playthroughs.playthrough import CORRIDAS, derive


def rewrite() -> list[str]:
    """Write what has changed; the names of those files."""
    changed = []
    for path in sorted(CORRIDAS.glob("*.txt")):
        before = path.read_text(encoding="utf-8")
        after = derive(before)
        if after != before:
            path.write_text(after, encoding="utf-8", newline="\n")
            changed.append(path.name)
    return changed


if __name__ == "__main__":
    print("\n".join(rewrite()) or "nothing has changed")  # noqa: T201
