"""The bots against each other over duplicate deals: every deal is played from every seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import Final

from dominoes.bots.bot import Clock
from dominoes.bots.roster import BOTS
from dominoes.bots.strength import Played, Standing, share, standings
from dominoes.engine import PROFILES, Deal, Hand, Outcome, Rules
from fairness import Seed


def table(standings: Sequence[Standing], deals: Sequence[Sequence[Played]]) -> str:
    """A table in Markdown: rating, interval, points a hand, shares against each other bot."""
    bots = [standing.bot for standing in standings]
    head = ["bot", "rating", "95 %", "points a hand", *(f"against {bot}" for bot in bots)]
    lines = [head, ["---"] * len(head)]
    lines += [_line(standing, bots, deals) for standing in standings]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(standing: Standing, bots: Sequence[str], deals: Sequence[Sequence[Played]]) -> list[str]:
    rating = f"{standing.rating:.0f}"
    interval = f"{standing.low:.0f} to {standing.high:.0f}"
    shares = [_share(deals, standing.bot, other) for other in bots]
    return [standing.bot, rating, interval, f"{standing.points:+.1f}", *shares]


def _share(deals: Sequence[Sequence[Played]], bot: str, other: str) -> str:
    """How often one beats the other, in per cent, with half the width of the interval."""
    if bot == other:
        return ""
    found = share(deals, bot, other)
    return f"{100 * found.value:.1f} ± {50 * (found.high - found.low):.1f} %"


FOUR: Final = 4
SEATED_BY_FOUR: Final = ("block", "partners")
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
        return FOUR if self.profile in SEATED_BY_FOUR else 2

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
        return table(self.standings(deals), deals)
