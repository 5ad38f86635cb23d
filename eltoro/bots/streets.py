"""A board as plain numbers for bots: the ways of dice down the streets, and expected values.

A *place* is a space with a face, as one number: six times the rank of the space, plus the face
minus one. The rank is the position of the space in a list of all rows. Dice, streets and values are
lists over places, so that a whole row can be calculated at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final

from eltoro.engine import FACES, Board

# For each set of faces that bulls show (as bits): the faces that no bull shows. Faces are counted
# from 0.
SAFE_FACES: Final = tuple(
    tuple(face for face in range(FACES) if not mask >> face & 1) for mask in range(1 << FACES)
)
MATCHED_FACES: Final = tuple(SAFE_FACES[~mask & 63] for mask in range(1 << FACES))
# Maximum number of cached `DieWays` per board, about two megabytes. They depend on the tokens.
WAYS_CACHE_SIZE: Final = 500

# A path sign: the index of its space, and 0 for the even sign or 1 for the odd sign.
Sign = tuple[int, int]
# Function that takes the values of a row and returns, for every place in the row above, the value
# of the place to which it leads.
RowReader = Callable[[Sequence[float]], tuple[float, ...]]


class DieWays:
    """The ways of a player's dice from row to row.

    `down`: for each place, the place one row down. `rows`: the same for all values of a row at
    once.
    """

    __slots__ = ("down", "rows")

    def __init__(self, down: tuple[int, ...], rows: tuple[RowReader, ...]) -> None:
        self.down, self.rows = down, rows


class Streets:
    """A board as lists over places.

    `begins`: the first place of each row, followed by the number of places.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.spaces = tuple(space for row in board.rows for space in row)
        self.rank = {space: rank for rank, space in enumerate(self.spaces)}
        self.begins = [0]
        for row in board.rows:
            self.begins.append(self.begins[-1] + FACES * len(row))
        self._ways: dict[frozenset[Sign], DieWays] = {}
        self.plain = self.ways(())
        self.trails = tuple(self._trail(place) for place in range(self.begins[-1]))

    def place_number(self, space: int, face: int) -> int:
        """Return the number of the place for a space (index on the board) and a face (1 to 6)."""
        return FACES * self.rank[space] + face - 1

    def ways(self, signs: Collection[Sign]) -> DieWays:
        """Return the ways of a player's dice if the player's tokens are on these signs (Ruling
        E-5).
        """
        key = frozenset(signs)
        if key not in self._ways:
            if len(self._ways) >= WAYS_CACHE_SIZE:
                self._ways.clear()
            down = tuple(self._place_below(place, key) for place in range(self.begins[-1]))
            rows = [self._row(down, row) for row in range(len(self.begins) - 2)]
            self._ways[key] = DieWays(down, tuple(rows))
        return self._ways[key]

    def _place_below(self, place: int, signs: frozenset[Sign]) -> int:
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
        """Return the spaces on which a bull from this place will charge on its way down, and the
        bull's face as a bit.
        """
        trail, bit = [], 1 << place % FACES
        while (place := self.plain.down[place]) >= 0:
            trail.append((place // FACES, bit))
        return tuple(trail)

    def threats(self, bulls: Iterable[int]) -> list[int]:
        """Return the faces of all bulls that will charge on each space, as bits, by rank of the
        space.
        """
        masks = [0] * len(self.spaces)
        for bull in bulls:
            for rank, bit in self.trails[bull]:
                masks[rank] |= bit
        return masks

    def prospects(
        self, ways: DieWays, threats: Sequence[int], worth: Sequence[float], top: int
    ) -> list[float]:
        """Return the expected value of a die at each place from row `top` on, without further
        cards.

        `worth`: the value of each destination, from left to right. The values are exact: bulls have
        a fixed way, so the only chance is the single roll of a die that matches a bull (Ruling
        E-6).
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
    """Return the values of a row before the charge of the bulls, from the values after it.

    `value` is changed in place.
    """
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
