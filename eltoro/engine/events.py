"""Events of a game, which a witness receives at once. Without a witness they cost nothing.

Runners are (seat, number from 0), bulls a number from 0, cards and destinations indexes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from eltoro.engine.board import Sign
from eltoro.engine.moves import Move
from eltoro.engine.town import Die

Runner: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of events."""


@dataclass(frozen=True, slots=True)
class Shuffled(Event):
    """The deck of `count` cards was shuffled. `again`: it was the discards (Ruling E-8)."""

    count: int
    again: bool


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """A hand was filled with `count` cards."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class EffectPaid(Event):
    """A destination of yesterday brought points, perhaps by a die (Ruling E-7)."""

    seat: int
    destination: int
    die: int | None
    points: int


@dataclass(frozen=True, slots=True)
class DestinationsLaid(Event):
    """Five destinations were laid out, d1 to d5."""

    destinations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BullRolled(Event):
    """A bull came into town in the morning."""

    bull: int
    die: Die


@dataclass(frozen=True, slots=True)
class RunnersRolled(Event):
    """A player rolled all runners in the morning. The 1s are not placed yet."""

    seat: int


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A player placed the 1s. `placed`: number of the runner and space, each."""

    seat: int
    placed: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A card left a hand. Its effects follow."""

    seat: int
    card: int
    move: Move


@dataclass(frozen=True, slots=True)
class DieRolled(Event):
    """A card rolled the die of a runner or a bull. The other one is `None`."""

    runner: Runner | None
    bull: int | None
    before: Die
    after: Die


@dataclass(frozen=True, slots=True)
class DieTurned(Event):
    """A card turned, flipped, set or swapped a die, without a roll."""

    runner: Runner | None
    bull: int | None
    before: Die
    after: Die


@dataclass(frozen=True, slots=True)
class BullLed(Event):
    """A card moved a bull within its row."""

    bull: int
    before: Die
    after: Die


@dataclass(frozen=True, slots=True)
class BullAdded(Event):
    """A card brought a bull into the row of the bulls (Ruling E-6)."""

    bull: int
    die: Die


@dataclass(frozen=True, slots=True)
class TokenPlaced(Event):
    """A token was placed. `replaced`: seat of the returned token, `moved`: its previous sign."""

    seat: int
    sign: Sign
    replaced: int | None
    moved: Sign | None = None


@dataclass(frozen=True, slots=True)
class TokenRemoved(Event):
    """A token was returned to this seat."""

    seat: int
    sign: Sign


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """A card drew `count` cards."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Gained(Event):
    """A card brought points."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class RunnersMoved(Event):
    """All runners moved one row down."""


@dataclass(frozen=True, slots=True)
class BullsMoved(Event):
    """All bulls moved one row down."""


@dataclass(frozen=True, slots=True)
class Matched(Event):
    """These runners match a bull on their space and will be rolled (Ruling E-6)."""

    runners: tuple[Runner, ...]


@dataclass(frozen=True, slots=True)
class Charged(Event):
    """A matching runner was rolled. `trampled`: it matches again."""

    runner: Runner
    before: Die
    after: Die
    trampled: bool


@dataclass(frozen=True, slots=True)
class TokenPassed(Event):
    """The first-player token was passed to the left."""

    to: int


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """A player's runners at the destinations brought points."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class DayOver(Event):
    """A day was scored."""

    day: int


@dataclass(frozen=True, slots=True)
class Discarded(Event):
    """A player discarded `count` cards in the evening."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class FirstTaken(Event):
    """A player took the first-player token by the effect of a destination (Ruling E-7)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The last day was scored."""
