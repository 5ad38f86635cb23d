"""Moves of El Toro and their notation: placing runners, playing a card, discarding cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from eltoro.engine.errors import NotationError

# Letters of the seats in notation. For example, `a1` is the first runner of seat 0.
LETTERS: Final = "abcdef"


class DecisionKind(StrEnum):
    """The decision that a player must make. Its value is the first word of the move in notation."""

    START = "start"
    CARD = "play"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Move:
    """A decision of a player. The same move can be legal in one game and illegal in another.

    `kind`: the kind of decision. `card`: key of the card played, or "". `targets`: in notation, the
    targets of the card (`a1`, `a1+`, `a1=5`, `a1~c4`, `T1`, `T1+`, `T1>iglesia`, `@molino`,
    `fuente/odd`, `mercado/even>fuente/odd`), runners placed (`a2>4`), or the cards discarded.
    `made`: the parsed move (`lookup.ReadMove`), cached by the engine when it is first played.
    """

    kind: DecisionKind
    card: str
    targets: tuple[str, ...]
    made: Any = field(default=None, init=False, compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments for pickling the move. The cached `made` is left out."""
        return Move, (self.kind, self.card, self.targets)

    def cache_move(self, made: object) -> None:
        """Cache the parsed move in `made`."""
        object.__setattr__(self, "made", made)

    @classmethod
    def play(cls, card: str, *targets: str) -> Move:
        """Return the move that plays a card with these targets."""
        return cls(DecisionKind.CARD, card, targets)

    @classmethod
    def start(cls, *targets: str) -> Move:
        """Return the move that places a player's runners that show 1. A target is `a2>4`."""
        return cls(DecisionKind.START, "", targets)

    @classmethod
    def discard(cls, *cards: str) -> Move:
        """Return the move that discards these cards, or no cards."""
        return cls(DecisionKind.DISCARD, "", cards)

    @classmethod
    def read(cls, text: str) -> Move:
        """Parse a move in notation. Raises `NotationError`."""
        word, *rest = text.split() or [""]
        if word == DecisionKind.CARD and rest:
            return cls(DecisionKind.CARD, rest[0], tuple(rest[1:]))
        if word == DecisionKind.START and rest:
            return cls(DecisionKind.START, "", tuple(rest))
        if word == DecisionKind.DISCARD:
            return cls(DecisionKind.DISCARD, "", tuple(rest))
        raise NotationError(f"“{text}” is no move.")

    def __str__(self) -> str:
        card = (self.card,) if self.card else ()
        return " ".join((self.kind.value, *card, *self.targets))


def write_runner(seat: int, number: int) -> str:
    """Return a runner in notation, such as `a1`. Seats count from 0 and numbers from 1."""
    return f"{LETTERS[seat]}{number}"


def write_bull(number: int) -> str:
    """Return a bull in notation, such as `T1`. Numbers count from 1."""
    return f"T{number}"
