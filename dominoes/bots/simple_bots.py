"""The simple bots: random, greedy, and one that plays by rules of thumb."""

from __future__ import annotations

from typing import Final

from dominoes.bots.bot import Clock, legal_moves
from dominoes.bots.fit_masks import FitMasks, fit_masks_of
from dominoes.bots.memory import Memory
from dominoes.engine import Kind, Move, View, domino_set
from fairness import Chance

WAITING_VALUES: Final = {Kind.DRAW: -2_000, Kind.PASS: -3_000}
"""Below every tile, matadors too: who sheds pips draws none while something fits."""
GREEDY_MATADOR_VALUE: Final = 1_000
"""More than the pips of any tile: a matador goes only where nothing else does."""


class Random:
    """Plays any legal move, each as likely."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """Any legal move; it takes no time."""
        return chance.pick(legal_moves(view))


class Greedy:
    """Sheds the heaviest tile and keeps matadors until nothing else fits.

    It does not draw while it can play. Of moves as heavy it takes the one that leaves the train
    open to most of its own tiles.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The move that sheds most; it takes no time."""
        moves = chance.shuffled(legal_moves(view))
        return max(moves, key=lambda move: (_pips_shed(view, move), _tiles_that_fit(view, move)))


def _pips_shed(view: View, move: Move) -> int:
    """The pips of a move's tile, those of matadors counting last."""
    if move.tile is None:
        return WAITING_VALUES[move.kind]
    tiles = domino_set(view.rules.highest)
    return sum(tiles.tiles[move.tile]) - GREEDY_MATADOR_VALUE * tiles.is_matador(move.tile)


def _tiles_that_fit(view: View, move: Move) -> int:
    """How many of the own tiles fit after a move, matadors aside."""
    if move.tile is None:
        return 0
    fitting = fit_masks_of(view.rules)
    left, right = fitting.after(move, *fitting.states(view.ends))
    return (view.held & ~(1 << move.tile) & fitting.pairs[left][right]).bit_count()


PIP_VALUE: Final = 1.0
"""What a pip got rid of is worth, in a double-six set; all else is measured by it."""
MATADOR_VALUE: Final = 14.0
"""A matador is held until it is wanted ..."""
DOUBLE_BLANK_VALUE: Final = 2.0
"""... the 0-0 longer, and blanks, which force matadors out of others, a little ..."""
BLANK_VALUE: Final = 0.3
BLOCK_VALUE: Final = 0.5
"""... until a blank can close an end ..."""
FULL_BLOCK_VALUE: Final = 8.0
"""... or both, while one holds a matador and is the only one to play on."""
ANSWER_VALUE: Final = 0.2
"""Two strong suits that add up to N: each own tile that will fit the ends is worth so much."""
OPEN_COST: Final = 1.6
"""Each tile that fits the ends and that the next player may hold costs so much."""
DRAW_VALUE: Final = -20.0
"""To draw rather than to give a matador away, for what it leaves open."""

LAST_TILE_VALUE: Final = 1_000.0
"""The last tile goes, whatever it opens."""


class Keeper:
    """Keeps two suits that add up to N, blanks and matadors, and blocks with blanks."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The move that its rules of thumb like best; it takes no time."""
        table = RulesOfThumb(view)
        return max(chance.shuffled(legal_moves(view)), key=table.worth)


class RulesOfThumb:
    """The rules of thumb, applied to one view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.fitting: FitMasks = fit_masks_of(view.rules)
        self.ends = self.fitting.states(view.ends)
        after = (view.seat or 0) + 1
        self.unseen = view.unseen & ~Memory(view).lacking[after % view.players]

    def worth(self, move: Move) -> float:
        """How good a move looks."""
        if move.kind is Kind.DRAW:
            return DRAW_VALUE
        if move.tile is None:
            return DRAW_VALUE - 1 if self.view.can_draw else DRAW_VALUE + 1
        return self._of_tile(move.tile) + self._of_ends(move, move.tile)

    def _of_tile(self, tile: int) -> float:
        """Pips got rid of, less what the tile would be good for later."""
        tiles = self.fitting.tiles
        halves = tiles.tiles[tile]
        worth = PIP_VALUE * sum(halves) * 6 / tiles.highest
        if tiles.is_matador(tile):
            worth -= MATADOR_VALUE
        if halves == (0, 0):
            return worth - DOUBLE_BLANK_VALUE
        return worth - (BLANK_VALUE if 0 in halves else 0)

    def _of_ends(self, move: Move, tile: int) -> float:
        """What the ends offer then, to oneself and to others."""
        left, right = self.fitting.after(move, *self.ends)
        fits = self.fitting.pairs[left][right]
        rest = self.view.held & ~(1 << tile)
        if not rest:
            return LAST_TILE_VALUE
        worth = ANSWER_VALUE * (rest & fits).bit_count()
        worth -= OPEN_COST * (self.unseen & fits).bit_count() * 28 / len(self.fitting.tiles)
        closed = (not self.fitting.plain[left]) + (not self.fitting.plain[right])
        if closed == 2 and rest & self.fitting.matadors:
            return worth + FULL_BLOCK_VALUE
        return worth + (BLOCK_VALUE if closed == 1 else 0)
