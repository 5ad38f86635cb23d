"""What is measured of a game by having bots play it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol


class Figure(NamedTuple):
    """A measured figure as it is printed: what, how much, its bounds, whether it lies inside."""

    what: str
    figure: str
    bounds: str
    inside: bool


class Calibration(Protocol):
    """What a game offers as its `calibration`: bots play, and figures must lie within bounds.

    It goes into other processes; the same portions give the same figures.
    """

    @property
    def portions(self) -> Sequence[Any]:
        """What there is to play, in portions of some seconds at most."""

    def play(self, portion: Any) -> Any:
        """What came of one portion."""

    def figures(self, played: Sequence[Any]) -> Sequence[Figure]:
        """Every figure with its bounds."""

    def report(self, played: Sequence[Any]) -> str:
        """What is told besides and has no bounds, as tables in Markdown."""
