"""The protocol of bots: players that get a view and return a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from eltoro.engine import Ask, Move, View
from fairness import Chance

Clock = Callable[[], float]
# Returns seconds. Only differences count. Passed in by the caller.


class Bot(Protocol):
    """A player that knows only its view."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """Return a legal move. Raises `ValueError` if it is not that seat's turn.

        `chance` decides between equal moves and guesses. `budget_ms` is the time to think in
        milliseconds by `clock`. Without a clock the bot does about the work of an average
        machine in that time, and always plays the same way.
        """


def asked_for(view: View) -> Ask:
    """Return the decision awaited. Raises `ValueError` if there is none."""
    if view.seat is None or view.ask is None or view.turn != view.seat:
        raise ValueError("It is not this seat's turn.")
    return view.ask
