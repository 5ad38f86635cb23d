"""What the cards can make of one die."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from eltoro.engine import FACES, Card, Effect


class Turn(NamedTuple):
    """One thing to do with a die: how the move writes it, and the faces (0 to 5), as likely."""

    suffix: str
    faces: tuple[int, ...]


Turns = tuple[tuple[Turn, ...], ...]
"""By the face of a die, from 0: all that a card can make of it."""

ANY: Final = tuple(range(FACES))


def _turned(face: int, *, around: bool) -> tuple[Turn, ...]:
    found = (("+", face + 1), ("-", face - 1))
    return tuple(Turn(sign, (new % FACES,)) for sign, new in found if around or 0 <= new < FACES)


ROLL: Final[Turns] = tuple((Turn("", ANY),) for _ in ANY)
TURN: Final[Turns] = tuple(_turned(face, around=False) for face in ANY)
AROUND: Final[Turns] = tuple(_turned(face, around=True) for face in ANY)
FLIP: Final[Turns] = tuple((Turn("", (FACES - 1 - face,)),) for face in ANY)
SET: Final[Turns] = tuple(
    tuple(Turn(f"={new + 1}", (new,)) for new in ANY if new != face) for face in ANY
)
# faces from 0: those with a remainder are the even ones, 2, 4 and 6
ODD: Final[Turns] = tuple((Turn("", (face - 1,)),) if face % 2 else () for face in ANY)
EVEN: Final[Turns] = tuple(() if face % 2 else (Turn("", (face + 1,)),) for face in ANY)

TURNS: Final[Mapping[Effect, Turns]] = MappingProxyType(
    {
        Effect.ROLL: ROLL,
        Effect.ROLL_SPACE: ROLL,
        Effect.ROLL_ALL: ROLL,
        Effect.TURN: TURN,
        Effect.FLIP: FLIP,
        Effect.SET: SET,
        Effect.ODD: ODD,
        Effect.EVEN: EVEN,
        Effect.BULL_ROLL: ROLL,
        Effect.BULL_ROLL_SPACE: ROLL,
        Effect.BULL_TURN: TURN,
        Effect.BULL_FLIP: FLIP,
    }
)


def turns_of(card: Card) -> Turns:
    """What a card can make of a die, runner or bull; KeyError where it does another thing."""
    if card.goes_round and card.effect in {Effect.TURN, Effect.BULL_TURN}:
        return AROUND
    return TURNS[card.effect]
