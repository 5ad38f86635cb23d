"""A corrida whose cards are still being entered, fight by fight and card by card.

This is for games played with real cards: the known cards are replayed, and the engine reports what
the next card is for.
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

# Number of arbitrary cards that are added to find out what the next card is for. The cards of a
# number and of the kill come in pairs.
LOOK_AHEAD = 2


class Begun(NamedTuple):
    """The state of a fight after the cards entered so far.

    `events` are the events of these cards. `awaited` is the first event of the next card; only its
    type is meaningful, because its card is arbitrary. It is None if the fight is over. `left` lists
    the cards (0-69) that may be drawn next. `record` is the complete fight once it is over.
    `refused` is the index of the first card that cannot have been drawn; `events` then ends before
    that card.
    """

    starter: int
    events: tuple[Event, ...]
    awaited: Event | None
    left: tuple[int, ...]
    record: LidiaRecord | None
    refused: int | None


class OpenCorrida:
    """A corrida that is being entered: its rules, the deck, and the matadors who are able to
    fight.
    """

    def __init__(self, setup: CorridaSetup) -> None:
        self._rules = setup.rules
        self._sand = Sand(setup.rules, setup.deck, setup.plaza_rating, setup.order)
        self._deck = RecordedDeck()

    @property
    def able(self) -> tuple[int, ...]:
        """The matadors who can continue, by place in the order of appearance (Ruling I-16)."""
        return tuple(self._sand.able)

    def starter(self, turn: int) -> int | None:
        """Return the matador who begins the fight of this turn (0-5), or None if nobody is able.

        It is the matador to whom the bull was assigned, or the first able one if he is injured.
        """
        announced = turn % MATADORS
        able = self._sand.able
        return announced if announced in able else next(iter(able), None)

    def put_out(self, injured: Sequence[int]) -> None:
        """Exclude matadors who were injured in a fight of which no cards were entered."""
        self._sand.able = [place for place in self._sand.able if place not in injured]

    def look(self, turn: int, cards: Sequence[int]) -> Begun:
        """Return the state of the fight after these cards, without changing this object.

        Cards are 0-69; other numbers up to 255 are rejected. Raises `IndexError` if no matador is
        able to fight.
        """
        able, used = list(self._sand.able), self._deck.used
        begun = self._play(turn, bytes(cards))
        self._sand.able, self._deck.used = able, used
        return begun

    def go_on(self, turn: int, cards: Sequence[int]) -> Begun:
        """Return the state of a fight as `look` does, and apply its effects to the corrida.

        Injured matadors stay out of the corrida, and drawn cards stay out of the deck.
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
        """Return the events of these cards with the index of the card that caused each.

        The last cards are arbitrary ones added by `_play`.
        """
        try:
            record = play_lidia(self._sand, turn, starter, self._deck.pile(turn, cards))
        except ImpossibleDraw:
            return list(by_card(self._sand.events))
        return list(by_card(record.events))
