"""Events of a game of El Toro, which a witness function receives as they happen.

If a game has no witness, no events are created, which saves time. A runner is (seat, number from
0), a bull is a number from 0, and cards and destinations are indexes.
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
    """Base class of the events of a game."""


@dataclass(frozen=True, slots=True)
class Shuffled(Event):
    """The deck was shuffled and has `count` cards.

    `again`: True if the discarded cards were shuffled into it (Ruling E-8).
    """

    count: int
    again: bool


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """A hand was filled with `count` cards."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class EffectPaid(Event):
    """A destination reached yesterday brought points today (Ruling E-7).

    `die`: the face that was rolled for the points, if any.
    """

    seat: int
    destination: int
    die: int | None
    points: int


@dataclass(frozen=True, slots=True)
class DestinationsLaid(Event):
    """The five destinations of the day were laid out, from d1 to d5."""

    destinations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BullRolled(Event):
    """A bull was rolled in the morning and placed on its starting space."""

    bull: int
    die: Die


@dataclass(frozen=True, slots=True)
class RunnersRolled(Event):
    """A player's runners were rolled in the morning. Runners that show 1 are not placed yet."""

    seat: int


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A player placed the runners that show 1.

    `placed`: pairs of the number of the runner and its space.
    """

    seat: int
    placed: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A player played a card. Events of its effects follow."""

    seat: int
    card: int
    move: Move


@dataclass(frozen=True, slots=True)
class DieRolled(Event):
    """A card rolled the die of a runner or of a bull. The field of the other piece is `None`."""

    runner: Runner | None
    bull: int | None
    before: Die
    after: Die


@dataclass(frozen=True, slots=True)
class DieTurned(Event):
    """A card changed the face of a die without rolling it, by a turn, flip, set or swap."""

    runner: Runner | None
    bull: int | None
    before: Die
    after: Die


@dataclass(frozen=True, slots=True)
class BullLed(Event):
    """A card moved a bull to another space in its row."""

    bull: int
    before: Die
    after: Die


@dataclass(frozen=True, slots=True)
class BullAdded(Event):
    """A card added a bull in the row of the other bulls (Ruling E-6)."""

    bull: int
    die: Die


@dataclass(frozen=True, slots=True)
class TokenPlaced(Event):
    """A player placed a token on a path sign.

    `replaced`: seat whose token was returned. `moved`: the sign on which the token was before. Both
    can be None.
    """

    seat: int
    sign: Sign
    replaced: int | None
    moved: Sign | None = None


@dataclass(frozen=True, slots=True)
class TokenRemoved(Event):
    """A token was removed from a path sign and returned to this seat."""

    seat: int
    sign: Sign


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """A card let its player draw `count` cards."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Gained(Event):
    """A card brought its player points."""

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
    """These runners match a bull on their space, so they will be rolled (Ruling E-6)."""

    runners: tuple[Runner, ...]


@dataclass(frozen=True, slots=True)
class Charged(Event):
    """A runner that matched a bull was rolled. `trampled`: True if it matches a bull again."""

    runner: Runner
    before: Die
    after: Die
    trampled: bool


@dataclass(frozen=True, slots=True)
class TokenPassed(Event):
    """The first-player token was passed to the player on the left."""

    to: int


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """A player's runners at the destinations brought points."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class DayOver(Event):
    """The points of a day were scored."""

    day: int


@dataclass(frozen=True, slots=True)
class Discarded(Event):
    """A player discarded `count` cards in the evening."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class FirstTaken(Event):
    """A player took the first-player token in the evening.

    One of the player's destinations has this effect (Ruling E-7).
    """

    seat: int


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """The game ended, because the last day was scored."""
