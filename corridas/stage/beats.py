"""Groups the events of a fight into beats: a drawn card with the cards that follow from it.

A beat is one line of the story, and its cards are shown on the table together. For example, a card
with VERÓNICA+ and the card that gives its score are one beat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from corridas.engine import (
    AvisoRead,
    BullRead,
    Digit,
    Event,
    InjuryRead,
    Move,
    Scored,
    Stroke,
    Substituted,
    by_card,
    turns_card,
)

TERCIO_ENTRY = {1: "first", 2: "second", 3: "third"}
NUMBER, BULL, KILL = "number", "bull", "kill"

E = TypeVar("E")


@dataclass(slots=True)
class Turned:
    """A card on the table: its place in the deck (0-69), and which of its entries counted."""

    place: int
    read: list[str]


@dataclass(slots=True)
class Beat:
    """A drawn card with the cards that follow from it, and their events.

    `ordinal` is the index of the first card in the fight (from 0), and `matador` the place of the
    matador in the ring.
    """

    ordinal: int
    matador: int
    events: list[Event] = field(default_factory=list)
    cards: list[Turned] = field(default_factory=list)

    @property
    def opening(self) -> Event:
        return self.events[0]

    def find_event(self, kind: type[E]) -> E | None:
        return next((event for event in self.events if isinstance(event, kind)), None)


def beats(events: Iterable[Event], starter: int) -> list[Beat]:
    marks: list[Beat] = []
    matador = starter
    for ordinal, event in by_card(events):
        if _opens(event):
            marks.append(Beat(ordinal, matador))
        beat = marks[-1]
        beat.events.append(event)
        _lay(beat, event)
        if isinstance(event, Substituted):
            matador = event.by
    return marks


def _opens(event: Event) -> bool:
    return isinstance(event, Move | Stroke) or (isinstance(event, Digit) and event.tens)


def _lay(beat: Beat, event: Event) -> None:
    if turns_card(event):
        assert not isinstance(event, Substituted)
        beat.cards.append(Turned(event.card, [_entry(event)]))  # type: ignore[union-attr]
    elif isinstance(event, BullRead):
        beat.cards[-1].read.append(BULL)
    if isinstance(event, AvisoRead):
        beat.cards[0].read.append(NUMBER)


def _entry(event: Event) -> str:
    match event:
        case Move(tercio=tercio):
            return TERCIO_ENTRY[tercio]
        case BullRead():
            return BULL
        case Stroke():
            return KILL
        case Scored() | InjuryRead() | Digit() | AvisoRead():
            return NUMBER
        case _:
            raise AssertionError(event)
