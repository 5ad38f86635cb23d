"""Lookup tables of the tiles that fit an end of the train, and reasons why a tile does not fit."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from dominoes.engine.errors import IllegalMove
from dominoes.engine.moves import (
    ACROSS,
    HIGH_INWARD,
    LEFT_CODE,
    LOW_INWARD,
    MOVES,
    RIGHT_CODE,
    Move,
)
from dominoes.engine.rules import Matadors, Rules
from dominoes.engine.tiles import TILES, DominoSet, bit_set, bits, domino_set, write_tile

# Maximum number of cached entries per end. They cover all cases of a double-six set, but only some
# cases of larger sets.
CACHE_SIZE: Final = 1024
Ways = dict[int, tuple[int, ...]]


class End(NamedTuple):
    """An end of the train, with the tiles that fit there (Rulings D-4 and D-9).

    `halves`: the open half, or both halves of a matador (wild tile) that lies across. `needs`: the
    halves that must touch the train, for tiles other than matadors, ascending. Empty if only
    matadors fit. `matadors`: True if any matador fits. `across`: True if a matador lies across at
    this end. `fits`: all tiles of the set that fit, as a bit set.
    """

    halves: tuple[int, ...]
    needs: tuple[int, ...]
    matadors: bool
    across: bool
    fits: int

    def __str__(self) -> str:
        """Return the tiles that an end of the train needs, in notation.

        `(4*)` means a 4 or any matador, `(*)` only matadors, `(0)` a blank.
        """
        return f"({','.join(map(str, self.needs))}{'*' if self.matadors else ''})"


class Plays(Ways):
    """Cache of move codes at one end of the train. The key is a bit set of fitting tiles."""

    __slots__ = ("ways",)

    def __init__(self, ways: Ways) -> None:
        super().__init__()
        self.ways = ways

    def __missing__(self, fitting: int) -> tuple[int, ...]:
        if len(self) >= CACHE_SIZE:
            self.clear()
        codes = tuple(code for tile in bits(fitting) for code in self.ways[tile])
        self[fitting] = codes
        return codes


class EndState:
    """A state of an end of the train: the tiles that fit there and the moves that play them.

    `fits`: all fitting tiles, `plain`: fitting tiles other than matadors (wild tiles), as bit sets.
    `left`, `right`: for a bit set of tiles, the codes of the moves at the left or right end.
    """

    __slots__ = ("end", "fits", "left", "plain", "right")

    def __init__(self, end: End, matadors: int, ways: Ways) -> None:
        self.end = end
        self.fits = end.fits
        self.plain = end.fits & ~matadors
        self.left = Plays(_move_codes(ways, LEFT_CODE))
        self.right = Plays(_move_codes(ways, RIGHT_CODE))


class Fits:
    """All states that an end of the train can have, by number, for one tile set.

    They depend on the variant for matadors (wild tiles, Ruling D-9). In states 0 to n the end is a
    half with that many pips. Then follow the matadors that lie across, in the order of their tiles.

    `spots`: all states. `ends`, `fits`, `plain`, `left` and `right`: single attributes of all
    states as separate sequences. `after`: by the code of a move, the state of the end after this
    move, or -1 if there is none. For a first tile this is the right end. `leaves`: the same as
    `EndState` objects.
    """

    __slots__ = (
        "after",
        "ends",
        "fits",
        "leaves",
        "left",
        "nowhere",
        "plain",
        "reading",
        "right",
        "spots",
        "tiles",
    )

    def __init__(self, tiles: DominoSet, reading: Matadors) -> None:
        self.tiles = tiles
        self.reading = reading
        across = bits(tiles.matadors)
        self.spots = [self._spot((half,), across=False) for half in range(tiles.N)]
        self.spots += [self._spot(tiles.tiles[tile], across=True) for tile in across]
        self.ends = [spot.end for spot in self.spots]
        self.fits = [spot.fits for spot in self.spots]
        self.plain = [spot.plain for spot in self.spots]
        self.left = [spot.left for spot in self.spots]
        self.right = [spot.right for spot in self.spots]
        self.nowhere = EndState(End((), (), matadors=False, across=False, fits=0), 0, {})
        states = {tile: tiles.N + place for place, tile in enumerate(across)}
        self.after = [self._state_after(move, states) for move in MOVES]
        self.leaves = [self.nowhere if state < 0 else self.spots[state] for state in self.after]

    def _state_after(self, move: Move, across: dict[int, int]) -> int:
        """Return the number of the state that an end of the train has after a move, or -1 if the
        move is impossible at this end.
        """
        if move.tile is None or move.tile >= len(self.tiles):
            return -1
        if move.across:
            return across.get(move.tile, -1)
        return TILES[move.tile][0] if move.outward is None else move.outward

    def _spot(self, halves: tuple[int, ...], *, across: bool) -> EndState:
        """Return the state of an end of the train at which these halves of tiles are open."""
        lies = {tile: self._placements(halves, across, tile) for tile in range(len(self.tiles))}
        ways = {tile: by_tile for tile, by_tile in lies.items() if by_tile}
        blank = across and self.reading == "crosswise_on_blank"
        sums = {self.tiles.N - half for half in halves if half}
        needs = (0,) if blank else tuple(sorted(sums))
        end = End(halves, needs, not blank, across, bit_set(ways))
        return EndState(end, self.tiles.matadors, ways)

    def _placements(self, halves: tuple[int, ...], across: bool, tile: int) -> tuple[int, ...]:
        """Return the ways in which a tile may be laid at an end of the train with these open halves
        (Rulings D-4 and D-9).
        """
        low, high = TILES[tile]
        if across and self.reading == "crosswise_on_blank":
            return (LOW_INWARD,) if low == 0 else ()
        if self.tiles.is_matador(tile):
            return self._lies_of_matador(halves, across, low == high)
        wanted = {self.tiles.N - half for half in halves}
        if low in wanted:
            return (LOW_INWARD,)
        return (HIGH_INWARD,) if high in wanted else ()

    def _lies_of_matador(
        self, halves: tuple[int, ...], across: bool, double: bool
    ) -> tuple[int, ...]:
        """Return the ways a matador (wild tile) may lie.

        A matador fits every end, but some ends do not allow all of these ways.
        """
        inline = (LOW_INWARD,) if double else (LOW_INWARD, HIGH_INWARD)
        if self.reading == "crosswise_on_blank" and halves == (0,):
            return (ACROSS,)
        if self.reading == "crosswise_open" and not across:
            return (*inline, ACROSS)
        return inline


def _move_codes(ways: Ways, first: int) -> Ways:
    """Convert the ways in which each tile can lie to codes of moves. The codes start at `first`."""
    return {tile: tuple(first + 3 * tile + lie for lie in lies) for tile, lies in ways.items()}


@cache
def fits_of(highest: int, reading: Matadors) -> Fits:
    """Return the cached end states of a double-n set under a variant for matadors (Ruling D-9)."""
    return Fits(domino_set(highest), reading)


def reason_against_laying(rules: Rules, move: Move, end: End) -> IllegalMove:
    """Return the reason why a tile may not be played at this end in this way (Rulings D-4
    and D-9).
    """
    tiles = domino_set(rules.highest)
    assert move.tile is not None
    name, matador = write_tile(move.tile), tiles.is_matador(move.tile)
    if move.across and not matador:
        return IllegalMove("only_matadors_across")
    if not end.fits >> move.tile & 1:
        return _against_tile(end, name, tiles.tiles[move.tile], tiles.N, move)
    if move.across:
        return IllegalMove("inline_after_across" if end.across else "never_across", tile=name)
    if end.across and not end.matadors:
        return IllegalMove("blank_inward")
    if matador:
        return IllegalMove("must_lie_across")
    return _against_sum(end, name, tiles.N, move)


def _against_tile(
    end: End, name: str, halves: tuple[int, int], matching: int, move: Move
) -> IllegalMove:
    """Return the reason why a tile cannot be played at this end of the train, whichever of its
    halves touches the train.
    """
    if end.across and not end.matadors:
        return IllegalMove("blank_inward")
    if end.across and not end.needs:
        return IllegalMove("matador_only")
    if not end.needs:
        return IllegalMove("blank")
    return _against_sum(end, name, matching, move)


def _against_sum(end: End, name: str, matching: int, move: Move) -> IllegalMove:
    """Return the reason for a tile whose touching half does not add up to the matching number."""
    inward = move.inward
    assert inward is not None
    if end.across:
        return IllegalMove("no_sum_across", tile=name, inward=inward, sum=matching)
    return IllegalMove("no_sum", tile=name, inward=inward, end=end.halves[0], sum=matching)
