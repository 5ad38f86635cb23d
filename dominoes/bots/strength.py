"""How strong bots are, from the hands they won: shares with intervals, and ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log10, sqrt
from typing import Final, NamedTuple

from fairness import Chance

Wins = Mapping[tuple[str, str], int]
"""How often one bot won a hand in which another sat."""

CENTRE: Final = 1500
SCALE: Final = 400
"""Rating points for winning ten times as often as losing."""
STEPS: Final = 200
RESAMPLES: Final = 400
NORMAL: Final = 1.96
"""Standard errors either way that hold 95 % of a normal distribution."""


class Played(NamedTuple):
    """One hand: which bot played for each side, the side that won, and the points by side.

    `winner` is `None` where the hand brought no points.
    """

    bots: tuple[str, ...]
    winner: int | None
    points: tuple[int, ...]


class Share(NamedTuple):
    """The share of the hands with points that a bot won, and its 95 % interval."""

    value: float
    low: float
    high: float
    hands: int


class Standing(NamedTuple):
    """A bot's rating and its 95 % interval; points a hand are its own less the others' mean."""

    bot: str
    rating: float
    low: float
    high: float
    points: float
    hands: int


def share(deals: Iterable[Sequence[Played]], bot: str, other: str) -> Share:
    """How often a bot beats another, over the hands that one of both won.

    The hands of one deal are no chances apart: the interval is taken over deals.
    """
    counts = [_counts(deal, bot, other) for deal in deals]
    won, hands = sum(count[0] for count in counts), sum(count[1] for count in counts)
    if not hands:
        return Share(0.5, 0.0, 1.0, 0)
    value = won / hands
    squares = sum((wins - value * total) ** 2 for wins, total in counts)
    width = NORMAL * sqrt(squares) / hands
    return Share(value, value - width, value + width, hands)


def _counts(deal: Sequence[Played], bot: str, other: str) -> tuple[int, int]:
    """Hands of a deal that one bot won, and that one of both won, with both at the table."""
    winners = [
        played.bots[played.winner]
        for played in deal
        if played.winner is not None and {bot, other} <= set(played.bots)
    ]
    return winners.count(bot), winners.count(bot) + winners.count(other)


def standings(
    deals: Sequence[Sequence[Played]], bots: Sequence[str], chance: Chance
) -> list[Standing]:
    """Every bot's rating, strongest first: Bradley and Terry's model of who beats whom.

    The mean of all bots is 1500; the intervals come from deals drawn anew, with repetition.
    """
    wins = [_wins(deal) for deal in deals]
    ratings = fitted(sum(wins, Counter()), bots)
    again = [fitted(_resampled(wins, chance), bots) for _ in range(RESAMPLES)]
    rows = [_standing(bot, ratings[bot], [one[bot] for one in again], deals) for bot in bots]
    return sorted(rows, key=lambda row: -row.rating)


def _standing(
    bot: str, rating: float, again: list[float], deals: Sequence[Sequence[Played]]
) -> Standing:
    again.sort()
    low, high = again[len(again) * 25 // 1000], again[-1 - len(again) * 25 // 1000]
    margins = [_margin(played, bot) for deal in deals for played in deal if bot in played.bots]
    return Standing(bot, rating, low, high, sum(margins) / len(margins), len(margins))


def _margin(played: Played, bot: str) -> float:
    """A bot's points less the mean of the others'."""
    own = played.points[played.bots.index(bot)]
    return own - (sum(played.points) - own) / (len(played.points) - 1)


def _wins(deal: Sequence[Played]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for played in deal:
        if played.winner is not None:
            best = played.bots[played.winner]
            found.update((best, other) for other in played.bots if other != best)
    return found


def _resampled(wins: Sequence[Counter[tuple[str, str]]], chance: Chance) -> Wins:
    """The wins of as many deals, drawn from these."""
    found: Counter[tuple[str, str]] = Counter()
    for _ in wins:
        found.update(chance.pick(wins))
    return found


def fitted(wins: Wins, bots: Sequence[str]) -> dict[str, float]:
    """Ratings under which these wins are likeliest, by the usual iteration.

    Half a win is added for every bot against every other, so that who never lost has one too.
    """
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(STEPS):
        strength = {bot: _stronger(bot, strength, wins) for bot in bots}
    mean = sum(map(log10, strength.values())) / len(bots)
    return {bot: CENTRE + SCALE * (log10(value) - mean) for bot, value in strength.items()}


def _stronger(bot: str, strength: Mapping[str, float], wins: Wins) -> float:
    """One step: the wins of a bot over those its strength would lead one to expect, times it."""
    won, met = 0.0, 0.0
    for other in strength:
        if other != bot:
            gained, lost = wins.get((bot, other), 0) + 0.5, wins.get((other, bot), 0) + 0.5
            won += gained
            met += (gained + lost) / (strength[bot] + strength[other])
    return won / met
