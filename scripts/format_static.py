"""Format the CSS, and refuse lines of CSS and JavaScript that are too long to read.

    python -m scripts.format_static [--check]

With `--check` nothing is written; ends with 1 where a file is not formatted or a line too long.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import cssbeautifier

STATIC: Final = Path("static")
LONGEST_LINE: Final = 140


def main() -> int:
    """Format or check all files; the exit status."""
    parser = argparse.ArgumentParser(prog="scripts.format_static", description=__doc__)
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
    print("\n".join(faults) or "CSS and JavaScript are formatted.")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
