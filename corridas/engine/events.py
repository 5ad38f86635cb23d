"""Events of a lidia: one typed event for every card and every consequence.

`card` is a card's place in the deck (0-69); `matador`, `injured` and `by` are places in the order
of appearance (0-2). Events are in chronological order. `by_card` tells which card caused each, so
that a viewer can be shown only the events of the first k cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias

from corridas.engine.deck import Reading
from corridas.engine.matador import Crowd, Trophy

# `record(AvisoRead, (...))` builds the named tuple directly from a tuple: calling the class
# costs twice as much, and a lidia has many events. The types are those of the class.
record = tuple.__new__


class Side(Enum):
    """The side, matador or bull, whose total a number changes."""

    MATADOR = "matador"
    BULL = "bull"


class Ending(Enum):
    """How a bull left the ring."""

    KILLED = "killed"
    SPARED = "spared"
    THREE_AVISOS = "three_avisos"
    BROKEN_OFF = "broken_off"


class Purpose(Enum):
    """The use of a number of two cards."""

    INDULTO = "indulto"
    FINAL = "final"


class Move(NamedTuple):
    """A card drawn for tercio 1-3: its hash mark (from 1) and its reading (Ruling I-4)."""

    tercio: int
    mark: int
    card: int
    reading: Reading


class Scored(NamedTuple):
    """The card drawn to score: points with their sign, for matador or bull (Ruling I-5)."""

    by: Side
    tercio: int
    card: int
    points: int


class BullRead(NamedTuple):
    """The BULL entry that answers a tercio's BULL.

    `turned` is true where it is read on one more card, false where on the same card (Ruling I-6).
    """

    tercio: int
    card: int
    reading: Reading
    turned: bool


class InjuryRead(NamedTuple):
    """The card drawn after HERIDA: on a 0 the matador is out of the corrida (Ruling I-7)."""

    card: int
    matador: int
    hurt: bool


class Substituted(NamedTuple):
    """Another matador finishes the lidia, from the next card on (Ruling I-16)."""

    injured: int
    by: int


class TercioEnded(NamedTuple):
    """The end of a tercio: ten marks, or the second CLAVAR (Rulings I-4 and I-8)."""

    tercio: int


class Digit(NamedTuple):
    """One of the two cards of a number, tens or units (Ruling I-2)."""

    purpose: Purpose
    tens: bool
    card: int


class IndultoChecked(NamedTuple):
    """The number 1-100 compared with the INDULTO range (Ruling I-9)."""

    number: int
    spared: bool


class Stroke(NamedTuple):
    """One of the five kill cards, with its modifier of 0 or less (Ruling I-10)."""

    stroke: int
    card: int
    modifier: int


class AvisoRead(NamedTuple):
    """The card after a kill card: its number and the count of warnings so far (Ruling I-10)."""

    card: int
    number: int
    warned: bool
    avisos: int


class Settled(NamedTuple):
    """The final score and its quotient by the plaza's rating (Rulings I-11, I-12)."""

    points: int
    bull: int
    kill: int
    avisos: int
    final: int
    score: int


class Verdict(NamedTuple):
    """The number as drawn and as modified, and the outcome (Ruling I-13)."""

    drawn: int
    number: int
    trophy: Trophy
    vuelta: bool
    crowd: Crowd | None


class Ended(NamedTuple):
    """The end of the lidia."""

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

_TURNS_A_CARD = (Move, Scored, InjuryRead, Digit, Stroke, AvisoRead)


def turns_card(event: Event) -> bool:
    """Return whether a card was turned for this event; others follow from the card before."""
    return isinstance(event, _TURNS_A_CARD) or (isinstance(event, BullRead) and event.turned)


def by_card(events: Iterable[Event]) -> Iterator[tuple[int, Event]]:
    """Yield each event with the ordinal (from 0) of the card that caused it.

    After k cards, events with an ordinal below k may be seen.
    """
    position = -1
    for event in events:
        position += turns_card(event)
        yield position, event


def first_cards(events: Iterable[Event], cards: int) -> tuple[Event, ...]:
    """Return the events caused by the first `cards` cards."""
    return tuple(event for position, event in by_card(events) if position < cards)
