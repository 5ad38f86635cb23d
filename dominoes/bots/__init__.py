"""Bots for Matador dominoes. A bot sees only what its seat may see (a `View`).

    >>> from dominoes.engine import Hand, PROFILES
    >>> from fairness import Seed
    >>> seed = Seed(bytes(32))
    >>> hand = Hand.deal(PROFILES["rulebook"], 2, seed.chance("hand/1"))
    >>> move = BOTS["greedy"].choose(hand.view(hand.turn), seed.chance("bot/1"), budget_ms=100)
    >>> hand.play(move)

If the caller passes a clock (`time.monotonic`), a bot thinks for `budget_ms` milliseconds.
Without a clock it does a fixed amount of work and always plays the same way.
"""

from dominoes.bots.ladder import BOTS, BotRating, Ladder, PlayedHand, share_of

__all__ = ["BOTS", "BotRating", "Ladder", "PlayedHand", "share_of"]
