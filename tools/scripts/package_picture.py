"""Draw the packages and the rows of their import contracts as `docs/img/packages.svg`.

    python -m tools.scripts.package_picture [--check]

Reads the `layers` contracts of import-linter in `pyproject.toml`: the one for the root packages,
and those that are exhaustive for the packages in `containers`. With `--check` nothing is written;
the exit code is 1 if the file is outdated.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
PICTURE: Final = ROOT / "docs/img/packages.svg"
HEADING: Final = "Packages, and what they may import"
NOTE: Final = "A row imports only rows below it. Parts of one row do not import each other."
# Parts of the interface, which have their own colour in packages that have `pages`.
INTERFACE: Final = frozenset({"admin", "api", "management", "pages", "templatetags", "urls"})
WIDTH: Final = 1000
MARGIN: Final = 16
COLUMN: Final = (WIDTH - 3 * MARGIN) // 2
HEAD: Final = 76  # height of heading and legend
TITLE: Final = 27  # height of a panel's title
BOX: Final = 20  # height of a box
GAP: Final = 3
CHARACTER: Final = 7.8  # width of a monospace character of 13 px
PADDING: Final = 14  # left and right of a box's text, together
STYLE: Final = """\
text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1d2430; }
.heading { font: bold 19px system-ui, "DejaVu Sans", sans-serif; }
.note { font: 14px system-ui, "DejaVu Sans", sans-serif; fill: #4a5261; }
.title { font: bold 15px system-ui, "DejaVu Sans", sans-serif; }
.page { fill: #fff; stroke: #c3c9d3; }
.band { fill: #e6e9ee; }
.domain { fill: #fff; stroke: #8a93a3; }
.interface { fill: #ffe9b8; stroke: #b98a1d; }"""

Row = tuple[str, ...]


class Panel(NamedTuple):
    """One contract: the packages it is for, and its rows of parts from top to bottom."""

    title: str
    rows: tuple[Row, ...]


def panels(settings: Mapping[str, Any]) -> list[Panel]:
    """Return the contracts of `[tool.importlinter]` to draw.

    Root packages come first, then the packages with a contract of their own, the largest first.
    """
    roots, inside = [], []
    known = set(settings["root_packages"])
    for contract in settings["contracts"]:
        if contract["type"] != "layers":
            continue
        rows = tuple(_parts(layer) for layer in contract["layers"])
        containers = contract.get("containers", [])
        if containers and contract.get("exhaustive"):
            inside.append((len(containers), -sum(map(len, rows)), Panel(_titled(containers), rows)))
        elif not containers and {part for row in rows for part in row} <= known:
            roots.append(Panel("Root packages", rows))
    return roots + [panel for _containers, _parts, panel in sorted(inside)]


def _titled(containers: Sequence[str]) -> str:
    *others, last = containers
    return f"{', '.join(others)} and {last}" if others else last


def _parts(layer: str) -> Row:
    """Split `a | (b)`. Parts joined by `:` may import each other, so they share a box."""
    names = layer.replace("(", "").replace(")", "").split("|")
    return tuple(" + ".join(part.strip() for part in name.split(":")) for name in names)


def _width(part: str) -> float:
    return len(part) * CHARACTER + PADDING + GAP


def _lines(row: Row) -> list[list[str]]:
    """Break a row into as few lines as fit into a column."""
    lines: list[list[str]] = [[]]
    for part in row:
        if lines[-1] and sum(map(_width, [*lines[-1], part])) > COLUMN - GAP:
            lines.append([])
        lines[-1].append(part)
    return lines


def _band_height(row: Row) -> int:
    return len(_lines(row)) * (BOX + GAP) + GAP


def _height(panel: Panel) -> int:
    return TITLE + sum(_band_height(row) + GAP for row in panel.rows)


def _box(part: str, kind: str, x: float, y: float, width: float) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="{BOX}" rx="3"/>'
        f'<text x="{x + width / 2:.1f}" y="{y + 14.5:g}" text-anchor="middle">{escape(part)}</text>'
    )


def _band(row: Row, two_planes: bool, x: int, y: int) -> Iterator[str]:
    height = _band_height(row)
    yield f'<rect class="band" x="{x}" y="{y}" width="{COLUMN}" height="{height}" rx="4"/>'
    for number, line in enumerate(_lines(row)):
        spare = (COLUMN - GAP - sum(map(_width, line))) / len(line)
        left, top = x + float(GAP), y + GAP + number * (BOX + GAP)
        for part in line:
            kind = "interface" if two_planes and part in INTERFACE else "domain"
            yield _box(part, kind, left, top, _width(part) - GAP + spare)
            left += _width(part) + spare


def _panel(panel: Panel, x: int, y: int) -> Iterator[str]:
    yield f'<text class="title" x="{x}" y="{y + 18}">{escape(panel.title)}</text>'
    y += TITLE
    two_planes = any("pages" in row for row in panel.rows)
    for row in panel.rows:
        yield from _band(row, two_planes, x, y)
        y += _band_height(row) + GAP


def _legend() -> Iterator[str]:
    yield f'<text class="heading" x="{MARGIN}" y="34">{HEADING}</text>'
    yield f'<text class="note" x="{MARGIN}" y="58">{NOTE}</text>'
    yield f'<rect class="interface" x="{WIDTH - 240}" y="45" width="18" height="16" rx="3"/>'
    yield f'<text class="note" x="{WIDTH - 214}" y="58">pages, API and commands</text>'


def _described(contents: Sequence[Panel]) -> str:
    rows = {panel.title: "; ".join(", ".join(row) for row in panel.rows) for panel in contents}
    return escape(" ".join([NOTE, *(f"{title}: {text}." for title, text in rows.items())]))


def draw(contents: Sequence[Panel]) -> str:
    """Return the picture: two columns of panels, each panel placed in the shorter column."""
    bottoms = [HEAD, HEAD]
    body = list(_legend())
    for panel in contents:
        column = bottoms.index(min(bottoms))
        body += _panel(panel, MARGIN + column * (COLUMN + MARGIN), bottoms[column])
        bottoms[column] += _height(panel) + MARGIN
    height = max(bottoms)
    opening = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" \
aria-labelledby="title desc">
<title id="title">{HEADING}</title>
<desc id="desc">{_described(contents)}</desc>
<style>
{STYLE}
</style>
<rect class="page" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>"""
    return "\n".join([opening, *body, "</svg>\n"])


def current_picture() -> str:
    """Return the picture of the contracts in `pyproject.toml`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return draw(panels(project["tool"]["importlinter"]))


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.scripts.package_picture", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    picture = current_picture()
    if not parser.parse_args().check:
        PICTURE.write_text(picture, "utf-8")
    elif not PICTURE.exists() or PICTURE.read_text("utf-8") != picture:
        print("docs/img/packages.svg is outdated: run python -m tools.scripts.package_picture")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
