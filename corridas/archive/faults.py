"""What keeps a file from being a bundle, and what in a bundle is not as it says."""

from __future__ import annotations

from typing import NamedTuple


class Refused(ValueError):  # noqa: N818  said to people
    """The file is no bundle that can be read: `place` (a line, or nothing) and why."""

    def __init__(self, place: str, sentence: str) -> None:
        self.place, self.sentence = place, sentence
        super().__init__(f"{place}: {sentence}" if place else sentence)


class Finding(NamedTuple):
    """One thing that is not as the bundle says: where, what, what it says, what follows."""

    place: str
    name: str
    claimed: str
    found: str

    def __str__(self) -> str:
        return f"{self.place}, {self.name}: {self.claimed} is said, {self.found} follows"
