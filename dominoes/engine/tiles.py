"""The tiles of a double-n set: a tile is a number, a set of tiles a bit set (Ruling D-1)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

MIN_DOUBLE: Final = 2
MAX_DOUBLE: Final = 18


def tile_number(one: int, other: int) -> int:
    """Return the number of a tile with these halves in any order. It is the same in every set."""
    low, high = (one, other) if one <= other else (other, one)
    return high * (high + 1) // 2 + low


# The halves of all possible tiles, lower first, by number.
TILES: Final = tuple((low, high) for high in range(MAX_DOUBLE + 1) for low in range(high + 1))


def bits(tiles: int) -> list[int]:
    """Return the numbers of the tiles of a bit set, ascending."""
    numbers = []
    while tiles:
        lowest = tiles & -tiles
        numbers.append(lowest.bit_length() - 1)
        tiles ^= lowest
    return numbers


def bit_set(tiles: Iterable[int]) -> int:
    """Return the bit set of tiles given by number. Duplicates count once."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


def write_tile(tile: int) -> str:
    """Return a tile in notation, higher half first: `6|3`."""
    low, high = TILES[tile]
    return f"{high}|{low}"


# The pips of all possible tiles by number.
PIPS: Final = tuple(low + high for low, high in TILES)


def _pip_counts(first: int) -> list[int]:
    """Return the pips of each bit set of eight successive tiles from `first`."""
    pips = PIPS[first : first + 8]
    sums = [0]
    for more in pips:
        sums += [before + more for before in sums]
    return sums


class DominoSet:
    """All tiles from 0-0 to n-n, their matching number and their matadors (Ruling D-1).

    `tiles`: the halves of every tile, lower first, by number. `N`: the sum of an end and the
    inward half of a tile, n + 1. `all`, `matadors`, `doubles`: bit sets. `each`: the bit set
    of every single tile, in order.
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
        """Return the number of a tile. Raises `ValueError` if the set has no such tile."""
        if not 0 <= min(one, other) <= max(one, other) <= self.highest:
            name = f"{max(one, other)}|{min(one, other)}"
            raise ValueError(f"There is no tile {name} in a double-{self.highest} set.")
        return tile_number(one, other)

    def pips(self, tiles: int) -> int:
        """Return the pips of all tiles of a bit set."""
        total = 0  # eight tiles at a time: counting is looking up
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
