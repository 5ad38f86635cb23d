"""What happens in a lidia: one typed event for every card and every consequence.

Each begins with `position`, the ordinal (from 0) among the cards drawn of the card that brought
it: after k cards a viewer may see the events whose position is below k. `card` is a card's place
in the deck (0-69), `matador` and the like are places in the order of appearance (0-2).
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from corridas.engine.deck import Reading
from corridas.engine.matador import Crowd, Trophy


class Side(Enum):
    """Whose total a number goes to."""

    MATADOR = "matador"
    BULL = "bull"


class Ending(Enum):
    """How a bull that came out left the sand."""

    KILLED = "killed"
    SPARED = "spared"
    THREE_AVISOS = "three_avisos"
    BROKEN_OFF = "broken_off"


class Purpose(Enum):
    """What a number of two cards is built for."""

    INDULTO = "indulto"
    FINAL = "final"


class Move(NamedTuple):
    """A card drawn for tercio 1-3: its hash mark (from 1) and what it reads (Ruling I-4)."""

    position: int
    tercio: int
    mark: int
    card: int
    reading: Reading


class Scored(NamedTuple):
    """The card drawn to score: points with their sign, and the running total (Ruling I-5)."""

    position: int
    by: Side
    tercio: int
    card: int
    points: int
    total: int


class BullRead(NamedTuple):
    """The BULL entry that answers a tercio's BULL: of that card or of one more (Ruling I-6)."""

    position: int
    tercio: int
    card: int
    reading: Reading


class InjuryRead(NamedTuple):
    """The card drawn after HERIDA: on a 0 the matador is out of the corrida (Ruling I-7)."""

    position: int
    card: int
    matador: int
    hurt: bool


class Substituted(NamedTuple):
    """Somebody else finishes the lidia, from the next card on (Ruling I-16)."""

    position: int
    injured: int
    by: int


class TercioEnded(NamedTuple):
    """A tercio is over: ten marks, or the second CLAVAR (Rulings I-4 and I-8)."""

    position: int
    tercio: int


class Digit(NamedTuple):
    """One of the two cards of a number: `tens` tells which (Ruling I-2)."""

    position: int
    purpose: Purpose
    tens: bool
    card: int


class IndultoChecked(NamedTuple):
    """The number 1-100 held against the INDULTO range (Ruling I-9)."""

    position: int
    number: int
    spared: bool


class Stroke(NamedTuple):
    """One of the five kill cards, with its modifier of 0 or less (Ruling I-10)."""

    position: int
    stroke: int
    card: int
    modifier: int


class AvisoRead(NamedTuple):
    """The card after a kill card: the number, and the count of warnings so far (Ruling I-10)."""

    position: int
    card: int
    number: int
    warned: bool
    count: int


class Settled(NamedTuple):
    """The final score and what is left of it after the plaza's rating (Rulings I-11, I-12)."""

    position: int
    points: int
    bull: int
    kill: int
    avisos: int
    final: int
    score: int


class Verdict(NamedTuple):
    """The number as drawn and as modified, and what it brings (Ruling I-13)."""

    position: int
    drawn: int
    number: int
    trophy: Trophy
    vuelta: bool
    crowd: Crowd | None


class Ended(NamedTuple):
    """The lidia is over."""

    position: int
    ending: Ending


Event: TypeAlias = (
    Move
    | Scored
    | BullRead
    | InjuryRead
    | Substituted
    | TercioEnded
    | Digit
    | IndultoChecked
    | Stroke
    | AvisoRead
    | Settled
    | Verdict
    | Ended
)
