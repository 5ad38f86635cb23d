"""The strongest bot: it plays the rest of the day in its head, after every card it might play."""

from __future__ import annotations

from typing import Final

from eltoro.bots.bot import Clock, asked
from eltoro.bots.morning import start
from eltoro.bots.outlook import Outlook
from eltoro.bots.race import Race, best_of, in_the_running
from eltoro.bots.tomorrow import worth_of
from eltoro.bots.worth import unwanted
from eltoro.engine import Ask, Move, View
from fairness import Chance

AFTERNOONS_A_MILLISECOND: Final = 16
"""How much is thought without a clock."""
ENOUGH: Final = 400
"""Afternoons after which moves still level are taken to be as good as each other."""
HEAT: Final = 24
"""Afternoons between two looks at who is behind."""


class Lookout:
    """Compares cards and targets over the same imagined afternoons (Monte Carlo).

    In each the own dice roll as they may, and the own cards are played in a hurry at every step;
    the others' are not. What counts is what the runners bring, tomorrow counted in, and what the
    card does to others. A move clearly behind is dropped.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The card and targets that bring most over as many afternoons as the budget allows."""
        ask = asked(view)
        budget = Budget(budget_ms, clock)
        if ask is Ask.DISCARD:
            return Move.discard(*unwanted(view.rules, view.players, view.hand))
        outlook = Outlook(view, worth_of(view))
        if ask is Ask.START:
            return start(outlook)
        return _raced(outlook, chance, budget)


def _raced(outlook: Outlook, chance: Chance, budget: Budget) -> Move:
    race = Race(outlook, chance)
    running = race.candidates()
    while len(running) > 1 and len(running[0].values) < ENOUGH and budget.lasts(len(running)):
        race.run(running)
        if not len(running[0].values) % HEAT:
            running = in_the_running(running)
    best = best_of(running)
    return Move.play(outlook.view.rules.cards[best.card].key, *best.aim.targets)


class Budget:
    """How long a bot may go on: by the clock, or without one by a number of afternoons."""

    def __init__(self, budget_ms: int, clock: Clock | None) -> None:
        self._clock = clock
        self._until = clock() + budget_ms / 1000 if clock else 0.0
        self._left = budget_ms * AFTERNOONS_A_MILLISECOND

    def lasts(self, afternoons: int) -> bool:
        """Whether there is some left, for so many afternoons more."""
        if self._clock:
            return self._clock() < self._until
        self._left -= afternoons
        return self._left >= 0
