"""Find expressions that docs/words.md replaces: python -m tools.scripts.check_words.

Each line of `words.txt` has a regular expression, which ignores case, and after a tab what to
write instead. A line "except", path and expression, separated by tabs, allows an expression in
files whose path begins with this path.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).with_name("words.txt")
FILES = ("*.py", "*.md", "*.toml", "*.js", "*.html", "Makefile", "deploy", ".ci")
# Migrations are history, and docs/words.md names the expressions that it replaces.
SKIPPED = re.compile(r"/migrations/|^docs/words\.md$")


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


def find_hits(words: WordList, texts: Iterator[tuple[str, str]]) -> Iterator[str]:
    """Yield a message for each hit in texts, which are pairs of path and content."""
    patterns = {line: re.compile(line, re.IGNORECASE) for line in words.instead}
    together = re.compile("|".join(f"(?:{line})" for line in patterns), re.IGNORECASE)
    for path, text in texts:
        excused = {line for beginning, line in words.allowed if path.startswith(beginning)}
        for number, line in enumerate(text.splitlines(), 1):
            if not together.search(line):
                continue
            for expression, pattern in patterns.items():
                if expression not in excused and (hit := pattern.search(line)):
                    advice = words.instead[expression]
                    yield f"{path}:{number}: “{hit[0].strip()}”: write {advice}"


def tracked_texts() -> Iterator[tuple[str, str]]:
    """Yield path and content of the files that are checked."""
    paths = subprocess.check_output(["git", "ls-files", *FILES], text=True).splitlines()
    return ((path, Path(path).read_text("utf-8")) for path in paths if not SKIPPED.search(path))


def main() -> int:
    """Print every hit with its place, and return 1 if there is one."""
    hits = list(find_hits(read_list(LIST.read_text("utf-8")), tracked_texts()))
    for hit in hits:
        print(hit)
    return min(len(hits), 1)


if __name__ == "__main__":
    sys.exit(main())
