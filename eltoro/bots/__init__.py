"""Bots for Running with the Bulls: they see a view and nothing else.

    >>> from eltoro.engine import PROFILES, Game
    >>> from fairness import Seed
    >>> seed = Seed(bytes(32))
    >>> game = Game.new(PROFILES["el-toro"], 4, seed)
    >>> move = BOTS["greedy"].choose(game.view(game.turn), seed.chance("bot/1"), budget_ms=100)
    >>> game.play(move)

With a clock (`time.monotonic`, handed in by the caller) a bot thinks `budget_ms` milliseconds at
most; without one it thinks a fixed amount, and plays the same way every time.
"""

from eltoro.bots.ladder import BOTS, Ladder, Played, margin_of, share_of

__all__ = ["BOTS", "Ladder", "Played", "margin_of", "share_of"]
