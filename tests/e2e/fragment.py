"""Find the domino tiles that an HTML fragment reveals: drawn, in text, or in a form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

# A tile as its two halves, the lower first.
Tile = tuple[int, int]

# Attributes whose numbers are sizes and not pips. Drawn pips are counted separately.
GEOMETRY = {"d", "transform", "viewbox", "points", "class", "x", "y", "cx", "cy", "href"}
WRITTEN = re.compile(r"(?<![\d.])(\d{1,2})[-|+\u2010-\u2013](\d{1,2})(?![\d.])")
PIPS = re.compile(r"#pip(\d+)$")
VOID = {"br", "hr", "img", "input", "link", "meta"}


def tile(one: int | str, other: int | str) -> Tile:
    """Return a tile from its two halves in either order."""
    low, high = sorted((int(one), int(other)))
    return low, high


class FragmentTiles(HTMLParser):
    """Parser that collects the tiles which a fragment reveals: `drawn`, or `written` in text and
    forms.

    `numbered` is the whole set, if numbers in forms stand for tiles.
    """

    def __init__(self, fragment: str, numbered: Sequence[Tile] = ()) -> None:
        super().__init__(convert_charrefs=True)
        self.drawn: list[Tile] = []
        self.written: set[Tile] = set()
        self._numbered = numbered
        self._inside: list[str] = []
        self._halves: list[int] = []
        self.feed(fragment)
        self.close()

    @property
    def tiles(self) -> set[Tile]:
        """All tiles that the fragment reveals."""
        return self.written | set(self.drawn)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note drawn pips, texts of attributes, and choices of a form."""
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        if "dom-tile" in classes:
            self._halves = []
        pips = PIPS.search(given.get("href", ""))
        if pips and "dom-tile" in self._inside:
            self._halves.append(int(pips[1]))
        self._note(" ".join(v for name, v in given.items() if name not in GEOMETRY))
        if given.get("name") == "tile" and self._numbered:
            self.written.add(self._numbered[int(given["value"])])
        if tag not in VOID:
            self._inside.append("dom-tile" if "dom-tile" in classes else tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Handle an element without content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Add a drawn tile when its element ends. A blank half has no pips."""
        if self._inside and self._inside.pop() == "dom-tile":
            halves = [*self._halves, 0, 0][:2]
            self.drawn.append(tile(*halves))

    def handle_data(self, data: str) -> None:
        """Note the text."""
        self._note(data)

    def _note(self, text: str) -> None:
        self.written |= {tile(one, other) for one, other in WRITTEN.findall(text)}
