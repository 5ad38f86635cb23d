"""The simple dominoes bots: random, greedy, and a bot that follows rules of thumb."""

from __future__ import annotations

from typing import Final

from dominoes.bots.fit_masks import FitMasks, fit_masks_of
from dominoes.bots.memory import Memory
from dominoes.engine import Move, MoveKind, View, domino_set
from fairness import Chance
from leagues.bots import Clock

# Values of drawing and passing for the greedy bot. They are below the value of every tile, even of
# matadors, so the bot never draws or passes while it can play.
WAITING_VALUES: Final = {MoveKind.DRAW: -2_000, MoveKind.PASS: -3_000}
# Subtracted from the value of a matador. It exceeds the pips of every tile, so the greedy bot plays
# matadors last.
GREEDY_MATADOR_VALUE: Final = 1_000


def legal_moves(view: View) -> tuple[Move, ...]:
    """Return the legal moves of a view. Raises `ValueError` if it is not this seat's turn."""
    if not view.legal:
        raise ValueError("It is not this seat's turn.")
    return view.legal


class Random:
    """Bot that plays a uniformly random legal move."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        return chance.pick(legal_moves(view))


class Greedy:
    """Bot that plays the heaviest tile and keeps matadors (wild tiles) until nothing else fits.

    It never draws while it can play. Among equally heavy tiles it chooses the tile after which most
    of its own tiles fit.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        moves = chance.shuffled(legal_moves(view))
        return max(moves, key=lambda move: (_pips_shed(view, move), _tiles_that_fit(view, move)))


def _pips_shed(view: View, move: Move) -> int:
    """Return the value of a move for the greedy bot: the pips of its tile, less for matadors."""
    if move.tile is None:
        return WAITING_VALUES[move.kind]
    tiles = domino_set(view.rules.highest)
    return sum(tiles.tiles[move.tile]) - GREEDY_MATADOR_VALUE * tiles.is_matador(move.tile)


def _tiles_that_fit(view: View, move: Move) -> int:
    if move.tile is None:
        return 0
    fitting = fit_masks_of(view.rules)
    left, right = fitting.ends_after(move, *fitting.states(view.ends))
    return (view.held & ~(1 << move.tile) & fitting.pairs[left][right]).bit_count()


# Value of each pip discarded, in a hand with the double-six set. All following values are in the
# same unit.
PIP_VALUE: Final = 1.0
# Value of keeping a matador (wild tile) in hand.
MATADOR_VALUE: Final = 14.0
# Additional value of keeping the 0-0, and value of keeping any other tile with a blank.
DOUBLE_BLANK_VALUE: Final = 2.0
BLANK_VALUE: Final = 0.3
# Value of a move after which only matadors fit one of the two ends.
BLOCK_VALUE: Final = 0.5
# Value of a move after which only matadors fit both ends, if this player holds a matador.
FULL_BLOCK_VALUE: Final = 8.0
# Value of each own tile that fits an end after the move.
ANSWER_VALUE: Final = 0.2
# Cost of each tile that fits after the move and that the next player may hold.
OPEN_COST: Final = 1.6
# Value of drawing a tile, which the bot compares with the value of playing a matador.
DRAW_VALUE: Final = -20.0

# Value of playing the last tile, which exceeds every other value, so the tile is always played.
LAST_TILE_VALUE: Final = 1_000.0


class Keeper:
    """Bot that saves matadors (wild tiles), tiles with a blank, and tiles of two suits (numbers)
    that add up to the matching number, which touching halves must have in total.

    It uses blanks to block the ends of the train.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        table = RulesOfThumb(view)
        return max(chance.shuffled(legal_moves(view)), key=table.worth)


class RulesOfThumb:
    """Calculates the values of a player's moves by rules of thumb."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.fitting: FitMasks = fit_masks_of(view.rules)
        self.ends = self.fitting.states(view.ends)
        after = (view.seat or 0) + 1
        self.unseen = view.unseen & ~Memory(view).lacking[after % view.players]

    def worth(self, move: Move) -> float:
        if move.kind is MoveKind.DRAW:
            return DRAW_VALUE
        if move.tile is None:
            return DRAW_VALUE - 1 if self.view.can_draw else DRAW_VALUE + 1
        return self._of_tile(move.tile) + self._of_ends(move, move.tile)

    def _of_tile(self, tile: int) -> float:
        tiles = self.fitting.tiles
        halves = tiles.tiles[tile]
        worth = PIP_VALUE * sum(halves) * 6 / tiles.highest
        if tiles.is_matador(tile):
            worth -= MATADOR_VALUE
        if halves == (0, 0):
            return worth - DOUBLE_BLANK_VALUE
        return worth - (BLANK_VALUE if 0 in halves else 0)

    def _of_ends(self, move: Move, tile: int) -> float:
        left, right = self.fitting.ends_after(move, *self.ends)
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
