"""How strong bots are: how often one wins among others that are all alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final, NamedTuple

NORMAL: Final = 1.96
"""Standard errors either way that hold 95 % of a normal distribution."""


class Played(NamedTuple):
    """One game by seat: the bots, the share of the victory (Ruling E-9), the points."""

    bots: tuple[str, ...]
    shares: tuple[float, ...]
    points: tuple[int, ...]

    def is_of(self, bot: str, others: str) -> bool:
        """Whether one bot plays here alone, against others of one kind."""
        return self.bots.count(bot) == 1 and self.bots.count(others) == len(self.bots) - 1

    def victory(self, bot: str) -> float:
        """The bot's share of the victory, alone 1."""
        return self.shares[self.bots.index(bot)]

    def ahead(self, bot: str) -> float:
        """The bot's points less the mean of the others'."""
        own = self.points[self.bots.index(bot)]
        return own - (sum(self.points) - own) / (len(self.points) - 1)


class Share(NamedTuple):
    """A mean over games with its 95 % interval, and how many games they were."""

    value: float
    low: float
    high: float
    games: int


def share(deals: Iterable[Sequence[Played]], bot: str, others: str) -> Share:
    """How often a bot wins alone against others; a shared victory is a fraction of one."""
    found = _mean([[p.victory(bot) for p in deal if p.is_of(bot, others)] for deal in deals])
    return found._replace(low=max(found.low, 0.0), high=min(found.high, 1.0))


def margin(deals: Iterable[Sequence[Played]], bot: str, others: str) -> Share:
    """How many points a game a bot, alone against others, is ahead of their mean."""
    return _mean([[p.ahead(bot) for p in deal if p.is_of(bot, others)] for deal in deals])


def _mean(deals: Sequence[Sequence[float]]) -> Share:
    """The games of one deal, from every seat, are no chances apart: the interval is over deals."""
    deals = [deal for deal in deals if deal]
    games = sum(map(len, deals))
    if len(deals) < 2:
        return Share(sum(map(sum, deals)) / games if games else 0.0, 0.0, 1.0, games)
    value = sum(map(sum, deals)) / games
    squares = sum((sum(deal) - value * len(deal)) ** 2 for deal in deals)
    width = NORMAL * sqrt(squares * len(deals) / (len(deals) - 1)) / games
    return Share(value, value - width, value + width, games)
