"""Dice as bytes, and who has which.

A die on a space is one byte, `space * 6 + face - 1`; all runners of a day are one `bytearray`,
seat after seat. A 1 not yet placed and a trampled runner have bytes of their own, which lie past
every space of a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Final

from eltoro.engine.moves import write_bull, write_runner

FACES: Final = 6
MOST_BULLS: Final = 10
FIRST_BULLS: Final = 5
TOKENS: Final = 3
"""Tokens of each colour (Ruling E-5)."""
UNPLACED: Final = 254
TRAMPLED: Final = 255
OUTSIDE: Final = UNPLACED
"""From this byte on a runner stands nowhere."""
EVERY_BYTE: Final = 256
SAME: Final = bytes(range(EVERY_BYTE))

BULL_NAMES: Final = tuple(write_bull(number + 1) for number in range(MOST_BULLS))
BULL_INDEX: Final[Mapping[str, int]] = {name: at for at, name in enumerate(BULL_NAMES)}
BULL_TURNS: Final[Mapping[str, tuple[int, int]]] = {
    f"{name}{sign}": (at, by)
    for name, at in BULL_INDEX.items()
    for sign, by in (("+", 1), ("-", -1))
}


class Roster:
    """The runners of a day in one row: seat after seat, each by number.

    `begins`: where each seat's begin, and where all end. `names`: in notation, by index. `index`:
    the index by name. `turns`, `sets`: index and turn, or face, by target.
    """

    __slots__ = ("begins", "counts", "index", "names", "seats", "sets", "total", "turns")

    def __init__(self, counts: Iterable[int]) -> None:
        self.counts = tuple(counts)
        self.begins = (0, *accumulate(self.counts))
        self.total = self.begins[-1]
        self.seats = tuple(seat for seat, count in enumerate(self.counts) for _ in range(count))
        self.names = tuple(
            write_runner(seat, number)
            for seat, count in enumerate(self.counts)
            for number in range(1, count + 1)
        )
        self.index = {name: at for at, name in enumerate(self.names)}
        signs = (("+", 1), ("-", -1))
        self.turns = {
            f"{name}{sign}": (at, by) for name, at in self.index.items() for sign, by in signs
        }
        faces = range(1, FACES + 1)
        self.sets = {
            f"{name}={face}": (at, face) for name, at in self.index.items() for face in faces
        }


@lru_cache(maxsize=256)
def roster_of(counts: tuple[int, ...]) -> Roster:
    """The roster with so many runners by seat."""
    return Roster(counts)
