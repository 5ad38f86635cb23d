"""The tiles of a double-n domino set (Ruling D-1).

A tile is represented by a number, and a set of tiles by an integer used as a bit set.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

MIN_DOUBLE: Final = 2
MAX_DOUBLE: Final = 18


def tile_number(one: int, other: int) -> int:
    """Return the number of the tile with these two halves. It is the same in every set."""
    low, high = (one, other) if one <= other else (other, one)
    return high * (high + 1) // 2 + low


# The two halves of every possible tile, lower half first. The index is the tile number.
TILES: Final = tuple((low, high) for high in range(MAX_DOUBLE + 1) for low in range(high + 1))


def bits(tiles: int) -> list[int]:
    """Return the numbers of the tiles in a bit set, ascending."""
    numbers = []
    while tiles:
        lowest = tiles & -tiles
        numbers.append(lowest.bit_length() - 1)
        tiles ^= lowest
    return numbers


def bit_set(tiles: Iterable[int]) -> int:
    """Return the bit set of these tile numbers. Duplicates count once."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


def write_tile(tile: int) -> str:
    """Return a tile in notation, higher half first: `6|3`."""
    low, high = TILES[tile]
    return f"{high}|{low}"


# The pips of every possible tile. The index is the tile number.
PIPS: Final = tuple(low + high for low, high in TILES)


def _pip_counts(first: int) -> list[int]:
    """Return the pips of every possible selection from eight successive tiles, from tile
    `first`.
    """
    pips = PIPS[first : first + 8]
    sums = [0]
    for more in pips:
        sums += [before + more for before in sums]
    return sums


class DominoSet:
    """A double-n domino set: all tiles from 0-0 to n-n (Ruling D-1).

    `tiles`: the two halves of every tile, lower half first, by number. `N`: the matching number n +
    1, to which touching halves must add up. `all`, `matadors` (wild tiles), `doubles`: bit sets.
    `each`: a bit set for every single tile, in order.
    """

    __slots__ = ("N", "_counted", "all", "doubles", "each", "highest", "matadors", "tiles")

    def __init__(self, highest: int) -> None:
        self.highest = highest
        self.N = highest + 1
        self.tiles = TILES[: (highest + 1) * (highest + 2) // 2]
        self.each = tuple(1 << tile for tile in range(len(self.tiles)))
        self.all = (1 << len(self.tiles)) - 1
        self.matadors = bit_set(
            tile for tile, halves in enumerate(self.tiles) if sum(halves) in {0, self.N}
        )
        self._counted = [_pip_counts(first) for first in range(0, len(self.tiles), 8)]
        self.doubles = bit_set(tile_number(half, half) for half in range(highest + 1))

    def __len__(self) -> int:
        return len(self.tiles)

    def index(self, one: int, other: int) -> int:
        """Return the number of the tile with these halves.

        Raises `ValueError` if the set has no such tile.
        """
        if not 0 <= min(one, other) <= max(one, other) <= self.highest:
            name = f"{max(one, other)}|{min(one, other)}"
            raise ValueError(f"There is no tile {name} in a double-{self.highest} set.")
        return tile_number(one, other)

    def pips(self, tiles: int) -> int:
        """Return the total pips of the tiles in a bit set."""
        total = 0  # looked up for eight tiles at a time
        for counted in self._counted:
            total += counted[tiles & 255]
            tiles >>= 8
        return total

    def is_matador(self, tile: int) -> bool:
        """Return True for 0-0 and tiles whose halves add up to the matching number."""
        return bool(self.matadors >> tile & 1)


@cache
def domino_set(highest: int) -> DominoSet:
    """Return the double-n set, n from 2 to 18. Raises `ValueError` for another n."""
    if not MIN_DOUBLE <= highest <= MAX_DOUBLE:
        raise ValueError(
            f"There is no double-{highest} set; n is from {MIN_DOUBLE} to {MAX_DOUBLE}."
        )
    return DominoSet(highest)
