"""A board as plain numbers: the streets of dice, and their expected values on the way.

A *place* is a space with a face: the rank of the space, listed row by row, times six, plus the
face less one. Dice, streets and values are lists over places, so that a whole row moves at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final

from eltoro.engine import FACES, Board

# By the faces of a space's bulls (bits), the faces that are safe from them.
SAFE_FACES: Final = tuple(
    tuple(face for face in range(FACES) if not mask >> face & 1) for mask in range(1 << FACES)
)
MATCHED_FACES: Final = tuple(SAFE_FACES[~mask & 63] for mask in range(1 << FACES))
# About two megabytes. The streets depend on the tokens.
WAYS_CACHE_SIZE: Final = 500

# The index of a space on the board, and 0 for its even sign or 1 for its odd one.
Sign = tuple[int, int]
# Takes the values of a row, and returns for every place above it the value one row down.
RowReader = Callable[[Sequence[float]], tuple[float, ...]]


class Ways:
    """The streets of a player's dice: `down` by place, `rows` for all values of a row."""

    __slots__ = ("down", "rows")

    def __init__(self, down: tuple[int, ...], rows: tuple[RowReader, ...]) -> None:
        self.down, self.rows = down, rows


class Streets:
    """A board by places. `begins`: the first place of each row, then the number of places."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.spaces = tuple(space for row in board.rows for space in row)
        self.rank = {space: rank for rank, space in enumerate(self.spaces)}
        self.begins = [0]
        for row in board.rows:
            self.begins.append(self.begins[-1] + FACES * len(row))
        self._ways: dict[frozenset[Sign], Ways] = {}
        self.plain = self.ways(())
        self.trails = tuple(self._trail(place) for place in range(self.begins[-1]))

    def place(self, space: int, face: int) -> int:
        """Return the place of a face (1 to 6) on a space (index of the board)."""
        return FACES * self.rank[space] + face - 1

    def ways(self, signs: Collection[Sign]) -> Ways:
        """Return the streets of a colour with tokens on these signs (Ruling E-5)."""
        key = frozenset(signs)
        if key not in self._ways:
            if len(self._ways) >= WAYS_CACHE_SIZE:
                self._ways.clear()
            down = tuple(self._down(place, key) for place in range(self.begins[-1]))
            rows = [self._row(down, row) for row in range(len(self.begins) - 2)]
            self._ways[key] = Ways(down, tuple(rows))
        return self._ways[key]

    def _down(self, place: int, signs: frozenset[Sign]) -> int:
        space, face = self.spaces[place // FACES], place % FACES
        ways = self.board.spaces[space].ways
        if not ways:
            return -1
        taken = [parity for parity in range(len(ways)) if (space, parity) in signs]
        parity = taken[0] if len(taken) == 1 else (face + 1) % 2
        return self.rank[ways[parity % len(ways)]] * FACES + face

    def _row(self, down: Sequence[int], row: int) -> RowReader:
        first, end = self.begins[row], self.begins[row + 1]
        return itemgetter(*(there - end for there in down[first:end]))

    def _trail(self, place: int) -> tuple[tuple[int, int], ...]:
        """Return the spaces (ranks) where a bull from here will charge, with its face as a bit."""
        trail, bit = [], 1 << place % FACES
        while (place := self.plain.down[place]) >= 0:
            trail.append((place // FACES, bit))
        return tuple(trail)

    def threats(self, bulls: Iterable[int]) -> list[int]:
        """Return, by rank of a space, the faces of bulls that will charge there, as bits."""
        masks = [0] * len(self.spaces)
        for bull in bulls:
            for rank, bit in self.trails[bull]:
                masks[rank] |= bit
        return masks

    def prospects(
        self, ways: Ways, threats: Sequence[int], worth: Sequence[float], top: int
    ) -> list[float]:
        """Return the expected value of a die by place, from row `top` down, without further
        cards.

        `worth`: the value of each destination, from the left. Exact: bulls keep their parity,
        so the only chance is the single roll of a die that matches (Ruling E-6).
        """
        begins = self.begins
        value = [0.0] * begins[-2] + [
            value_of_rank for value_of_rank in worth for _ in range(FACES)
        ]
        for row in range(len(begins) - 3, top - 1, -1):
            first, end = begins[row + 1], begins[row + 2]
            below = values_before_charge(value[first:end], threats[first // FACES : end // FACES])
            value[begins[row] : first] = ways.rows[row](below)
        return value


def values_before_charge(value: list[float], threats: Sequence[int]) -> list[float]:
    """Return the values of a row before the charge, from those after it. Changed in place."""
    for rank, mask in enumerate(threats):
        if mask:
            at = FACES * rank
            saved = sum([value[at + face] for face in SAFE_FACES[mask]]) / FACES
            for face in MATCHED_FACES[mask]:
                value[at + face] = saved
    return value


@lru_cache(maxsize=32)
def streets_of(board: Board) -> Streets:
    return Streets(board)
