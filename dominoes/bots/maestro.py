"""The strongest bot: it deals out what the others may hold, and plays every move on from there."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from dominoes.bots.bot import Clock, legal
from dominoes.bots.deals import consistent_deals
from dominoes.bots.memory import Memory
from dominoes.bots.options import Option, options, passes
from dominoes.bots.playout import Leaning, Player, Position
from dominoes.bots.stakes import Stakes
from dominoes.engine import Move, View, domino_set
from fairness import Chance

DOUBLE_SIX: Final = 28
"""Tiles of the set by which playouts are reckoned."""
PLAYOUTS_A_MILLISECOND: Final = 20
"""How much is thought without a clock, with a double-six set; less with a larger one."""
MEMORIES: Final = 8
"""How many ways in which the tiles played may have left the others' hands are remembered."""
HEAT: Final = 32
"""Deals between two looks at who is behind."""
BEHIND: Final = 3.0
"""A move is dropped when it is behind by so many standard errors."""
DOUBTING: Final = (True, True, True, False)
"""How often what is unlikely, but not excluded, is left out of the deals."""


@dataclass(slots=True)
class Runner:
    """A move in the race, and what it brought in each of the same deals."""

    option: Option
    values: list[float]


class Maestro:
    """Compares all legal moves over the same imagined deals (information-set Monte Carlo).

    The deals agree with everything played, drawn and passed; each is played to its end by a quick
    player for every seat. What counts is the points of the hand and who wins it. A move clearly
    behind is dropped, so that time goes to those that are close.
    """

    def __init__(self, leaning: Leaning | None = None) -> None:
        self._leaning = leaning or Leaning()

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The move that brings most over as many deals as the budget allows."""
        legal(view)
        runners = [Runner(option, []) for option in options(view)]
        if len(runners) == 1:
            return runners[0].option.move
        budget = Budget(view, budget_ms, clock)
        race = Race(view, chance, self._leaning)
        while len(runners) > 1 and budget.lasts(len(runners)):
            race.run(runners)
            if not len(runners[0].values) % HEAT:
                runners = in_the_running(runners)
        return best_of(runners).option.move


class Budget:
    """How long a bot may go on: by the clock, or without one by a number of playouts."""

    def __init__(self, view: View, budget_ms: int, clock: Clock | None) -> None:
        self._clock = clock
        self._until = clock() + budget_ms / 1000 if clock else 0.0
        size = len(domino_set(view.rules.highest))
        self._left = budget_ms * PLAYOUTS_A_MILLISECOND * DOUBLE_SIX // size

    def lasts(self, playouts: int) -> bool:
        """Whether there is some left, for so many playouts more."""
        if self._clock:
            return self._clock() < self._until
        self._left -= playouts
        return self._left >= 0


class Race:
    """The deals over which the moves of one decision are compared."""

    def __init__(self, view: View, chance: Chance, leaning: Leaning) -> None:
        self.player = Player(view.rules, view.players, leaning)
        self.stakes = Stakes(view)
        self.lacking = Memory(view).lacking
        self.deals = consistent_deals(view, chance, MEMORIES)
        self.passes, self.played = passes(view), view.played
        self.ends = self.player.fitting.states(view.ends)
        self.seat, self.dealt = view.turn or 0, 0

    def run(self, runners: list[Runner]) -> None:
        """One more deal, played out after every move that is still in the race."""
        start = self._position()
        for runner in runners:
            at = start.copy()
            if runner.option.play(at, self.player.needed(at)):
                self.player.play_out(at)
            runner.values.append(self.stakes.value(at.hands))

    def _position(self) -> Position:
        deals = self.deals[self.dealt % len(self.deals)]
        doubting = DOUBTING[self.dealt // len(self.deals) % len(DOUBTING)]
        self.dealt += 1
        hands, boneyard = deals.deal(doubting=doubting)
        left, right = self.ends
        passes, played = self.passes, self.played
        return Position(hands, boneyard, left, right, self.seat, passes, played, self.lacking)


def best_of(runners: list[Runner]) -> Runner:
    """The move that has brought most so far; the first of those that are level."""
    return max(runners, key=lambda runner: sum(runner.values))


def in_the_running(runners: list[Runner]) -> list[Runner]:
    """The moves that are not clearly behind the best."""
    best = best_of(runners).values
    return [runner for runner in runners if not _behind(runner.values, best)]


def _behind(values: list[float], best: list[float]) -> bool:
    """Whether the gap to the best, over the same deals, is more than chance."""
    gaps = [one - other for one, other in zip(best, values, strict=True)]
    total, count = sum(gaps), len(gaps)
    spread = sum(gap * gap for gap in gaps) - total * total / count
    return total > BEHIND * sqrt(max(spread, 0.0) * count / (count - 1)) and total > 0
