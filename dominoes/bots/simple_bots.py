"""The simple bots: random, greedy, and one with rules of thumb."""

from __future__ import annotations

from typing import Final

from dominoes.bots.fit_masks import FitMasks, fit_masks_of
from dominoes.bots.memory import Memory
from dominoes.engine import Kind, Move, View, domino_set
from fairness import Chance
from leagues.bots import Clock

# Below every tile, even matadors: a bot that sheds pips never draws while it can play.
WAITING_VALUES: Final = {Kind.DRAW: -2_000, Kind.PASS: -3_000}
# More than the pips of any tile, so matadors go last.
GREEDY_MATADOR_VALUE: Final = 1_000


def legal_moves(view: View) -> tuple[Move, ...]:
    """Return the legal moves. Raises `ValueError` if there are none."""
    if not view.legal:
        raise ValueError("It is not this seat's turn.")
    return view.legal


class Random:
    """Plays a uniformly random legal move."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        return chance.pick(legal_moves(view))


class Greedy:
    """Sheds the heaviest tile and keeps matadors until nothing else fits.

    It does not draw while it can play. Among equal tiles it leaves the train open to most of
    its own.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        moves = chance.shuffled(legal_moves(view))
        return max(moves, key=lambda move: (_pips_shed(view, move), _tiles_that_fit(view, move)))


def _pips_shed(view: View, move: Move) -> int:
    """Return the pips of a move's tile. Matadors count least."""
    if move.tile is None:
        return WAITING_VALUES[move.kind]
    tiles = domino_set(view.rules.highest)
    return sum(tiles.tiles[move.tile]) - GREEDY_MATADOR_VALUE * tiles.is_matador(move.tile)


def _tiles_that_fit(view: View, move: Move) -> int:
    if move.tile is None:
        return 0
    fitting = fit_masks_of(view.rules)
    left, right = fitting.after(move, *fitting.states(view.ends))
    return (view.held & ~(1 << move.tile) & fitting.pairs[left][right]).bit_count()


# Value of each pip discarded, in a double-six set. All other values are relative to it.
PIP_VALUE: Final = 1.0
# A matador is held until it is needed ...
MATADOR_VALUE: Final = 14.0
# ... the 0-0 longer, and blanks, which force others to use matadors, a little ...
DOUBLE_BLANK_VALUE: Final = 2.0
BLANK_VALUE: Final = 0.3
# ... until a blank can close an end ...
BLOCK_VALUE: Final = 0.5
# ... or both, while only this player can continue with a matador.
FULL_BLOCK_VALUE: Final = 8.0
# Per own tile that will fit the ends: two strong suits that add up to N.
ANSWER_VALUE: Final = 0.2
# Per tile that fits the ends and that the next player may hold.
OPEN_COST: Final = 1.6
# Drawing, as against giving a matador away.
DRAW_VALUE: Final = -20.0

# The last tile is played whatever it opens.
LAST_TILE_VALUE: Final = 1_000.0


class Keeper:
    """Keeps two suits that add up to N, blanks and matadors, and blocks with blanks."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        table = RulesOfThumb(view)
        return max(chance.shuffled(legal_moves(view)), key=table.worth)


class RulesOfThumb:
    """Rules of thumb applied to a view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.fitting: FitMasks = fit_masks_of(view.rules)
        self.ends = self.fitting.states(view.ends)
        after = (view.seat or 0) + 1
        self.unseen = view.unseen & ~Memory(view).lacking[after % view.players]

    def worth(self, move: Move) -> float:
        if move.kind is Kind.DRAW:
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
