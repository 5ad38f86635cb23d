"""The bots against each other in duplicate: the same seed is played from every seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations

from eltoro.bots.bot import Clock
from eltoro.bots.roster import BOTS
from eltoro.bots.strength import Played, Share, margin, share
from eltoro.engine import PROFILES, Game, Rules
from fairness import Seed

HEAD = ("alone", "against", "games", "victories", "95 %", "points ahead", "95 %")


def table(pairs: Iterable[tuple[str, str]], deals: Sequence[Sequence[Played]]) -> str:
    """A table in Markdown: a line a pair, with how often the one wins and by how many points."""
    lines = [HEAD, ("---",) * len(HEAD), *(_line(*pair, deals) for pair in pairs)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(bot: str, others: str, deals: Sequence[Sequence[Played]]) -> tuple[str, ...]:
    won, ahead = share(deals, bot, others), margin(deals, bot, others)
    victories = (f"{100 * won.value:.1f} %", _interval(won, 100))
    return bot, others, str(won.games), *victories, f"{ahead.value:+.1f}", _interval(ahead, 1)


def _interval(found: Share, scale: int) -> str:
    return f"{scale * found.low:.1f} to {scale * found.high:.1f}"


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """One run: a profile, bots that meet, what they may think, and the words it is seeded by.

    Of any two, the stronger plays alone against a table of the weaker one, from every seat in
    turn. `bots`: weakest first. `clock` measures the budget; `time.process_time` does so fairly
    on a busy machine. Frozen, and as good in another process.
    """

    profile: str
    budget_ms: int = 100
    seed: str = "ladder"
    clock: Clock | None = None
    bots: tuple[str, ...] = tuple(BOTS)
    players: int = 4

    @property
    def rules(self) -> Rules:
        """The rule set of the profile."""
        return PROFILES[self.profile]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Who plays alone, and against whom."""
        return tuple((bot, others) for others, bot in combinations(self.bots, 2))

    def play(self, number: int) -> tuple[Played, ...]:
        """Deal number so-and-so, from 0, with every bot in every seat."""
        seed = Seed(sha256(f"{self.seed}/{self.profile}/{number}".encode()).digest())
        tables = (
            (others,) * seat + (bot,) + (others,) * (self.players - 1 - seat)
            for bot, others in self.pairs
            for seat in range(self.players)
        )
        return tuple(self._game(bots, seed) for bots in tables)

    def _game(self, bots: tuple[str, ...], seed: Seed) -> Played:
        """One game."""
        game = Game.new(self.rules, self.players, seed)
        chances = [seed.chance(f"bot/{seat}") for seat in range(self.players)]
        while game.turn is not None:
            seat = game.turn
            bot, view = BOTS[bots[seat]], game.view(seat)
            game.play(bot.choose(view, chances[seat], self.budget_ms, self.clock), seat)
        winners = game.places.count(1)
        shares = tuple(1 / winners if place == 1 else 0.0 for place in game.places)
        return Played(bots, shares, tuple(game.points))

    def table(self, deals: Sequence[Sequence[Played]]) -> str:
        """How often each wins alone against the weaker, as a table to be printed or kept."""
        return table(self.pairs, deals)
