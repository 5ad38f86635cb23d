"""Events of a lidia (the fight with one bull): one for every card and every consequence.

Events are in chronological order. `card` is a card's place in the deck (0-69). `matador` and
`injured` are places in the order of appearance (0-2). `by_card` returns which card caused each
event, so that a viewer can be shown only the events of the first k cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias

from corridas.engine.deck import CardEntry
from corridas.engine.matador import Crowd, Trophy

# `record(AvisoRead, (...))` creates a named tuple directly from a tuple. Calling the class takes
# twice as long, and a fight has many events.
record = tuple.__new__


class Side(Enum):
    """The side whose score a card changes: matador or bull."""

    MATADOR = "matador"
    BULL = "bull"


class Ending(Enum):
    """How the fight with a bull ended."""

    KILLED = "killed"
    SPARED = "spared"
    THREE_AVISOS = "three_avisos"
    BROKEN_OFF = "broken_off"


class Purpose(Enum):
    """What a number drawn with two cards decides: the bull's pardon, or the final result."""

    INDULTO = "indulto"
    FINAL = "final"


class Move(NamedTuple):
    """A card drawn in act 1-3 of the fight: the number of its move (from 1) and its entry (Ruling
    I-4).
    """

    tercio: int
    mark: int
    card: int
    reading: CardEntry


class Scored(NamedTuple):
    """A card whose number is added to, or subtracted from, the score of one side (Ruling I-5)."""

    by: Side
    tercio: int
    card: int
    points: int


class BullRead(NamedTuple):
    """The bull reacts to a BULL entry: the BULL line of a card is read.

    `turned` is true if another card is drawn for this, and false if the line is on the same card
    (Ruling I-6).
    """

    tercio: int
    card: int
    reading: CardEntry
    turned: bool


class InjuryRead(NamedTuple):
    """A card drawn after HERIDA (wound). On a 0 the matador is out of the corrida (Ruling I-7)."""

    card: int
    matador: int
    hurt: bool


class Substituted(NamedTuple):
    """Another matador continues the fight in place of an injured one (Ruling I-16).

    `injured` and `by` are places in the order of appearance.
    """

    injured: int
    by: int


class TercioEnded(NamedTuple):
    """The end of an act: after ten moves, or after the second CLAVAR (Rulings I-4 and I-8)."""

    tercio: int


class Digit(NamedTuple):
    """One of two cards that form a number: the tens or the units (Ruling I-2)."""

    purpose: Purpose
    tens: bool
    card: int


class IndultoChecked(NamedTuple):
    """A number from 1 to 100 decides whether the bull is spared (Ruling I-9).

    The bull is spared if the number is in the INDULTO range of the matador's card.
    """

    number: int
    spared: bool


class Stroke(NamedTuple):
    """One of the five kill cards, with its penalty of 0 or less (Ruling I-10)."""

    stroke: int
    card: int
    modifier: int


class AvisoRead(NamedTuple):
    """The card after a kill card, which may bring an aviso (time warning) (Ruling I-10).

    `number` is formed by both cards, and `avisos` counts the warnings so far.
    """

    card: int
    number: int
    warned: bool
    avisos: int


class Settled(NamedTuple):
    """The final score of a fight before and after division by the plaza's rating.

    See Rulings I-11 and I-12. `final` is before and `score` after the division.
    """

    points: int
    bull: int
    kill: int
    avisos: int
    final: int
    score: int


class FinalVerdict(NamedTuple):
    """The final number as drawn and after the score is added, and its outcome (Ruling I-13)."""

    drawn: int
    number: int
    trophy: Trophy
    vuelta: bool
    crowd: Crowd | None


class Ended(NamedTuple):
    """The end of the fight with a bull."""

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
    | FinalVerdict
    | Ended
)

_TURNS_A_CARD = (Move, Scored, InjuryRead, Digit, Stroke, AvisoRead)


def turns_card(event: Event) -> bool:
    """Return whether a card was drawn for this event.

    The other events are consequences of the previous card.
    """
    return isinstance(event, _TURNS_A_CARD) or (isinstance(event, BullRead) and event.turned)


def by_card(events: Iterable[Event]) -> Iterator[tuple[int, Event]]:
    """Yield each event with the index (from 0) of the card that caused it.

    After k cards of a broadcast, viewers may see the events with an index below k.
    """
    position = -1
    for event in events:
        position += turns_card(event)
        yield position, event


def first_cards(events: Iterable[Event], cards: int) -> tuple[Event, ...]:
    """Return the events caused by the first `cards` cards."""
    return tuple(event for position, event in by_card(events) if position < cards)
