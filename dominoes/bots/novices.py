"""The two simplest bots: one that plays anything, one that gets rid of pips."""

from __future__ import annotations

from typing import Final

from dominoes.bots.bot import Clock, legal
from dominoes.bots.fitting import fitting_of
from dominoes.engine import Kind, Move, View, domino_set
from fairness import Chance

WAITING: Final = {Kind.DRAW: -2_000, Kind.PASS: -3_000}
"""Below every tile, matadors too: who sheds pips draws none while something fits."""
KEPT: Final = 1_000
"""More than the pips of any tile: a matador goes only where nothing else does."""


class Random:
    """Plays any legal move, each as likely."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """Any legal move; it takes no time."""
        return chance.pick(legal(view))


class Greedy:
    """Sheds the heaviest tile and keeps matadors until nothing else fits.

    It does not draw while it can play. Of moves as heavy it takes the one that leaves the train
    open to most of its own tiles.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The move that sheds most; it takes no time."""
        moves = chance.shuffled(legal(view))
        return max(moves, key=lambda move: (_shed(view, move), _follow(view, move)))


def _shed(view: View, move: Move) -> int:
    """The pips of a move's tile, those of matadors counting last."""
    if move.tile is None:
        return WAITING[move.kind]
    tiles = domino_set(view.rules.highest)
    return sum(tiles.tiles[move.tile]) - KEPT * tiles.is_matador(move.tile)


def _follow(view: View, move: Move) -> int:
    """How many of the own tiles fit after a move, matadors aside."""
    if move.tile is None:
        return 0
    fitting = fitting_of(view.rules)
    left, right = fitting.after(move, *fitting.states(view.ends))
    return (view.held & ~(1 << move.tile) & fitting.pairs[left][right]).bit_count()
