"""The town of El Toro as a picture: a snapshot of the engine, ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from eltoro.stage.marks import Marks

NOTHING: Final = Marks()


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The map: `title` and `desc` say in words what it shows; `box` is the viewBox.

    A page includes `eltoro/_map.html` with it as `map`; that brings the map, the corners (what
    stands at each space of the row in play, with the controls of `marks.picks`) and the table.
    """

    title: str
    desc: str
    box: str


def picture(
    town: Any,
    rules: Any,
    *,
    names: Sequence[str],
    seat: int | None = None,
    marks: Marks = NOTHING,
) -> Picture:
    """The town as who sits at `seat` sees it (None: a watcher); `names` by seat."""
    raise NotImplementedError
