"""What fits where: for a set and a reading of Ruling D-9, worked out once and looked up."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from dominoes.engine.moves import (
    ACROSS,
    HIGH_INWARD,
    LEFT_CODE,
    LOW_INWARD,
    MOVES,
    RIGHT_CODE,
)
from dominoes.engine.rules import Matadors
from dominoes.engine.tiles import TILES, DominoSet, bits, domino_set

KEPT: Final = 4096


class End(NamedTuple):
    """An end of the train, and what it asks for (Rulings D-4 and D-9).

    `halves`: what lies open there: one half, or both of a matador across.
    `needs`: the inward halves of tiles that are no matadors, ascending; none at a blank.
    `matadors`: whether any matador fits. `across`: whether a matador lies across there.
    `fits`: all tiles of the set that fit, as a bit set.
    """

    halves: tuple[int, ...]
    needs: tuple[int, ...]
    matadors: bool
    across: bool
    fits: int

    def __str__(self) -> str:
        """The needs in notation: `(4*)` a 4 or any matador, `(*)` matadors only, `(0)` a blank."""
        return f"({','.join(map(str, self.needs))}{'*' if self.matadors else ''})"


class Plays(dict[int, tuple[int, ...]]):
    """By the tiles that fit an end, the codes of the moves that play them there."""

    __slots__ = ("ways",)

    def __init__(self, ways: dict[int, tuple[int, ...]]) -> None:
        super().__init__()
        self.ways = ways

    def __missing__(self, fitting: int) -> tuple[int, ...]:
        if len(self) >= KEPT:
            self.clear()
        codes = tuple(code for tile in bits(fitting) for code in self.ways[tile])
        self[fitting] = codes
        return codes


class Fits:
    """For every state of an end, by number: what fits there and what it becomes.

    States 0 to n are a half of that many pips lying in line; those that follow are the matadors
    across, in the order of their tiles. `plain`: fitting tiles that are no matadors.
    `after`: by the code of a move, the state it leaves at its end.
    """

    __slots__ = ("after", "ends", "fits", "left", "plain", "reading", "right", "tiles")

    def __init__(self, tiles: DominoSet, reading: Matadors) -> None:
        self.tiles = tiles
        self.reading = reading
        across = list(bits(tiles.matadors))
        states = [*((half,) for half in range(tiles.N)), *(tiles.tiles[tile] for tile in across)]
        ways = [self._ways(state, halves) for state, halves in enumerate(states)]
        self.fits = [sum(1 << tile for tile in found) for found in ways]
        self.plain = [fits & ~tiles.matadors for fits in self.fits]
        self.left = [Plays(_coded(found, LEFT_CODE)) for found in ways]
        self.right = [Plays(_coded(found, RIGHT_CODE)) for found in ways]
        self.ends = [self._end(state, halves) for state, halves in enumerate(states)]
        self.after = _after({tile: tiles.N + place for place, tile in enumerate(across)})

    def _ways(self, state: int, halves: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        """By tile, how each that fits may lie at this end."""
        found = {tile: self._lies(state, halves, tile) for tile in range(len(self.tiles))}
        return {tile: lies for tile, lies in found.items() if lies}

    def _lies(self, state: int, halves: tuple[int, ...], tile: int) -> tuple[int, ...]:
        """How one tile may lie at an end with these halves open (Rulings D-4 and D-9)."""
        low, high = TILES[tile]
        across = state > self.tiles.highest
        if across and self.reading == "crosswise_on_blank":
            return (LOW_INWARD,) if low == 0 else ()
        if self.tiles.is_matador(tile):
            return self._lies_of_matador(across, halves, low == high)
        wanted = {self.tiles.N - half for half in halves}
        if low in wanted:
            return (LOW_INWARD,)
        return (HIGH_INWARD,) if high in wanted else ()

    def _lies_of_matador(
        self, across: bool, halves: tuple[int, ...], double: bool
    ) -> tuple[int, ...]:
        """How a matador may lie: it fits every end, but not always every way."""
        inline = (LOW_INWARD,) if double else (LOW_INWARD, HIGH_INWARD)
        if self.reading == "crosswise_on_blank" and halves == (0,):
            return (ACROSS,)
        if self.reading == "crosswise_open" and not across:
            return (*inline, ACROSS)
        return inline

    def _end(self, state: int, halves: tuple[int, ...]) -> End:
        across = state > self.tiles.highest
        blank = across and self.reading == "crosswise_on_blank"
        sums = {self.tiles.N - half for half in halves} - {self.tiles.N}
        needs = (0,) if blank else tuple(sorted(sums))
        return End(halves, needs, not blank, across, self.fits[state])


def _coded(ways: dict[int, tuple[int, ...]], first: int) -> dict[int, tuple[int, ...]]:
    return {tile: tuple(first + 3 * tile + lie for lie in lies) for tile, lies in ways.items()}


def _after(across: dict[int, int]) -> list[int]:
    """By code the state of the end after the move; -1 where the move leaves none."""
    found = []
    for move in MOVES:
        state = across.get(move.tile, -1) if move.across and move.tile is not None else -1
        found.append(state if move.outward is None else move.outward)
    return found


@cache
def fits_of(highest: int, reading: Matadors) -> Fits:
    """What fits where in a double-n set under one reading of Ruling D-9; cached."""
    return Fits(domino_set(highest), reading)
