"""Format the CSS, and report lines of CSS, JavaScript and templates that are too long.

    python -m tools.scripts.format_static [--check]

With `--check` nothing is written. The exit status is 1 if a file is not formatted or a line is too
long.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Final

import cssbeautifier

STATIC: Final = Path("static")
TEMPLATES: Final = Path("templates")
LONGEST_LINE: Final = 140
# Matches the coordinates of a path or polygon of a drawing, whose lines may be long.
DRAWN: Final = re.compile(r'\b(?:d|points)="[^"{]*"')
# Number of lines of a template that may be too long, such as attributes built from conditions.
UNSPLIT: Final = {
    TEMPLATES / "leagues/_rows.html": 1,
    TEMPLATES / "leagues/_standings.html": 1,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.scripts.format_static", description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    options = cssbeautifier.default_options()
    options.indent_size, options.end_with_newline = 2, True
    faults = []
    for path in sorted(STATIC.rglob("*.css")):
        text = path.read_text("utf-8")
        formatted = cssbeautifier.beautify(text, options)
        if formatted != text and check:
            faults.append(f"{path} is not formatted")
        elif formatted != text:
            path.write_text(formatted, "utf-8")
    for path in sorted([*STATIC.rglob("*.css"), *STATIC.rglob("*.js")]):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if len(line) > LONGEST_LINE:
                faults.append(f"{path}:{number} has {len(line)} characters")
    for path in sorted([*TEMPLATES.rglob("*.html"), *TEMPLATES.rglob("*.txt")]):
        faults += long_lines_of(path)
    print("\n".join(faults) or "CSS, JavaScript and templates are formatted.")
    return bool(faults)


def long_lines_of(path: Path) -> list[str]:
    """Return the lines of a template that are too long, if there are more than allowed."""
    long_lines = [
        f"{path}:{number} has {len(line)} characters"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(DRAWN.sub("", line)) > LONGEST_LINE
    ]
    if len(long_lines) == UNSPLIT.get(path, 0):
        return []
    return long_lines or [f"{path} has no line that is too long: take it off the list"]


if __name__ == "__main__":
    sys.exit(main())
