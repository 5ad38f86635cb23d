"""Notation of trains: `(4*) 3|1 [6|3] 4|4 (3*)`, from left to right, with the needs of its ends."""

from __future__ import annotations

from typing import Final, NamedTuple

from dominoes.engine.fits import End
from dominoes.engine.view import LaidTile

NO_TRAIN: Final = "(any)"


class Train(NamedTuple):
    """A train: its tiles from left to right, and its ends, `None` if it is empty."""

    laid: tuple[LaidTile, ...]
    ends: tuple[End, End] | None

    def __str__(self) -> str:
        """Return the notation: first tile in brackets, needs of the ends in parentheses."""
        if self.ends is None:
            return NO_TRAIN
        return " ".join([str(self.ends[0]), *map(str, self.laid), str(self.ends[1])])
