"""Find expressions that docs/words.md replaces: python -m tools.scripts.check_words.

Each line of `words.txt` has a regular expression, which ignores case, and after a tab what to
write instead. A line "except", path and expression, separated by tabs, allows an expression in
files whose path begins with this path.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).with_name("words.txt")
FILES = (
    *("*.py", "*.md", "*.toml", "*.js", "*.html", ".ci", "Dockerfile", "Makefile", "compose.yaml"),
    *("deploy", "tools/scripts"),
)
# Migrations are history. The list, the glossary and the test of this check contain the expressions.
SKIPPED = re.compile(r"/migrations/|^docs/words\.md:|words\.txt:|test_check_words\.py:")


class WordList(NamedTuple):
    """Expressions with what to write instead, and exceptions as pairs of path and expression."""

    instead: dict[str, str]
    allowed: list[tuple[str, str]]


def read_list(text: str) -> WordList:
    """Parse `words.txt`. Raises `ValueError` for an invalid line."""
    words = WordList({}, [])
    for number, line in enumerate(text.splitlines(), 1):
        match line.split("\t"):
            case ["except", path, expression] if expression in words.instead:
                words.allowed.append((path, expression))
            case ["except", _path, expression]:
                raise ValueError(f"line {number}: no line above has the expression {expression}")
            case [expression, advice] if expression not in ("", "except") and advice:
                words.instead[expression] = advice
            case _ if not line.startswith("#"):
                raise ValueError(f"line {number}: an expression, a tab and what to write instead")
    return words


def find_hits(words: WordList, lines: Iterable[str]) -> Iterator[str]:
    """Yield a message for each hit in lines of the form `path:number:text`."""
    patterns = {line: re.compile(line, re.IGNORECASE) for line in words.instead}
    for line in lines:
        path, number, text = line.split(":", 2)
        for expression, pattern in patterns.items():
            allowed = any(path.startswith(p) and expression == e for p, e in words.allowed)
            if not allowed and (hit := pattern.search(text)):
                yield f"{path}:{number}: “{hit[0].strip()}”: write {words.instead[expression]}"


def lines_with(expressions: Iterable[str]) -> list[str]:
    """Return lines of tracked files that contain an expression.

    `git grep` is used because it searches all files in a second, and `re` needs 20.
    """
    command = ["git", "grep", "-nIPi", "-f", "-", "--", *FILES]
    found = subprocess.run(
        command, input="\n".join(expressions), capture_output=True, encoding="utf-8", check=False
    )
    if found.returncode > 1:
        raise RuntimeError(found.stderr)
    return [line for line in found.stdout.split("\n") if line and not SKIPPED.search(line)]


def main() -> int:
    """Print every hit with its place, and return 1 if there is one."""
    words = read_list(LIST.read_text("utf-8"))
    hits = list(find_hits(words, lines_with(words.instead)))
    for hit in hits:
        print(hit)
    return min(len(hits), 1)


if __name__ == "__main__":
    sys.exit(main())
