"""Bots for Running with the Bulls (El Toro). A bot sees only what its seat may see (a `View`).

    >>> from eltoro.engine import PROFILES, Game
    >>> from fairness import Seed
    >>> seed = Seed(bytes(32))
    >>> game = Game.new(PROFILES["el-toro"], 4, seed)
    >>> move = BOTS["greedy"].choose(game.view(game.turn), seed.chance("bot/1"), budget_ms=100)
    >>> game.play(move)

If the caller passes a clock (`time.monotonic`), a bot thinks for at most `budget_ms` milliseconds.
Without a clock it does a fixed amount of work and always plays the same way.
"""

from eltoro.bots.ladder import BOTS, Ladder, PlayedGame, margin_of, share_of

__all__ = ["BOTS", "Ladder", "PlayedGame", "margin_of", "share_of"]
