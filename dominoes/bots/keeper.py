"""A bot that plays by the rules of thumb of the rulebook's chapter on strategy."""

from __future__ import annotations

from typing import Final

from dominoes.bots.bot import Clock, legal
from dominoes.bots.fitting import Fitting, fitting_of
from dominoes.bots.memory import Memory
from dominoes.engine import Kind, Move, View
from fairness import Chance

PIPS: Final = 1.0
"""What a pip got rid of is worth, in a double-six set; all else is measured by it."""
MATADOR: Final = 14.0
"""A matador is held until it is wanted ..."""
BLANKS: Final = 2.0
"""... the 0-0 longer, and blanks, which force matadors out of others, a little ..."""
BLANK: Final = 0.3
BLOCK: Final = 0.5
"""... until a blank can close an end ..."""
BLOCKED: Final = 8.0
"""... or both, while one holds a matador and is the only one to play on."""
ANSWER: Final = 0.2
"""Two strong suits that add up to N: each own tile that will fit the ends is worth so much."""
OPEN: Final = 1.6
"""Each tile that fits the ends and that the next player may hold costs so much."""
DRAW: Final = -20.0
"""To draw rather than to give a matador away, for what it leaves open."""

OUT: Final = 1_000.0
"""The last tile goes, whatever it opens."""


class Keeper:
    """Keeps two suits that add up to N, blanks and matadors, and blocks with blanks."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The move that its rules of thumb like best; it takes no time."""
        table = Thumb(view)
        return max(chance.shuffled(legal(view)), key=table.worth)


class Thumb:
    """The rules of thumb, applied to one view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.fitting: Fitting = fitting_of(view.rules)
        self.ends = self.fitting.states(view.ends)
        after = (view.seat or 0) + 1
        self.unseen = view.unseen & ~Memory(view).lacking[after % view.players]

    def worth(self, move: Move) -> float:
        """How good a move looks."""
        if move.kind is Kind.DRAW:
            return DRAW
        if move.tile is None:
            return DRAW - 1 if self.view.can_draw else DRAW + 1
        return self._of_tile(move.tile) + self._of_ends(move, move.tile)

    def _of_tile(self, tile: int) -> float:
        """Pips got rid of, less what the tile would be good for later."""
        tiles = self.fitting.tiles
        halves = tiles.tiles[tile]
        worth = PIPS * sum(halves) * 6 / tiles.highest
        if tiles.is_matador(tile):
            worth -= MATADOR
        if halves == (0, 0):
            return worth - BLANKS
        return worth - (BLANK if 0 in halves else 0)

    def _of_ends(self, move: Move, tile: int) -> float:
        """What the ends offer then, to oneself and to others."""
        left, right = self.fitting.after(move, *self.ends)
        fits = self.fitting.pairs[left][right]
        rest = self.view.held & ~(1 << tile)
        if not rest:
            return OUT
        worth = ANSWER * (rest & fits).bit_count()
        worth -= OPEN * (self.unseen & fits).bit_count() * 28 / len(self.fitting.tiles)
        closed = (not self.fitting.plain[left]) + (not self.fitting.plain[right])
        if closed == 2 and rest & self.fitting.matadors:
            return worth + BLOCKED
        return worth + (BLOCK if closed == 1 else 0)
