"""Bots for Matador dominoes: they see a view and nothing else.

    >>> from dominoes.engine import Hand, PROFILES
    >>> from fairness import Seed
    >>> seed = Seed(bytes(32))
    >>> hand = Hand.deal(PROFILES["rulebook"], 2, seed.chance("hand/1"))
    >>> move = BOTS["greedy"].choose(hand.view(hand.turn), seed.chance("bot/1"), budget_ms=100)
    >>> hand.play(move)

With a clock (`time.monotonic`, handed in by the caller) a bot thinks `budget_ms` milliseconds;
without one it thinks a fixed amount, and plays the same way every time.
"""

from dominoes.bots.ladder import BOTS, Ladder, Played, Standing, share_of

__all__ = ["BOTS", "Ladder", "Played", "Standing", "share_of"]
