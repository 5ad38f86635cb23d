"""All bots by name, and their ratings: every deal is played from every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from math import log10, sqrt
from types import MappingProxyType
from typing import Final, NamedTuple

from dominoes.bots.bot import Bot, Clock
from dominoes.bots.maestro import Maestro
from dominoes.bots.simple_bots import Greedy, Keeper, Random
from dominoes.engine import PROFILES, Deal, Hand, Outcome, Rules
from fairness import Chance, Seed

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


def share_of(deals: Iterable[Sequence[Played]], bot: str, other: str) -> Share:
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
    ratings = fit_ratings(sum(wins, Counter()), bots)
    again = [fit_ratings(_resample(wins, chance), bots) for _ in range(RESAMPLES)]
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


def _resample(wins: Sequence[Counter[tuple[str, str]]], chance: Chance) -> Wins:
    """The wins of as many deals, drawn from these."""
    found: Counter[tuple[str, str]] = Counter()
    for _ in wins:
        found.update(chance.pick(wins))
    return found


def fit_ratings(wins: Wins, bots: Sequence[str]) -> dict[str, float]:
    """Ratings under which these wins are likeliest, by the usual iteration.

    Half a win is added for every bot against every other, so that who never lost has one too.
    """
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(STEPS):
        strength = {bot: _improved_rating(bot, strength, wins) for bot in bots}
    mean = sum(map(log10, strength.values())) / len(bots)
    return {bot: CENTRE + SCALE * (log10(value) - mean) for bot, value in strength.items()}


def _improved_rating(bot: str, strength: Mapping[str, float], wins: Wins) -> float:
    """One step: the wins of a bot over those its strength would lead one to expect, times it."""
    won, met = 0.0, 0.0
    for other in strength:
        if other != bot:
            gained, lost = wins.get((bot, other), 0) + 0.5, wins.get((other, bot), 0) + 0.5
            won += gained
            met += (gained + lost) / (strength[bot] + strength[other])
    return won / met


BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"random": Random(), "greedy": Greedy(), "keeper": Keeper(), "maestro": Maestro()}
)


def results_table(standings: Sequence[Standing], deals: Sequence[Sequence[Played]]) -> str:
    """A table in Markdown: rating, interval, points a hand, shares against each other bot."""
    bots = [standing.bot for standing in standings]
    head = ["bot", "rating", "95 %", "points a hand", *(f"against {bot}" for bot in bots)]
    lines = [head, ["---"] * len(head)]
    lines += [_table_row(standing, bots, deals) for standing in standings]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _table_row(
    standing: Standing, bots: Sequence[str], deals: Sequence[Sequence[Played]]
) -> list[str]:
    rating = f"{standing.rating:.0f}"
    interval = f"{standing.low:.0f} to {standing.high:.0f}"
    shares = [_share_cell(deals, standing.bot, other) for other in bots]
    return [standing.bot, rating, interval, f"{standing.points:+.1f}", *shares]


def _share_cell(deals: Sequence[Sequence[Played]], bot: str, other: str) -> str:
    """How often one beats the other, in per cent, with half the width of the interval."""
    if bot == other:
        return ""
    found = share_of(deals, bot, other)
    return f"{100 * found.value:.1f} ± {50 * (found.high - found.low):.1f} %"


FOUR_PLAYERS: Final = 4
FOUR_PLAYER_PROFILES: Final = ("block", "partners")
"""Profiles that are played by four; the others by two."""


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """One run: a profile, bots that meet, what they may think, and the words it is dealt from.

    With four players who play for themselves all four bots sit at one table; else any two meet,
    as the two sides. `clock` measures the budget; `time.process_time` does so fairly on a busy
    machine. Frozen, and as good in another process.
    """

    profile: str
    budget_ms: int = 100
    seed: str = "ladder"
    clock: Clock | None = None
    bots: tuple[str, ...] = tuple(BOTS)

    @property
    def rules(self) -> Rules:
        """The rule set of the profile."""
        return PROFILES[self.profile]

    @property
    def players(self) -> int:
        """How many sit at a table."""
        return FOUR_PLAYERS if self.profile in FOUR_PLAYER_PROFILES else 2

    def play(self, number: int) -> tuple[Played, ...]:
        """Deal number so-and-so, from 0, with every bot in every seat."""
        seed = Seed(sha256(f"{self.seed}/{self.profile}/{number}".encode()).digest())
        dealt = Hand.deal(self.rules, self.players, seed.chance("hand/1")).dealt
        return tuple(self._hand(dealt, bots, seed) for bots in self._seatings())

    def _seatings(self) -> Iterable[tuple[str, ...]]:
        """The bot of each side, in every order that counts."""
        sides = len(self.rules.sides(self.players))
        tables = [self.bots] if sides == len(self.bots) else combinations(self.bots, sides)
        for bots in tables:
            yield from (tuple(bots[turn:] + bots[:turn]) for turn in range(sides))

    def _hand(self, dealt: Deal, bots: tuple[str, ...], seed: Seed) -> Played:
        """One hand of a deal."""
        outcome = self._outcome(dealt, self.rules.by_seat(self.players, bots), seed)
        winner = outcome.winner if any(outcome.points) else None
        return Played(bots, winner, outcome.points)

    def _outcome(self, dealt: Deal, names: Sequence[str], seed: Seed) -> Outcome:
        hand = Hand(self.rules, dealt)
        chances = [seed.chance(f"bot/{seat}") for seat in range(self.players)]
        while hand.turn is not None:
            seat, bot = hand.turn, BOTS[names[hand.turn]]
            view = hand.view(seat)
            hand.play(bot.choose(view, chances[seat], self.budget_ms, self.clock), seat)
        assert hand.outcome is not None
        return hand.outcome

    def standings(self, deals: Sequence[Sequence[Played]]) -> list[Standing]:
        """Ratings from what `play` brought, the strongest first."""
        return standings(deals, self.bots, Seed(bytes(32)).chance("resample"))

    def table(self, deals: Sequence[Sequence[Played]]) -> str:
        """The standings and who beat whom, as a table to be printed or kept."""
        return results_table(self.standings(deals), deals)
