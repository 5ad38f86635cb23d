"""Bit masks of the dominoes that fit each state of an end of the train, cached per rule set."""

from __future__ import annotations

from functools import cache
from typing import Final

from dominoes.engine import Deal, DominoSet, End, Hand, Move, MoveKind, Rules, Side, domino_set

# The ways in which a tile can lie: for the bit of a tile, the possible states of the end of the
# train after the tile is played.
Ways = dict[int, tuple[int, ...]]


class FitMasks:
    """Lookup tables of the tiles that fit an end of the train, by the state of the end.

    In states 0 to n the end is a half with that many pips. Higher states are matadors (wild tiles)
    lying across the train.

    `plain`: by state, the fitting tiles other than matadors. `ways`: by state, how each fitting
    tile can lie. `pairs[left][right]`: tiles other than matadors that fit either end. `heavier`: by
    tile, the clearly heavier tiles other than matadors.
    """

    __slots__ = ("across", "fits", "heavier", "matadors", "pairs", "plain", "tiles", "ways")

    def __init__(self, rules: Rules) -> None:
        self.tiles: DominoSet = domino_set(rules.highest)
        self.matadors: Final = self.tiles.matadors
        self.across: dict[tuple[int, ...], int] = {}
        self.ways: list[Ways] = [self._ways(_after_double(rules, half)) for half in self._halves]
        self.ways += [self._ways(_after_across(rules, halves)) for halves in list(self.across)]
        self.fits = [sum(ways) for ways in self.ways]
        self.plain = [tiles & ~self.matadors for tiles in self.fits]
        self.heavier = [self._heavier(sum(halves)) for halves in self.tiles.tiles]
        self.pairs = [[one | other for other in self.plain] for one in self.plain]

    @property
    def _halves(self) -> range:
        return range(self.tiles.N)

    def _heavier(self, pips: int) -> int:
        """Return the tiles, except matadors, with clearly more pips than `pips`.

        "Clearly" means at least half of the highest half in the set (3 more in a double-six set).
        """
        enough = pips + self.tiles.highest // 2
        tiles = enumerate(self.tiles.tiles)
        return sum(1 << tile for tile, halves in tiles if sum(halves) >= enough) & ~self.matadors

    def _ways(self, hand: Hand) -> Ways:
        ways: dict[int, list[int]] = {}
        for move in hand.legal():
            if move.side is Side.RIGHT and move.tile is not None:
                ways.setdefault(1 << move.tile, []).append(self._left_by(move))
        return {bit: tuple(states) for bit, states in ways.items()}

    def _left_by(self, move: Move) -> int:
        if move.outward is not None:
            return move.outward
        assert move.tile is not None
        halves = self.tiles.tiles[move.tile]
        return self.across.setdefault(tuple(sorted(set(halves))), self.tiles.N + len(self.across))

    def state(self, end: End) -> int:
        return self.across[tuple(sorted(set(end.halves)))] if end.across else end.halves[0]

    def states(self, ends: tuple[End, End] | None) -> tuple[int, int]:
        """Return the numbers of the states of both ends, or -1 for each before the first tile."""
        return (-1, -1) if ends is None else (self.state(ends[0]), self.state(ends[1]))

    def ends_after(self, move: Move, left: int, right: int) -> tuple[int, int]:
        if move.tile is None:
            return left, right
        if move.kind is MoveKind.LEAD:
            low, high = self.tiles.tiles[move.tile]
            return high, low
        new = self._left_by(move)
        return (new, right) if move.side is Side.LEFT else (left, new)


def _all_hold_all(rules: Rules) -> Hand:
    """Return an imaginary position in which each of three players holds every tile, so its legal
    moves include every tile that fits.
    """
    everything = range(len(domino_set(rules.highest)))
    return Hand(rules, Deal.of([everything, everything, everything]))


def _after_double(rules: Rules, half: int) -> Hand:
    hand = _all_hold_all(rules)
    hand.play(Move.lead(domino_set(rules.highest).index(half, half)))
    return hand


def _after_across(rules: Rules, halves: tuple[int, ...]) -> Hand:
    hand = _after_double(rules, 0)
    tile = domino_set(rules.highest).index(halves[0], halves[-1])
    hand.play(Move.play(tile, Side.RIGHT))
    return hand


def fit_masks_of(rules: Rules) -> FitMasks:
    """Return the cached masks for the tile set and the matador variant (Ruling D-9) of
    these rules.
    """
    return _fit_masks(Rules(highest=rules.highest, matadors=rules.matadors, hand_size=1))


@cache
def _fit_masks(rules: Rules) -> FitMasks:
    return FitMasks(rules)
