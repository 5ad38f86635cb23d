"""All dominoes bots by name, and their strength ratings by the Bradley-Terry model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log10, sqrt
from types import MappingProxyType
from typing import Final, NamedTuple

from dominoes.bots.maestro import Maestro
from dominoes.bots.simple_bots import Greedy, Keeper, Random
from dominoes.engine import PROFILES, Hand, Move, Rules, View
from fairness import Chance, Seed
from leagues.bots import NORMAL, Bot, BotLadder, ShareEstimate, markdown_table, points_ahead

# Number of hands won, by pair of bots: the winner and the loser.
Wins = Mapping[tuple[str, str], int]

CENTRE: Final = 1500
# Rating difference between two bots of which the stronger bot wins ten times as often as it loses.
SCALE: Final = 400
STEPS: Final = 200
RESAMPLES: Final = 400


class PlayedHand(NamedTuple):
    """One hand played between bots: the bot and the points of each side, and the winning side.

    `winner` is the number of the side, or `None` if the hand brought no points.
    """

    bots: tuple[str, ...]
    winner: int | None
    points: tuple[int, ...]


class BotRating(NamedTuple):
    """A bot's rating with its 95 % confidence interval.

    `points` is the bot's mean lead over the others in points per hand.
    """

    bot: str
    rating: float
    low: float
    high: float
    points: float
    hands: int


def share_of(deals: Iterable[Sequence[PlayedHand]], bot: str, other: str) -> ShareEstimate:
    """Return the share of hands that `bot` won against `other`, with its confidence interval.

    Only hands that one of the two won with points are counted. Hands of the same deal are not
    independent, so the interval is calculated from whole deals.
    """
    counts = [_counts(deal, bot, other) for deal in deals]
    won, hands = sum(count[0] for count in counts), sum(count[1] for count in counts)
    if not hands:
        return ShareEstimate(0.5, 0.0, 1.0, 0)
    value = won / hands
    squares = sum((wins - value * total) ** 2 for wins, total in counts)
    width = NORMAL * sqrt(squares) / hands
    return ShareEstimate(value, value - width, value + width, hands)


def _counts(deal: Sequence[PlayedHand], bot: str, other: str) -> tuple[int, int]:
    """Count the hands of a deal that `bot` won, and those that `bot` or `other` won.

    Only hands in which both bots played are counted.
    """
    winners = [
        played.bots[played.winner]
        for played in deal
        if played.winner is not None and {bot, other} <= set(played.bots)
    ]
    return winners.count(bot), winners.count(bot) + winners.count(other)


def standings(
    deals: Sequence[Sequence[PlayedHand]], bots: Sequence[str], chance: Chance
) -> list[BotRating]:
    """Return the bots' ratings, strongest first, by the Bradley-Terry model.

    The mean rating is 1500. The confidence intervals are calculated by bootstrapping the deals.
    """
    wins = [_count_wins(deal) for deal in deals]
    ratings = fit_ratings(sum(wins, Counter()), bots)
    again = [fit_ratings(_resample(wins, chance), bots) for _ in range(RESAMPLES)]
    rows = [_standing(bot, ratings[bot], [rating[bot] for rating in again], deals) for bot in bots]
    return sorted(rows, key=lambda row: -row.rating)


def _standing(
    bot: str, rating: float, again: list[float], deals: Sequence[Sequence[PlayedHand]]
) -> BotRating:
    again.sort()
    low, high = again[len(again) * 25 // 1000], again[-1 - len(again) * 25 // 1000]
    margins = [
        points_ahead(played.points, played.bots.index(bot))
        for deal in deals
        for played in deal
        if bot in played.bots
    ]
    return BotRating(bot, rating, low, high, sum(margins) / len(margins), len(margins))


def _count_wins(deal: Sequence[PlayedHand]) -> Counter[tuple[str, str]]:
    counter: Counter[tuple[str, str]] = Counter()
    for played in deal:
        if played.winner is not None:
            best = played.bots[played.winner]
            counter.update((best, other) for other in played.bots if other != best)
    return counter


def _resample(wins: Sequence[Counter[tuple[str, str]]], chance: Chance) -> Wins:
    counter: Counter[tuple[str, str]] = Counter()
    for _ in wins:
        counter.update(chance.pick(wins))
    return counter


def fit_ratings(wins: Wins, bots: Sequence[str]) -> dict[str, float]:
    """Return maximum-likelihood ratings of the bots, calculated by iteration.

    Half a win is added for every bot against every other bot, because an undefeated bot would
    otherwise have no finite rating.
    """
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(STEPS):
        strength = {bot: _improved_rating(bot, strength, wins) for bot in bots}
    mean = sum(map(log10, strength.values())) / len(bots)
    return {bot: CENTRE + SCALE * (log10(value) - mean) for bot, value in strength.items()}


def _improved_rating(bot: str, strength: Mapping[str, float], wins: Wins) -> float:
    """Return a bot's next estimate in the iteration: its strength times actual over
    expected wins.
    """
    won, met = 0.0, 0.0
    for other in strength:
        if other != bot:
            gained, lost = wins.get((bot, other), 0) + 0.5, wins.get((other, bot), 0) + 0.5
            won += gained
            met += (gained + lost) / (strength[bot] + strength[other])
    return won / met


BOTS: Final[Mapping[str, Bot[View, Move]]] = MappingProxyType(
    {"random": Random(), "greedy": Greedy(), "keeper": Keeper(), "maestro": Maestro()}
)


def results_table(standings: Sequence[BotRating], deals: Sequence[Sequence[PlayedHand]]) -> str:
    names = [standing.bot for standing in standings]
    heading = ["bot", "rating", "95 %", "points a hand", *(f"against {name}" for name in names)]
    return markdown_table(heading, [_table_row(standing, names, deals) for standing in standings])


def _table_row(
    standing: BotRating, names: Sequence[str], deals: Sequence[Sequence[PlayedHand]]
) -> list[str]:
    rating = f"{standing.rating:.0f}"
    interval = f"{standing.low:.0f} to {standing.high:.0f}"
    shares = [_share_cell(deals, standing.bot, other) for other in names]
    return [standing.bot, rating, interval, f"{standing.points:+.1f}", *shares]


def _share_cell(deals: Sequence[Sequence[PlayedHand]], bot: str, other: str) -> str:
    """Return a table cell such as `61.2 ± 1.5 %`: the share of wins and its margin of error."""
    if bot == other:
        return ""
    share = share_of(deals, bot, other)
    return f"{100 * share.value:.1f} ± {50 * (share.high - share.low):.1f} %"


FOUR_PLAYERS: Final = 4
# Rule profiles that bots play with four players. Bots play all other profiles with two.
FOUR_PLAYER_PROFILES: Final = ("block", "partners")


@dataclass(frozen=True, kw_only=True)
class Ladder(BotLadder[PlayedHand]):
    """Comparison of the dominoes bots.

    If four players play individually, all four bots play at one table. Otherwise every pair of bots
    plays against each other as the two sides.
    """

    bots: tuple[str, ...] = tuple(BOTS)

    @property
    def rules(self) -> Rules:
        return PROFILES[self.profile]

    @property
    def players(self) -> int:
        return FOUR_PLAYERS if self.profile in FOUR_PLAYER_PROFILES else 2

    def seatings(self) -> Iterable[tuple[str, ...]]:
        sides = len(self.rules.sides(self.players))
        tables = [self.bots] if sides == len(self.bots) else combinations(self.bots, sides)
        for bots in tables:
            yield from (tuple(bots[turn:] + bots[:turn]) for turn in range(sides))

    def play_table(self, bots: tuple[str, ...], seed: Seed) -> PlayedHand:
        hand = Hand.deal(self.rules, self.players, seed.chance("hand/1"))
        names = self.rules.by_seat(self.players, bots)
        self.play_out(hand, [BOTS[name] for name in names], seed)
        outcome = hand.outcome
        assert outcome is not None
        return PlayedHand(bots, outcome.winner if any(outcome.points) else None, outcome.points)

    def standings(self, deals: Sequence[Sequence[PlayedHand]]) -> list[BotRating]:
        return standings(deals, self.bots, Seed(bytes(32)).chance("resample"))

    def table(self, deals: Sequence[Sequence[PlayedHand]]) -> str:
        return results_table(self.standings(deals), deals)
