"""A corrida that is still being written down: lidia by lidia, and within one card by card.

For a real table: whatever of it is known already is played through, and what comes next is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from corridas.engine.corrida import MATADORS, CorridaSetup
from corridas.engine.errors import ImpossibleDraw
from corridas.engine.events import Event, by_card
from corridas.engine.lidia import LidiaRecord, play_lidia
from corridas.engine.pile import RecordedDeck
from corridas.engine.sand import Sand

LOOK_AHEAD = 2
"""Cards made up to see what a next one is for: those of a number or a stroke come in pairs."""


class Begun(NamedTuple):
    """A lidia as far as its cards go.

    `events` are those that the cards brought; `awaited` is the event that one more card would
    bring first, read for its kind (its card is any that may come), None where the lidia is over.
    `left`: cards (0-69) that may be drawn next. `record`: the whole lidia once it is over; the
    cards after its end are none of it. `refused` is the position of the first card that cannot
    have been drawn; the events are then those of the cards before it.
    """

    starter: int
    events: tuple[Event, ...]
    awaited: Event | None
    left: tuple[int, ...]
    record: LidiaRecord | None
    refused: int | None


class OpenCorrida:
    """Three matadors, one deck, and who of them is able, while a corrida is written down."""

    def __init__(self, setup: CorridaSetup) -> None:
        self._rules = setup.rules
        self._sand = Sand(setup.rules, setup.deck, setup.plaza_rating, setup.order)
        self._deck = RecordedDeck()

    @property
    def able(self) -> tuple[int, ...]:
        """Who can go on, by place in the order of appearance (Ruling I-16)."""
        return tuple(self._sand.able)

    def starter(self, turn: int) -> int | None:
        """Who lets out the bull of this turn (0-5): who is announced, or the first still able."""
        announced = turn % MATADORS
        able = self._sand.able
        return announced if announced in able else next(iter(able), None)

    def put_out(self, injured: Sequence[int]) -> None:
        """Count matadors as injured of whom a sheet says so, not cards."""
        self._sand.able = [place for place in self._sand.able if place not in injured]

    def look(self, turn: int, cards: Sequence[int]) -> Begun:
        """How far these cards bring the lidia; nothing is moved on.

        Cards are 0-69, or any number up to 255, which is then refused. Nobody is able: `starter`
        raises IndexError, for no bull comes out.
        """
        able, used = list(self._sand.able), self._deck.used
        begun = self._play(turn, bytes(cards))
        self._sand.able, self._deck.used = able, used
        return begun

    def go_on(self, turn: int, cards: Sequence[int]) -> Begun:
        """As `look`; who is hurt stays out, and the cards drawn stay out of the deck."""
        return self._play(turn, bytes(cards))

    def _play(self, turn: int, cards: bytes) -> Begun:
        if self._rules.shuffle == "each_bull":
            self._deck.shuffle()
        before = list(self._sand.able), self._deck.used
        starter = self._starter(turn)
        try:
            record = play_lidia(self._sand, turn, starter, self._deck.pile(turn, cards))
        except ImpossibleDraw as refusal:
            cut = min(len(cards), refusal.position)
            left = self._deck.left()
        else:
            return Begun(starter, record.events, None, (), record, None)
        after = list(self._sand.able), self._deck.used
        self._sand.able, self._deck.used = before
        further = cards[:cut] + bytes((*left, 0)[:LOOK_AHEAD])
        events = self._further(turn, starter, further)
        self._sand.able, self._deck.used = after
        told = tuple(event for at, event in events if at < cut)
        if cut < len(cards):
            return Begun(starter, told, None, left, None, cut)
        return Begun(starter, told, events[len(told)][1], left, None, None)

    def _starter(self, turn: int) -> int:
        starter = self.starter(turn)
        if starter is None:
            raise IndexError("Nobody is able: no bull comes out.")
        return starter

    def _further(self, turn: int, starter: int, cards: bytes) -> list[tuple[int, Event]]:
        """What happens with these cards, of which the last ones are made up."""
        try:
            record = play_lidia(self._sand, turn, starter, self._deck.pile(turn, cards))
        except ImpossibleDraw:
            return list(by_card(self._sand.events))
        return list(by_card(record.events))
