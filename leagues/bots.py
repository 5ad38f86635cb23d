"""Parts that the bots of all games share, and the bot ladder: games that measure their strength.

Packages with the rules of a game must not import `leagues`, but their bots may import this module,
because it depends only on the package `fairness`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from fairness import Chance, Seed

# Function that returns a time in seconds, such as `time.monotonic`. Only differences between two
# calls matter.
Clock = Callable[[], float]

V_contra = TypeVar("V_contra", contravariant=True)
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)
M_contra = TypeVar("M_contra", contravariant=True)
P = TypeVar("P")


class Bot(Protocol[V_contra, M_co]):
    """A computer player.

    It receives only the information that is visible from its seat at the table.
    """

    def choose(
        self, view: V_contra, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> M_co:
        """Return a legal move. Raises `ValueError` if it is not the turn of this seat.

        `chance` is the bot's random generator. `budget_ms` is the time limit in milliseconds,
        measured by `clock`. Without a clock, the bot does about as much work as an average machine
        does in that time and always plays the same way.
        """


class Playable(Protocol[M_contra]):
    """Protocol for a round of a game that bots can play to its end."""

    @property
    def turn(self) -> int | None:
        """Return the seat whose turn it is, or None at the end of the round."""

    def view(self, seat: int | None, /) -> Any:
        """Return the information visible from a seat."""

    def play(self, move: M_contra, seat: int | None, /) -> None:
        """Make a move from this seat."""


# Number of standard errors on either side of a mean within which 95 % of a normal distribution are
# found.
NORMAL: Final = 1.96


# A move is clearly worse if the difference is more than this number of standard errors.
CLEAR_DIFFERENCE: Final = 3.0


def is_clearly_worse(values: Sequence[float], best: Sequence[float]) -> bool:
    """Return True if a move is significantly worse than the best move in the same simulations."""
    gaps = [one - other for one, other in zip(best, values, strict=True)]
    total, count = sum(gaps), len(gaps)
    spread = sum(gap * gap for gap in gaps) - total * total / count
    return total > CLEAR_DIFFERENCE * sqrt(max(spread, 0.0) * count / (count - 1)) and total > 0


class ShareEstimate(NamedTuple):
    """Mean result of a bot over several games, with the bounds of its 95 % confidence
    interval and the number of games.
    """

    value: float
    low: float
    high: float
    games: int


def points_ahead(points: Sequence[int], place: int) -> float:
    """Return the points of a seat minus the mean of the points of all other seats."""
    own = points[place]
    return own - (sum(points) - own) / (len(points) - 1)


def markdown_table(heading: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [heading, ["---"] * len(heading), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


@dataclass(frozen=True, kw_only=True)
class BotLadder(ABC, Generic[P]):
    """Base class of a bot ladder: bots of one game play the same deals against each other.

    Each deal is played with every bot in every seat. `profile` is the rule set. `bots` are ordered
    from weakest to strongest. `seed` is a text from which the deals are generated. `budget_ms` is
    the time limit for a move, measured by `clock`. With `time.process_time` the limit is fair on a
    busy machine. The object is immutable and can be sent to other processes.
    """

    profile: str
    budget_ms: int = 100
    seed: str = "ladder"
    clock: Clock | None = None
    bots: tuple[str, ...] = ()

    @abstractmethod
    def seatings(self) -> Iterable[tuple[str, ...]]:
        """Return all ways to assign the bots to the seats in which a deal is played."""

    @abstractmethod
    def play_table(self, bots: tuple[str, ...], seed: Seed) -> P:
        """Play a deal with these bots by seat and return its result."""

    @abstractmethod
    def table(self, deals: Sequence[Sequence[P]]) -> str:
        """Return the results of `play` for all deals as a Markdown table."""

    def play(self, number: int) -> tuple[P, ...]:
        """Play one deal in every seating of the bots and return the results.

        `number` identifies the deal and counts from 0. The result depends only on seed, profile and
        number, unless `clock` limits the bots.
        """
        seed = Seed(sha256(f"{self.seed}/{self.profile}/{number}".encode()).digest())
        return tuple(self.play_table(bots, seed) for bots in self.seatings())

    def play_out(self, game: Playable[M], bots: Sequence[Bot[Any, M]], seed: Seed) -> None:
        """Let bots play a game to its end.

        The bots are given by seat, and each seat has its own random generator.
        """
        chances = [seed.chance(f"bot/{seat}") for seat in range(len(bots))]
        while game.turn is not None:
            seat = game.turn
            move = bots[seat].choose(game.view(seat), chances[seat], self.budget_ms, self.clock)
            game.play(move, seat)
