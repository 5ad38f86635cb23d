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

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dominoes.bots.bot import Bot, Clock
from dominoes.bots.keeper import Keeper
from dominoes.bots.maestro import Maestro
from dominoes.bots.novices import Greedy, Random

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"random": Random(), "greedy": Greedy(), "keeper": Keeper(), "maestro": Maestro()}
)
"""The bots by name, weakest first."""

__all__ = ["BOTS", "Bot", "Clock"]
