"""A corrida that is still being entered, lidia by lidia and card by card.

For real tables: the known cards are replayed, and the use of the next card is reported.
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

# Invented cards that show the use of the next one. Cards of a number or a stroke come in pairs.
LOOK_AHEAD = 2


class Begun(NamedTuple):
    """The state of a lidia after the cards so far.

    `events` are those of the cards. `awaited` is the first event of one more card, to be read for
    its kind (its card is arbitrary), None where the lidia is over. `left` lists the cards (0-69)
    that may be drawn next. `record` is the whole lidia once it is over, without cards after its
    end. `refused` is the position of the first card that cannot have been drawn; the events are
    then those of the cards before it.
    """

    starter: int
    events: tuple[Event, ...]
    awaited: Event | None
    left: tuple[int, ...]
    record: LidiaRecord | None
    refused: int | None


class OpenCorrida:
    """Three matadors, one deck and the able matadors, while a corrida is being entered."""

    def __init__(self, setup: CorridaSetup) -> None:
        self._rules = setup.rules
        self._sand = Sand(setup.rules, setup.deck, setup.plaza_rating, setup.order)
        self._deck = RecordedDeck()

    @property
    def able(self) -> tuple[int, ...]:
        """The matadors who can continue, by place in the order of appearance (Ruling I-16)."""
        return tuple(self._sand.able)

    def starter(self, turn: int) -> int | None:
        """Return who begins the lidia of this turn (0-5): his own bull's matador, or the first
        able.
        """
        announced = turn % MATADORS
        able = self._sand.able
        return announced if announced in able else next(iter(able), None)

    def put_out(self, injured: Sequence[int]) -> None:
        """Mark matadors as injured who are known from a sheet, not from cards."""
        self._sand.able = [place for place in self._sand.able if place not in injured]

    def look(self, turn: int, cards: Sequence[int]) -> Begun:
        """Return the state of the lidia after these cards, without advancing.

        Cards are 0-69; any other number up to 255 is refused. Where nobody is able no bull comes
        out, and `starter` raises IndexError.
        """
        able, used = list(self._sand.able), self._deck.used
        begun = self._play(turn, bytes(cards))
        self._sand.able, self._deck.used = able, used
        return begun

    def go_on(self, turn: int, cards: Sequence[int]) -> Begun:
        """Advance as `look` describes: injured matadors stay out, drawn cards stay out
        of the deck.
        """
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
        shown_events = tuple(event for at, event in events if at < cut)
        if cut < len(cards):
            return Begun(starter, shown_events, None, left, None, cut)
        return Begun(starter, shown_events, events[len(shown_events)][1], left, None, None)

    def _starter(self, turn: int) -> int:
        starter = self.starter(turn)
        if starter is None:
            raise IndexError("Nobody is able: no bull comes out.")
        return starter

    def _further(self, turn: int, starter: int, cards: bytes) -> list[tuple[int, Event]]:
        """Return the events of these cards, the last of which are invented."""
        try:
            record = play_lidia(self._sand, turn, starter, self._deck.pile(turn, cards))
        except ImpossibleDraw:
            return list(by_card(self._sand.events))
        return list(by_card(record.events))
