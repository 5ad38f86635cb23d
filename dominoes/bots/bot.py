"""What a bot is: a player that is shown a view, and answers with a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dominoes.engine import Move, View
from fairness import Chance

Clock = Callable[[], float]
"""Seconds that have passed since some moment; only differences count. Handed in by the caller."""


class Bot(Protocol):
    """A player that knows what is in its view, and nothing else."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """One of the legal moves of the view; `ValueError` where it is not that seat's turn.

        `chance` decides where the bot is indifferent or has to guess. `budget_ms`: milliseconds
        it may think, by `clock`; without a clock it thinks about as much as a middling machine
        does in that time, and always plays the same way.
        """


def legal_moves(view: View) -> tuple[Move, ...]:
    """The moves to choose from; `ValueError` where there are none."""
    if not view.legal:
        raise ValueError("It is not this seat's turn.")
    return view.legal
