"""Find expressions that docs/words.md replaces: python -m tools.scripts.check_words.

Each line of `words.txt` has a regular expression, which ignores case, and after a tab what to
write instead. A line "except", path and expression, separated by tabs, allows an expression in
files whose path begins so.
"""

import re
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("words.txt")
FILES = ("*.py", "*.md", "*.toml", "*.js", "Makefile", "deploy", ".ci")
# Migrations are history, and the list itself names every expression.
SKIPPED = re.compile(r"/migrations/|^docs/words\.md$")


def main() -> int:
    """Print every hit with its place, and return 1 if there is one."""
    rows = [line.split("\t") for line in LIST.read_text("utf-8").splitlines() if line[:1] != "#"]
    allowed = [(path, words) for _, path, words in (row for row in rows if row[0] == "except")]
    instead = dict(row for row in rows if row[0] != "except")
    patterns = {words: re.compile(words, re.IGNORECASE) for words in instead}
    together = re.compile("|".join(f"(?:{words})" for words in instead), re.IGNORECASE)
    files = subprocess.check_output(["git", "ls-files", *FILES], text=True).splitlines()
    hits = 0
    for name in files:
        if SKIPPED.search(name):
            continue
        for number, line in enumerate(Path(name).read_text("utf-8").splitlines(), 1):
            if not together.search(line):
                continue
            for words, pattern in patterns.items():
                excused = any(name.startswith(path) and words == other for path, other in allowed)
                if (match := pattern.search(line)) and not excused:
                    print(f"{name}:{number}: “{match[0]}”: write {instead[words]}")
                    hits += 1
    return min(hits, 1)


if __name__ == "__main__":
    sys.exit(main())
