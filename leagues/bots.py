"""Bots: their protocol, and the ladder in which those of a game meet.

Rules know nothing of leagues, but bots may use this module, which imports nothing but chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from fairness import Chance, Seed

# Returns seconds. Only differences count. Passed in by the caller.
Clock = Callable[[], float]

V_contra = TypeVar("V_contra", contravariant=True)
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)
M_contra = TypeVar("M_contra", contravariant=True)
P = TypeVar("P")


class Bot(Protocol[V_contra, M_co]):
    """A player that knows only the view of its seat."""

    def choose(
        self, view: V_contra, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> M_co:
        """Return a legal move. Raises `ValueError` if it is not that seat's turn.

        `chance` decides between equal moves and guesses. `budget_ms` is the time to think in
        milliseconds by `clock`. Without a clock the bot does about the work of an average
        machine in that time, and always plays the same way.
        """


class Playable(Protocol[M_contra]):
    """A round that bots can play to its end."""

    @property
    def turn(self) -> int | None:
        """Return the seat to move. None at the end."""

    def view(self, seat: int | None, /) -> Any:
        """Return what a seat can see."""

    def play(self, move: M_contra, seat: int | None, /) -> None:
        """Make a move of that seat."""


# Standard errors on either side that contain 95 % of a normal distribution.
NORMAL: Final = 1.96


class Share(NamedTuple):
    """A mean over games with its 95 % interval, and the number of games."""

    value: float
    low: float
    high: float
    games: int


def points_ahead(points: Sequence[int], place: int) -> float:
    """Return the points at a place less the mean of the others."""
    own = points[place]
    return own - (sum(points) - own) / (len(points) - 1)


def markdown_table(heading: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [heading, ["---"] * len(heading), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


@dataclass(frozen=True, kw_only=True)
class BotLadder(ABC, Generic[P]):
    """One run: a profile, the bots, their budget and the words that seed the deals.

    Every deal is played from every seat. `bots`: weakest first. `clock` measures the budget:
    `time.process_time` is fair on a busy machine. The object is immutable and can be sent to
    other processes.
    """

    profile: str
    budget_ms: int = 100
    seed: str = "ladder"
    clock: Clock | None = None
    bots: tuple[str, ...] = ()

    @abstractmethod
    def seatings(self) -> Iterable[tuple[str, ...]]:
        """Return the bots of every table that plays a deal."""

    @abstractmethod
    def play_table(self, bots: tuple[str, ...], seed: Seed) -> P:
        """Play a deal at one table and return its result."""

    @abstractmethod
    def table(self, deals: Sequence[Sequence[P]]) -> str:
        """Return a Markdown table of the results of `play`."""

    def play(self, number: int) -> tuple[P, ...]:
        """Play the deal with this number, from 0, with every bot in every seat. Deterministic."""
        seed = Seed(sha256(f"{self.seed}/{self.profile}/{number}".encode()).digest())
        return tuple(self.play_table(bots, seed) for bots in self.seatings())

    def play_out(self, game: Playable[M], bots: Sequence[Bot[Any, M]], seed: Seed) -> None:
        """Let the bots, by seat, play a game to its end. Each seat has a chance of its own."""
        chances = [seed.chance(f"bot/{seat}") for seat in range(len(bots))]
        while game.turn is not None:
            seat = game.turn
            move = bots[seat].choose(game.view(seat), chances[seat], self.budget_ms, self.clock)
            game.play(move, seat)
