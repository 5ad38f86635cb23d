"""The tiles that a fragment of a table tells of, in whatever way: drawn, in words, in a form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser

Tile = tuple[int, int]
"""The two halves, the lower first."""

GEOMETRY = {"d", "transform", "viewbox", "points", "class", "x", "y", "cx", "cy", "href"}
"""Attributes that hold figures and no words; pips drawn are counted apart."""
WRITTEN = re.compile(r"(?<![\d.])(\d{1,2})[-|+\u2010-\u2013](\d{1,2})(?![\d.])")
PIPS = re.compile(r"#pip(\d+)$")
VOID = {"br", "hr", "img", "input", "link", "meta"}


def tile(one: int | str, other: int | str) -> Tile:
    """A tile by its halves, in either order."""
    low, high = sorted((int(one), int(other)))
    return low, high


class FragmentTiles(HTMLParser):
    """What a fragment tells: tiles `drawn`, and `written` in words or as a choice of a form.

    `numbered`: the whole set, where numbers in a form are to be read too.
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
        """Every tile that it gives away."""
        return self.written | set(self.drawn)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note pips, words of attributes, choices of a form."""
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
        """A tag closed at once holds nothing."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """At the end of a tile both its halves are known; a blank one has no pips."""
        if self._inside and self._inside.pop() == "dom-tile":
            halves = [*self._halves, 0, 0][:2]
            self.drawn.append(tile(*halves))

    def handle_data(self, data: str) -> None:
        """Note the words."""
        self._note(data)

    def _note(self, text: str) -> None:
        self.written |= {tile(one, other) for one, other in WRITTEN.findall(text)}
